// The table of NumPy's names says what the headers declare, and all of it.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> matches_of(const std::string& text, const std::string& pattern) {
  const std::regex name(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) names.insert((*it)[1]);
  return names;
}

std::string headers(const fs::path& folder) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".h") text += text_of(entry.path());
  return text;
}

const fs::path folder = fs::path(NUMPY_FOLDER);

}  // namespace

TEST(names_of_numpy, in_the_table_are_declared) {
  const std::string text = headers(folder.parent_path());
  for (const std::string& name : matches_of(text_of(folder / "README.md"), "gs::(\\w+)")) {
    const auto declared = [&](const std::string& end) { return text.find(" " + name + end) != text.npos; };
    EXPECT_TRUE(declared("(") || declared(" = ") || declared("{};") || declared(" {\n") || declared("{\n")) << name;
  }
}

TEST(names_of_numpy, that_are_declared_stand_on_the_page) {
  const std::set<std::string> names_in_readme = matches_of(text_of(folder / "README.md"), "gs::(\\w+)");
  const std::set<std::string> ufuncs =
      matches_of(headers(folder), "inline constexpr auto (\\w+) = vectorize<scalar_functions::");
  EXPECT_GT(ufuncs.size(), 60u);
  for (const std::string& name : ufuncs) EXPECT_TRUE(names_in_readme.contains(name)) << name;
  for (const std::string& name :
       matches_of(headers(folder), "(?:template <any_device_array A(?:, any_device_array [^>]*)?>\nauto )(\\w+)\\("))
    EXPECT_TRUE(names_in_readme.contains(name) || name == "operator") << name;
}

TEST(names_of_numpy, are_a_hundred_and_each_is_here_or_has_a_reason) {
  const std::string page = text_of(folder / "README.md");
  const std::set<std::string> rows = matches_of(page, "\n\\| `(\\w+)` \\|");
  EXPECT_EQ(rows.size(), 100u);
  for (const std::string& row : rows) {
    const bool is_here = std::regex_search(page, std::regex("\n\\| `" + row + "` \\| [^|]*`(gs::|x\\.)"));
    EXPECT_TRUE(is_here || page.find("| `" + row + "` | no: ") != page.npos) << row;
  }
}
