#include "workbook/picture/picture_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <set>

#include "runtime/core/error.h"
#include "workbook/picture/picture.h"

namespace workbook {

picture_folder::picture_folder(std::string path) : path_(std::move(path)) {
  const std::string asked = fmt::format("the folder '{}' for plots", path_);
  if (path_.empty()) throw gs::error(asked, "it has no name", "give a folder");
  std::error_code problem;
  if (std::filesystem::is_regular_file(path_, problem)) throw gs::error(asked, "it is a file", "give a folder");
  std::filesystem::create_directories(path_, problem);
  if (problem) throw gs::error(asked, problem.message(), "give a folder that can be made");
  // Permissions alone don't tell (root, read-only file systems): writing does.
  std::string probe = (std::filesystem::path(path_) / ".gridstride-XXXXXX").string();
  const int file = mkstemp(probe.data());
  if (file < 0) throw gs::error(asked, "nothing can be written into it", "give a folder that can be written to");
  close(file);
  unlink(probe.c_str());
}

std::vector<std::string> picture_folder::write(const report& r) const {
  std::vector<std::string> files;
  std::set<std::string> names;
  for (const item& entry : r.items()) {
    const auto* p = std::get_if<plot>(&entry);
    if (p == nullptr) continue;
    const std::string number = r.about.lesson >= 0 ? fmt::format("{:02}_", r.about.lesson) : "";
    const std::string name_base = fmt::format("{}{}-{}", number, r.about.name, slug(title_of(*p)));
    std::string name = name_base;
    for (int k = 2; !names.insert(name).second; ++k) name = fmt::format("{}-{}", name_base, k);
    const std::string path = (std::filesystem::path(path_) / name).string();
    write_svg(*p, path + ".svg");
    write_png(*p, path + ".png");
    files.push_back(path + ".svg");
    files.push_back(path + ".png");
  }
  return files;
}

std::string slug(const std::string& title) {
  std::string out;
  for (const char c : title) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    const bool is_plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (is_plain)
      out += lower;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  constexpr std::size_t longest = 60;
  if (out.size() > longest) out.resize(longest);
  while (out.ends_with('-')) out.pop_back();
  return out.empty() ? "plot" : out;
}

}  // namespace workbook
