#include "exercises/check/kept_checks.h"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "runtime/core/error.h"
#include "workbook/exercise/text_lines.h"
#include "workshop/file_text.h"

namespace exercises {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_kept = 8;  // objects of an exercise, of about half a megabyte each
constexpr const char* dependencies_name = ".dependencies";

// What tells one version of a file from another.
std::string version_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) return "none";
  return fmt::format("{} {}", size, fs::last_write_time(file, error).time_since_epoch().count());
}

// The prerequisites of a make rule as g++ writes it: "object: file file \<newline> file", with a backslash before a
// space.
std::vector<fs::path> files_of_rule(const std::string& rule) {
  std::vector<fs::path> files;
  std::string file;
  for (std::size_t k = std::min(rule.size(), rule.find(": ") + 1); k <= rule.size(); ++k) {
    const char c = k < rule.size() ? rule[k] : ' ';
    const char next = k + 1 < rule.size() ? rule[k + 1] : ' ';
    if (c == '\\' && next != '\n') {
      file += next;
      ++k;
    } else if (c == '$' && next == '$') {
      file += '$';
      ++k;
    } else if (c != ' ' && c != '\n' && c != '\\') {
      file += c;
    } else if (!file.empty()) {
      files.emplace_back(std::exchange(file, {}));
    }
  }
  return files;
}

void remove_oldest(const fs::path& folder, const std::string& prefix) {
  std::vector<std::pair<fs::file_time_type, fs::path>> objects;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".o" && entry->path().filename().string().starts_with(prefix))
      objects.emplace_back(fs::last_write_time(entry->path(), error), entry->path());
  std::ranges::sort(objects);
  for (std::size_t k = 0; k + most_kept < objects.size(); ++k) {
    fs::remove(objects[k].second, error);
    fs::remove(objects[k].second.replace_extension(".of"), error);
  }
}

}  // namespace

bool can_be_compiled_apart(const std::string& checks) {
  bool included = false;
  for (const std::string_view line : workbook::lines_of(checks)) {
    if (line == "#include GRIDSTRIDE_EXERCISE") {
      if (included) return false;
      included = true;
    } else if (line.find("GRIDSTRIDE_EXERCISE") != line.npos) {
      return false;
    } else if (!included && !line.empty() && !line.starts_with("//") && !line.starts_with("#include ")) {
      return false;
    }
  }
  return included;
}

kept_checks::kept_checks(workshop::compile_request request, fs::path folder, std::string name)
    : request_(std::move(request)),
      folder_(std::move(folder)),
      identity_(identity()),
      name_(fmt::format("{}-{:016x}", name, std::hash<std::string>{}(identity_))),
      given_up_(eventfd(0, EFD_CLOEXEC)) {
  if (!given_up_.open())
    throw gs::machine_error("compile checks", std::system_category().message(errno), "end other programs");
  object_ = kept();
  if (object_) return;
  request_.flags.insert(request_.flags.end(), {"-MD", "-MF", dependencies_name});
  request_.interrupt = {.descriptor = given_up_.number(), .happened = [] { return true; }};
  compiling_ = std::jthread([this] { object_ = compiled(); });
}

kept_checks::~kept_checks() {
  const std::uint64_t signal = 1;
  [[maybe_unused]] const ssize_t bytes_written = write(given_up_.number(), &signal, sizeof signal);
}

std::optional<checks_object> kept_checks::take() {
  if (compiling_.joinable()) compiling_.join();
  return object_;
}

void kept_checks::forget() const {
  std::error_code error;
  fs::remove(folder_ / (name_ + ".of"), error);
}

// Everything that the object depends on, except headers.
std::string kept_checks::identity() const {
  const workshop::compilation_parts& parts = request_.parts;
  std::string text = fmt::format("{} {}\n", parts.compiler, version_of(parts.compiler));
  for (const auto* flags : {&parts.flags, &request_.flags})
    for (const std::string& flag : *flags) text += flag + "\n";
  for (const fs::path& header : parts.headers)
    text += fmt::format("{} {}\n", header.string(), version_of(header.string() + ".gch"));
  text += fmt::format("{}\n{}\n{}\n", request_.includer->file.string(), request_.shown_folder.string(),
                      request_.sources.front().path.filename().string());
  return text + request_.sources.front().text + "\n--\n";
}

std::optional<checks_object> kept_checks::kept() const try {
  const fs::path object = folder_ / (name_ + ".o"), of = folder_ / (name_ + ".of");
  std::error_code error;
  if (!fs::exists(object, error) || !fs::exists(of, error)) return std::nullopt;
  const std::string text = workshop::read_text(of, "reading kept checks");
  if (!text.starts_with(identity_)) return std::nullopt;
  const std::string versions = text.substr(identity_.size());
  for (const std::string_view line : workbook::lines_of(versions)) {
    const std::size_t tab = line.find('\t');
    if (tab == line.npos || version_of(line.substr(tab + 1)) != line.substr(0, tab)) return std::nullopt;
  }
  fs::last_write_time(object, fs::file_time_type::clock::now(), error);
  return checks_object{object};
} catch (const gs::error&) {
  return std::nullopt;
}

// Errors aren't reported here: the checks are then compiled with the whole file, which reports them.
std::optional<checks_object> kept_checks::compiled() noexcept try {
  const fs::file_time_type began = fs::file_time_type::clock::now();
  workshop::compilation steps(request_);
  if (steps.compile()) return std::nullopt;
  const fs::path object_file = steps.folder() / steps.objects().front();
  checks_object object{object_file, steps.result().folder};
  keep(object_file, steps.folder() / dependencies_name, began);
  return object;
} catch (const std::exception&) {
  return std::nullopt;
}

void kept_checks::keep(const fs::path& object, const fs::path& dependencies, fs::file_time_type began) const try {
  std::string text = identity_;
  std::error_code error;
  for (const fs::path& file : files_of_rule(workshop::read_text(dependencies, "reading what checks include"))) {
    if (file.parent_path() == object.parent_path()) continue;  // the declarations
    if (fs::last_write_time(file, error) >= began) return;     // the compiler may have read the old text
    text += fmt::format("{}\t{}\n", version_of(file), file.string());
  }
  fs::create_directories(folder_);
  const fs::path half = folder_ / fmt::format("{}.{}", name_, getpid());
  fs::copy_file(object, half, fs::copy_options::overwrite_existing);
  fs::permissions(half, fs::perms(0644));
  fs::rename(half, folder_ / (name_ + ".o"));
  workshop::write_text(folder_ / (name_ + ".of"), text, "keeping checks");
  remove_oldest(folder_, name_.substr(0, name_.rfind('-') + 1));
} catch (const std::exception&) {  // they are compiled again next time
  std::error_code error;
  fs::remove(folder_ / fmt::format("{}.{}", name_, getpid()), error);
}

}  // namespace exercises
