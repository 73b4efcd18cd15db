#include "programs/program_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/runtime/refused.h"
#include "tests/temporary_folder.h"

namespace program_files_test {

namespace fs = std::filesystem;
using programs::find_program_files;
using words = std::vector<std::string>;

struct program_files : testing::Test {
  std::string file(const std::string& name) const {
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "int main() {}\n";
    return path.string();
  }
  bool refuses(const words& arguments, std::initializer_list<std::string> parts) const {
    return runtime_test::refused([&] { find_program_files("run", arguments); }, parts);
  }
  const gridstride_test::temporary_folder folder;
};

TEST_F(program_files, are_the_sources_and_then_the_arguments) {
  const std::string a = file("a b.cpp"), b = file("b.cc");
  const auto files = find_program_files("run", {a, b, "12", "c.cpp"});
  EXPECT_EQ(files.name, "a b");
  EXPECT_EQ(files.shown, a);
  EXPECT_EQ(files.sources, (std::vector<fs::path>{a, b}));
  EXPECT_EQ(files.arguments, (words{"12", "c.cpp"}));
}

TEST_F(program_files, follow_what_a_compiler_is_told) {
  const std::string a = file("a.cu"), c = file("c.c"), headers = (folder / "headers").string();
  fs::create_directory(headers);
  const auto files = find_program_files("run", {"-I", headers, "-DSIZE=3", "-D", "FAST", "-I" + headers, a, c, "-D"});
  EXPECT_EQ(files.sources, (std::vector<fs::path>{a, c}));
  EXPECT_EQ(files.include_folders, (std::vector<fs::path>{headers, headers}));
  EXPECT_EQ(files.definitions, (words{"SIZE=3", "FAST"}));
  EXPECT_EQ(files.arguments, words{"-D"});
  EXPECT_TRUE(refuses({"-I"}, {"run -I: nothing follows it; write -I FOLDER"}));
  EXPECT_TRUE(refuses({"-D"}, {"run -D: nothing follows it; write -D NAME or -D NAME=VALUE"}));
  EXPECT_TRUE(refuses({"-D", "3=4", a}, {"run -D 3=4: that is no name of a macro; write -D NAME or -D NAME=VALUE"}));
  EXPECT_TRUE(refuses({"-I", headers + "/none", a}, {"there is no such folder; name the folder of the headers"}));
}

TEST_F(program_files, end_at_two_dashes) {
  const std::string a = file("a.cpp"), b = file("b.cpp");
  const auto files = find_program_files("run", {a, "--", b});
  EXPECT_EQ(files.sources.size(), 1u);
  EXPECT_EQ(files.arguments, words{b});
}

TEST_F(program_files, of_a_folder_are_its_sources_in_order) {
  const std::string b = file("wave/b.cpp"), a = file("wave/a.cxx");
  file("wave/notes.txt"), file("wave/deeper/c.cpp");
  for (const std::string& name : {(folder / "wave").string(), (folder / "wave").string() + "/"}) {
    const auto files = find_program_files("run", {name, "x"});
    EXPECT_EQ(files.name, "wave");
    EXPECT_EQ(files.sources, (std::vector<fs::path>{a, b}));
    EXPECT_EQ(files.arguments, words{"x"});
  }
}

TEST_F(program_files, are_refused_where_they_are_none) {
  const std::string a = file("a.cpp"), text = file("notes.txt"), absent = (folder / "absent.cpp").string();
  fs::create_directory(folder / "empty");
  fs::create_directory(folder / "odd.cpp");
  EXPECT_TRUE(refuses({}, {"run: no file is named; name one: ./gridstride run my/wave.cpp"}));
  EXPECT_TRUE(refuses({absent}, {"there is no such file; ./gridstride new ", "absent.cpp begins one"}));
  EXPECT_TRUE(refuses({(folder / "absent").string()}, {"there is no such file; name a file that ends in .cpp"}));
  EXPECT_TRUE(refuses({text}, {"its name isn't that of a C++ source; call it .cpp if it is one"}));
  EXPECT_TRUE(refuses({a, absent}, {"there is no such file"}));
  EXPECT_TRUE(refuses({(folder / "empty").string()}, {"the folder ", "has no C++ source"}));
  EXPECT_TRUE(refuses({a, (folder / "odd.cpp").string()}, {"it is a folder among files; name the folder alone"}));
  fs::create_symlink("loop.cpp", folder / "loop.cpp");
  const std::string loop = (folder / "loop.cpp").string();
  EXPECT_TRUE(
      refuses({loop}, {"it can't be reached: Too many levels of symbolic links; name a file that can be read"}));
  EXPECT_TRUE(refuses({a, loop}, {"it can't be reached: Too many levels of symbolic links"}));
}

}  // namespace program_files_test
