#include "compiler/source_notes/note_text.h"

namespace source_notes {
namespace {

std::string number(int n) { return std::to_string(n); }

std::string place_text(const expanded_location& place) { return number(place.line) + ":" + number(place.column); }

// In the assembler's words.
std::string quoted(const std::string& text) {
  std::string out;
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\' || c < ' ' || c > '~') {
      const char digits[] = {'\\', char('0' + (c >> 6)), char('0' + ((c >> 3) & 7)), char('0' + (c & 7)), '\0'};
      out += digits;
    } else {
      out += char(c);
    }
  }
  return out;
}

}  // namespace

note_text::lines_of_file* note_text::file_of(const expanded_location& place) {
  return place.file && place.line > 0 ? &lines_[place.file] : nullptr;
}

void note_text::add_access(location_t place, const access_note& access) {
  const expanded_location at = shown_place(place);
  if (!at.file || at.line <= 0) return;
  std::string line;
  if (!access.text.empty()) {
    line = "access\t" + place_text(at) + "\t" + (access.takes_address ? "&" : "") + "\t" + access.text;
    if (!access.object.empty()) line += "\t" + access.object;
    for (const std::string& index : access.indices) line += "\t" + index;
  }
  const auto [known, is_new] = accesses_.try_emplace({at.file, at.line, at.column}, line);
  if (!is_new && known->second != line) known->second.clear();
}

void note_text::add_name(location_t place, const std::string& name) {
  const expanded_location at = shown_place(place);
  if (lines_of_file* const lines = file_of(at)) lines->insert("name\t" + place_text(at) + "\t" + name);
}

void note_text::add_array(location_t place, location_t last, const std::string& name) {
  const expanded_location at = shown_place(place), end = shown_place(last);
  if (lines_of_file* const lines = file_of(at))
    lines->insert("array\t" + place_text(at) + "\t" + name + "\t" + number(std::max(at.line, end.line)));
}

void note_text::add_barrier(location_t place) {
  const expanded_location at = shown_place(place);
  if (lines_of_file* const lines = file_of(at)) lines->insert("barrier\t" + place_text(at));
}

void note_text::add_block_style(location_t first, location_t last) {
  const expanded_location from = shown_place(first), to = shown_place(last);
  if (lines_of_file* const lines = file_of(from)) lines->insert("blocks\t" + number(from.line) + ":" + number(to.line));
}

void note_text::add_casts(location_t first, location_t last) {
  const expanded_location from = shown_place(first), to = shown_place(last);
  if (lines_of_file* const lines = file_of(from)) lines->insert("casts\t" + number(from.line) + ":" + number(to.line));
}

void note_text::write() const {
  if (flag_syntax_only || pch_file || !asm_out_file) return;
  std::map<std::string, lines_of_file> all = lines_;
  for (const auto& [place, line] : accesses_)
    if (!line.empty()) all[std::get<0>(place)].insert(line);
  // An ELF note: the lengths of name and text, the note's type, the name and the text. Each source file gets an entry
  // even if nothing was found in it, so that a program shows that it was examined.
  std::vector<std::string> lines = {"source_notes\t1"};
  for (const auto& [file, of_file] : all) {
    lines.push_back("file\t" + file);
    lines.insert(lines.end(), of_file.begin(), of_file.end());
  }
  fputs(
      "\t.pushsection .note.gridstride,\"a\",@note\n\t.balign 4\n\t.long 11, 9f - 8f, 1\n\t.asciz \"gridstride\"\n"
      "\t.balign 4\n8:\n",
      asm_out_file);
  for (const std::string& line : lines) fprintf(asm_out_file, "\t.ascii \"%s\\012\"\n", quoted(line).c_str());
  fputs("9:\n\t.balign 4\n\t.popsection\n", asm_out_file);
}

}  // namespace source_notes
