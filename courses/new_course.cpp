#include "courses/new_course.h"

#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/catalogue.h"
#include "workshop/file_text.h"

namespace courses {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view name_mark = "@NAME@";

std::string with_name(std::string text, const std::string& name) {
  for (std::size_t place; (place = text.find(name_mark)) != text.npos;) text.replace(place, name_mark.size(), name);
  return text;
}

}  // namespace

void write_new_course(const fs::path& folder) {
  const std::string asked = "course new " + gs::printable(folder.string());
  std::error_code problem;
  const fs::path whole = fs::weakly_canonical(fs::absolute(folder), problem);
  const std::string name = whole.filename().string();
  const auto is_plain = [](unsigned char c) { return c >= ' ' && c != '"' && c != '\\' && c != '@' && c != 0x7f; };
  if (name.empty() || !std::ranges::all_of(name, is_plain))
    throw gs::error(asked, "the folder's name can't be a course's", "take letters and digits, as in ~/waves");
  if (fs::exists(whole, problem) && !fs::is_directory(whole, problem))
    throw gs::error(asked, "there is a file of that name", "choose another folder");
  if (fs::is_directory(whole, problem) && !fs::is_empty(whole, problem))
    throw gs::error(asked, "the folder is there, and isn't empty", "choose another one, or empty it");
  const fs::path from = workbook::checkout_root() / "courses/template";
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = workshop::read_text(entry.path(), asked);
    workshop::write_text(whole / fs::relative(entry.path(), from), with_name(text, name), asked);
  }
}

}  // namespace courses
