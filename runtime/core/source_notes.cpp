#include "runtime/core/source_notes.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::string_view note_name = "gridstride";

std::vector<std::string> parts_of(std::string_view text, char mark) {
  std::vector<std::string> parts;
  for (std::size_t end; (end = text.find(mark)) != text.npos; text.remove_prefix(end + 1))
    parts.emplace_back(text.substr(0, end));
  parts.emplace_back(text);
  return parts;
}

// "12:3", as two numbers; zeros for anything else.
std::pair<unsigned, unsigned> numbers_of(std::string_view text) {
  std::pair<unsigned, unsigned> numbers;
  const char *const begin = text.data(), *const end = begin + text.size();
  const auto first = std::from_chars(begin, end, numbers.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return {};
  const auto second = std::from_chars(first.ptr + 1, end, numbers.second);
  return second.ec == std::errc() && second.ptr == end ? numbers : std::pair<unsigned, unsigned>();
}

// Notes as a segment of a program holds them: three numbers, the name and the text, each on a multiple of 4. Linkers
// put notes on multiples of 8 into the same segment, whose lengths are such, too; between two of them may be zeros.
void read_segment(std::string_view segment, source_notes& notes) {
  const auto aligned = [](std::size_t n) { return (n + 3) / 4 * 4; };
  ElfW(Nhdr) head;
  while (segment.size() >= sizeof head) {
    std::memcpy(&head, segment.data(), sizeof head);
    if (head.n_namesz == 0) {
      segment.remove_prefix(4);
      continue;
    }
    const std::size_t text_begin = aligned(sizeof head + head.n_namesz), end = aligned(text_begin + head.n_descsz);
    if (text_begin + head.n_descsz > segment.size()) return;
    const std::string_view name = segment.substr(sizeof head, head.n_namesz);
    if (name.substr(0, name.find('\0')) == note_name) notes.add(segment.substr(text_begin, head.n_descsz));
    segment.remove_prefix(std::min(end, segment.size()));
  }
}

int read_module(dl_phdr_info* module, std::size_t /*size*/, void* notes) {
  for (std::size_t k = 0; k < module->dlpi_phnum; ++k) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[k];
    if (segment.p_type != PT_NOTE) continue;
    const auto* const begin = reinterpret_cast<const char*>(module->dlpi_addr + segment.p_vaddr);
    read_segment({begin, segment.p_memsz}, *static_cast<source_notes*>(notes));
  }
  return 0;
}

// How many modules have been loaded and unloaded so far.
using load_count = std::pair<unsigned long long, unsigned long long>;
int count_loads(dl_phdr_info* module, std::size_t /*size*/, void* count) {
  *static_cast<load_count*>(count) = {module->dlpi_adds, module->dlpi_subs};
  return 1;  // the first says it of all
}

}  // namespace

std::shared_ptr<const source_notes> source_notes::of_loaded_code() {
  static std::mutex one_at_a_time;
  static std::shared_ptr<const source_notes> known;
  static load_count known_at;
  const std::scoped_lock lock(one_at_a_time);
  load_count now;
  dl_iterate_phdr(count_loads, &now);
  if (known && now == known_at) return known;
  auto notes = std::make_shared<source_notes>();
  dl_iterate_phdr(read_module, notes.get());
  known_at = now;
  return known = std::move(notes);
}

void source_notes::add(std::string_view text) {
  is_known_ = true;
  notes_of_file* file = nullptr;
  for (const std::string& line : parts_of(text, '\n')) {
    const std::vector<std::string> fields = parts_of(line, '\t');
    if (fields.size() == 2 && fields[0] == "file")
      file = &files_[fields[1]];
    else if (file && fields.size() >= 2)
      add_line(fields, *file);
  }
}

void source_notes::add_line(const std::vector<std::string>& fields, notes_of_file& file) {
  const std::pair<unsigned, unsigned> at = numbers_of(fields[1]);
  if (at.first == 0) return;
  if (fields[0] == "access" && fields.size() >= 4) {
    noted_access access{.text = fields[3], .object = "", .indices = {}, .takes_address = fields[2] == "&"};
    if (fields.size() > 4) access.object = fields[4];
    if (fields.size() > 5) access.indices.assign(fields.begin() + 5, fields.end());
    file.accesses[at] = std::move(access);
  } else if (fields[0] == "name" && fields.size() == 3) {
    file.names[at] = fields[2];
  } else if (fields[0] == "array" && fields.size() == 4) {
    noted_array array{fields[2], at.first, at.second, 0};
    std::from_chars(fields[3].data(), fields[3].data() + fields[3].size(), array.last_line);
    file.arrays[at] = std::move(array);
  } else if (fields[0] == "barrier") {
    file.barriers.push_back(at.first);
  } else if (fields[0] == "blocks") {
    file.block_style.push_back(at);
  } else if (fields[0] == "casts") {
    file.casts.push_back(at);
  }
}

const source_notes::notes_of_file& source_notes::of(const std::string& file) const {
  static const notes_of_file nothing;
  const auto known = files_.find(file);
  return known == files_.end() ? nothing : known->second;
}

const noted_access* source_notes::access_at(const source_place& place) const {
  const auto& accesses = of(place.file).accesses;
  const auto known = accesses.find({place.line, place.column});
  return known == accesses.end() ? nullptr : &known->second;
}

std::string source_notes::name_at(const source_place& place) const {
  const auto& names = of(place.file).names;
  const auto known = names.find({place.line, place.column});
  return known == names.end() ? "" : known->second;
}

std::vector<noted_array> source_notes::arrays_in(const std::string& file, unsigned line) const {
  std::vector<noted_array> found;
  for (const auto& [place, array] : of(file).arrays)
    if (array.first_line <= line && line <= array.last_line) found.push_back(array);
  return found;
}

bool source_notes::has_barrier(const std::string& file, unsigned first, unsigned last) const {
  return std::ranges::any_of(of(file).barriers, [&](unsigned line) { return first <= line && line <= last; });
}

bool source_notes::is_in_block_style(const std::string& file, unsigned line) const {
  return std::ranges::any_of(of(file).block_style,
                             [&](const auto& lines) { return lines.first <= line && line <= lines.second; });
}

bool source_notes::has_casts(const std::string& file, unsigned line) const {
  return std::ranges::any_of(of(file).casts,
                             [&](const auto& lines) { return lines.first <= line && line <= lines.second; });
}

bool source_notes::has_casts(const std::string& file) const { return !of(file).casts.empty(); }

}  // namespace gs::inline GS_FLAVOUR::detail
