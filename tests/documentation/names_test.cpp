// Namespace gs holds what a user may name: each name that the compiler finds in it stands in the runtime's page, and
// each gs::name of the runtime's pages is found there.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

using places = std::map<std::string, std::string>;  // of names: "runtime/math/sum.h:55"

// What the compiler says is in namespace gs: the namespaces are "instruments::", ...
places names_found(std::istream& lines) {
  places found_names;
  const std::string root = std::string(GRIDSTRIDE_ROOT) + "/";
  for (std::string name, place; lines >> name >> place;)
    found_names[name] = place.starts_with(root) ? place.substr(root.size()) : place;
  return found_names;
}

// The words of the table "The names of gs", each with its line.
places names_listed(const std::string& page, std::istream& text) {
  places listed;
  bool in_table = false;
  std::size_t number = 1;
  const std::regex word("`([a-z_0-9]+)`");
  for (std::string line; std::getline(text, line); ++number) {
    if (line.starts_with("## ")) in_table = line == "## The names of `gs`";
    if (!in_table || !line.starts_with("| ")) continue;
    for (std::sregex_iterator it(line.begin(), line.end(), word), end; it != end; ++it)
      listed[(*it)[1]] = page + ":" + std::to_string(number);
  }
  return listed;
}

// Each gs::word, and each gs::word::, with its first line.
places names_mentioned(const std::string& page, std::istream& text) {
  places mentioned;
  std::size_t number = 1;
  const std::regex word(R"(\bgs::([A-Za-z_0-9]+(::)?))");
  for (std::string line; std::getline(text, line); ++number)
    for (std::sregex_iterator it(line.begin(), line.end(), word), end; it != end; ++it)
      mentioned.emplace((*it)[1], page + ":" + std::to_string(number));
  return mentioned;
}

// A sentence for each name that is only on one side.
std::vector<std::string> differences(const places& found_names, const places& listed, const places& mentioned_for_numpy,
                                     const places& mentioned) {
  std::vector<std::string> sentences;
  for (const auto& [name, place] : found_names)
    if (!name.ends_with("::") && !listed.contains(name) &&
        !(place.starts_with("runtime/numpy/") && mentioned_for_numpy.contains(name)))
      sentences.push_back(place + ": gs::" + name +
                          " is in no row of \"The names of gs\" in runtime/README.md (nor, of NumPy's names, in "
                          "runtime/numpy/README.md): list it if users may say it, else move it to gs::detail");
  for (const places& page : {listed, mentioned})
    for (const auto& [name, place] : page)
      if (!found_names.contains(name) && !found_names.contains(name + "::") &&
          !found_names.contains(name.substr(0, name.find(':'))))
        sentences.push_back(place + ": there is no gs::" + name + " in the headers of names/public_headers.cpp");
  return sentences;
}

[[maybe_unused]] std::vector<fs::path> pages_of_runtime() {
  std::vector<fs::path> pages;
  const fs::path root = GRIDSTRIDE_ROOT;
  for (const auto& entry : fs::recursive_directory_iterator(root / "runtime"))
    if (entry.path().extension() == ".md") pages.push_back(fs::relative(entry.path(), root));
  return pages;
}

TEST(names, gs_has_those_of_the_pages) {
#ifndef LIST_NAMES
  GTEST_SKIP() << "the compiler isn't asked: there is no g++ 12 to 15 with its headers for plugins, or it sanitizes";
#else
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(LIST_NAMES, "r"), pclose);
  std::stringstream lines;
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe.get()))
    lines.write(part.data(), static_cast<std::streamsize>(n));
  const places found_names = names_found(lines);
  ASSERT_TRUE(found_names.contains("device_array") && found_names.contains("detail::")) << LIST_NAMES << "\n"
                                                                                        << lines.str();

  places listed, numpys, mentioned;
  for (const fs::path& page : pages_of_runtime()) {
    std::ifstream text(GRIDSTRIDE_ROOT / page);
    const places mentioned_here = names_mentioned(page.string(), text);
    if (page == "runtime/numpy/README.md") numpys = mentioned_here;
    mentioned.insert(mentioned_here.begin(), mentioned_here.end());
    text.clear(), text.seekg(0);
    listed.merge(names_listed(page.string(), text));
  }
  EXPECT_GT(listed.size(), 100u);
  for (const std::string& sentence : differences(found_names, listed, numpys, mentioned)) ADD_FAILURE() << sentence;
#endif
}

TEST(names, each_difference_is_said) {
  std::stringstream lines(
      "sum runtime/math/sum.h:55\nadd runtime/numpy/arithmetic.h:7\npack runtime/array/pack.h:9\n"
      "add_to runtime/numpy/arithmetic.h:9\ninstruments:: runtime/observe/observe.h:30\n");
  std::stringstream page(
      "## Words\n| a | `gs::sum`, gs::instruments::monitor, `gs::somme(x)` |\n"
      "## The names of `gs`\n| arrays | `sum` and `summe` |\n\n`pack` is no row\n");
  std::stringstream numpy("| `add` | `gs::add` |\n");
  const places mentioned = names_mentioned("page", page);
  page.clear(), page.seekg(0);
  const std::vector<std::string> expected =
      differences(names_found(lines), names_listed("page", page), names_mentioned("numpy", numpy), mentioned);
  ASSERT_EQ(expected.size(), 4u);
  EXPECT_TRUE(expected[0].starts_with("runtime/numpy/arithmetic.h:9: gs::add_to is in no row")) << expected[0];
  EXPECT_TRUE(expected[1].starts_with("runtime/array/pack.h:9: gs::pack is in no row")) << expected[1];
  EXPECT_TRUE(expected[2].starts_with("page:4: there is no gs::summe ")) << expected[2];
  EXPECT_TRUE(expected[3].starts_with("page:2: there is no gs::somme ")) << expected[3];
}

}  // namespace
