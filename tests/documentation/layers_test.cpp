// Includes go one way: up the runtime's layers, in the order of the table in runtime/README.md; from exercises and
// assessments to workshop and workbook, and from these two, which know nothing of each other, to the runtime, from the
// workshop also to the dialect's rewriter; and in no circle of folders, anywhere.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct include {
  fs::path file, included;  // from the repository's root on
};
std::ostream& operator<<(std::ostream& out, const include& i) {
  return out << i.file.string() << " includes " << i.included.string();
}

// Those of one file: lines `#include "FOLDER/FILE"`, whatever the condition.
void find_includes(const fs::path& root, const fs::path& file, std::vector<include>& includes) {
  const std::string beginning = "#include \"";
  std::ifstream text(root / file);
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with(beginning)) continue;
    const fs::path included = line.substr(beginning.size(), line.find('"', beginning.size()) - beginning.size());
    if (included.has_parent_path()) includes.push_back({file, included});
  }
}

std::vector<include> includes_in(const fs::path& root) {
  std::vector<include> includes;
  const std::set<std::string> kinds{".h", ".cpp", ".cu", ".cuh"};
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename();
    if (it->is_directory() && (name == "build" || name == "my" || name.starts_with('.')))
      it.disable_recursion_pending();
    else if (kinds.contains(it->path().extension()))
      find_includes(root, fs::relative(it->path(), root), includes);
  }
  return includes;
}

const std::vector<include>& all_includes() {
  static const std::vector<include> every_include = includes_in(GRIDSTRIDE_ROOT);
  return every_include;
}

// The first `depth` folders that a file lies in.
fs::path room_of(const fs::path& file, std::size_t depth) {
  fs::path room;
  for (const fs::path& folder : file.parent_path()) {
    if (depth == 0) break;
    room /= folder;
    --depth;
  }
  return room;
}

// --- layers ----------------------------------------------------------------------------------------------------------

// The folders in the first column of the table below the heading: `core/`, `observe/`, ...
std::vector<std::string> layers(const std::string& page) {
  std::ifstream text(page);
  std::vector<std::string> names;
  bool in_table = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) in_table = line == "## Where things are";
    if (in_table && line.starts_with("| `")) names.push_back(line.substr(3, line.find("/`") - 3));
  }
  return names;
}

// Those that lead from a layer to one above it, or to none.
std::vector<include> upward(const std::vector<include>& includes, const std::vector<std::string>& order) {
  const auto height = [&](const fs::path& file) {
    const std::string layer = std::next(file.begin())->string();
    return std::ranges::find(order, layer) - order.begin();  // what lies beside the folders stands above them all
  };
  std::vector<include> upward_includes;
  for (const include& i : includes)
    if (*i.file.begin() == "runtime" && *i.included.begin() == "runtime" && height(i.included) > height(i.file))
      upward_includes.push_back(i);
  return upward_includes;
}

TEST(layers, are_all_in_the_table) {
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(fs::path(GRIDSTRIDE_ROOT) / "runtime"))
    if (entry.is_directory()) folders.insert(entry.path().filename());
  const std::vector<std::string> order = layers(GRIDSTRIDE_ROOT "/runtime/README.md");
  EXPECT_EQ(std::set<std::string>(order.begin(), order.end()), folders);
  EXPECT_EQ(order.size(), folders.size());
}

TEST(layers, include_only_what_lies_below) {
  const std::vector<include> upward_includes = upward(all_includes(), layers(GRIDSTRIDE_ROOT "/runtime/README.md"));
  for (const include& i : upward_includes)
    ADD_FAILURE() << i << ", which lies above it (runtime/README.md, \"Where things are\")";
  EXPECT_GT(all_includes().size(), 1000u);
}

TEST(layers, an_include_upwards_is_found) {
  const std::vector<include> includes{
      {"runtime/core/a.h", "runtime/array/b.h"},  {"runtime/array/b.h", "runtime/core/c.h"},
      {"runtime/array/b.h", "runtime/array/d.h"}, {"runtime/array/b.h", "runtime/gs.h"},
      {"runtime/gs.h", "runtime/array/b.h"},      {"lessons/x.cpp", "runtime/array/b.h"}};
  const std::vector<include> upward_includes = upward(includes, {"core", "array"});
  ASSERT_EQ(upward_includes.size(), 2u);
  EXPECT_EQ(upward_includes[0].included, "runtime/array/b.h");
  EXPECT_EQ(upward_includes[1].included, "runtime/gs.h");
}

// --- parts -----------------------------------------------------------------------------------------------------------

// The project's own folders that a folder may include. Those that aren't named here may include any.
const std::map<fs::path, std::set<fs::path>> parts = {
    {"runtime", {"runtime"}},
    {"workbook", {"workbook", "runtime"}},
    {"workshop", {"workshop", "dialect", "runtime"}},  // the rewriter of CUDA sources
    {"dialect", {"dialect", "runtime"}},
    {"exercises", {"exercises", "workshop", "workbook", "runtime"}},
    {"assessments", {"assessments", "workshop", "workbook", "runtime"}},
    {"courses", {"courses", "assessments", "exercises", "workshop", "workbook", "runtime"}},
    {"programs", {"programs", "exercises", "dialect", "workshop", "workbook", "runtime"}},
    {"python", {"python", "exercises", "workshop", "workbook", "runtime"}},
};

std::vector<include> strays(const std::vector<include>& includes) {
  std::vector<include> includes_between;
  for (const include& i : includes) {
    const fs::path from = *i.file.begin(), to = *i.included.begin();
    const auto allowed = parts.find(from);
    if (allowed == parts.end() || allowed->second.contains(to)) continue;
    if (fs::is_directory(fs::path(GRIDSTRIDE_ROOT) / to)) includes_between.push_back(i);  // else it is a library's
  }
  return includes_between;
}

TEST(parts, include_only_those_they_are_built_upon) {
  for (const include& i : strays(all_includes())) ADD_FAILURE() << i;
  for (const auto& [folder, _] : parts)
    EXPECT_TRUE(std::ranges::any_of(all_includes(), [&](const include& i) { return *i.file.begin() == folder; }))
        << folder << " has no files";
}

TEST(parts, an_include_beside_is_found) {
  const std::vector<include> includes_between = strays({{"workshop/a.h", "workbook/b.h"},
                                                        {"workshop/a.h", "runtime/core/b.h"},
                                                        {"workshop/a.h", "nlohmann/json.hpp"},
                                                        {"runtime/core/a.h", "exercises/b.h"},
                                                        {"viewer/a.h", "assessments/b.h"},
                                                        {"exercises/a.h", "workshop/b.h"}});
  ASSERT_EQ(includes_between.size(), 2u);
  EXPECT_EQ(includes_between[0].included, "workbook/b.h");
  EXPECT_EQ(includes_between[1].included, "exercises/b.h");
}

// --- circles ---------------------------------------------------------------------------------------------------------

using graph = std::map<fs::path, std::map<fs::path, include>>;  // an include for each pair of rooms

graph rooms(const std::vector<include>& includes, std::size_t depth) {
  graph rooms_below;
  for (const include& i : includes) {
    const fs::path from = room_of(i.file, depth), to = room_of(i.included, depth);
    if (from != to) rooms_below[from].emplace(to, i);
  }
  return rooms_below;
}

// A way from `at` back to `start`: its includes, last one first. Empty if there is none.
std::vector<include> way_back(const graph& arrows, const fs::path& start, const fs::path& at,
                              std::set<fs::path>& visited) {
  const auto neighbours = arrows.find(at);
  if (neighbours == arrows.end()) return {};
  for (const auto& [next, by] : neighbours->second) {
    if (next == start) return {by};
    if (!visited.insert(next).second) continue;
    if (std::vector<include> path = way_back(arrows, start, next, visited); !path.empty()) {
      path.push_back(by);
      return path;
    }
  }
  return {};
}

// For each room that is in a circle, one of them as text.
std::vector<std::string> circles(const std::vector<include>& includes, std::size_t depth) {
  const graph arrows = rooms(includes, depth);
  std::vector<std::string> circles;
  for (const auto& [room, _] : arrows) {
    std::set<fs::path> visited;
    const std::vector<include> circle = way_back(arrows, room, room, visited);
    if (circle.empty()) continue;
    std::ostringstream text;
    text << room.string() << " is in a circle:";
    std::for_each(circle.rbegin(), circle.rend(), [&](const include& i) { text << "\n  " << i; });
    circles.push_back(text.str());
  }
  return circles;
}

TEST(folders, include_each_other_in_no_circle) {
  for (std::size_t depth = 1; depth <= 4; ++depth)
    for (const std::string& circle : circles(all_includes(), depth)) ADD_FAILURE() << circle;
}

TEST(folders, a_circle_is_found) {
  const std::vector<include> includes{
      {"a/x/one.h", "a/y/two.h"}, {"a/y/two.h", "b/three.h"}, {"b/three.h", "a/x/four.h"}, {"c/five.h", "a/x/one.h"}};
  EXPECT_EQ(circles(includes, 1).size(), 2u);
  ASSERT_EQ(circles(includes, 2).size(), 3u);
  EXPECT_EQ(circles(includes, 2)[0],
            "a/x is in a circle:\n  a/x/one.h includes a/y/two.h\n  a/y/two.h includes b/three.h\n"
            "  b/three.h includes a/x/four.h");
  EXPECT_TRUE(circles({{"a/x/one.h", "a/y/two.h"}, {"b/three.h", "a/x/four.h"}}, 2).empty());
  EXPECT_TRUE(circles({{"a/x/p/one.h", "a/y/two.h"}, {"a/x/three.h", "a/x/p/four.h"}}, 1).empty());
}

}  // namespace
