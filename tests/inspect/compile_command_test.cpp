// Reading compile_commands.json, and what becomes of its commands.

#include "runtime/inspect/compile_command.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/core/error.h"

namespace {

namespace fs = std::filesystem;
using gs::inspecting::split_command;
using words = std::vector<std::string>;

class compile_command : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "a.cpp") << "int a;\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string entry(const std::string& command, const std::string& file = "a.cpp") const {
    return R"({"directory": ")" + folder_.string() + R"(", "file": ")" + file + R"(", "command": ")" + command +
           R"("})";
  }
  words arguments() const { return gs::inspecting::inspection_command(folder_, folder_ / "a.cpp").arguments; }
  static bool holds(const words& command, const std::string& word) {
    return std::find(command.begin(), command.end(), word) != command.end();
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("compile_command_" + std::to_string(getpid()));
};

}  // namespace

TEST(split_command, follows_the_shell) {
  EXPECT_EQ(split_command("g++ -c  a.cpp\t-o a.o "), (words{"g++", "-c", "a.cpp", "-o", "a.o"}));
  EXPECT_EQ(split_command(R"(g++ -DX=\"a\ b\" '-DY="c d"' "-DZ=\"e\\f\g")"),
            (words{"g++", "-DX=\"a b\"", "-DY=\"c d\"", "-DZ=\"e\\f\\g"}));
  EXPECT_EQ(split_command("a '' b"), (words{"a", "", "b"}));
  EXPECT_EQ(split_command("  "), words{});
}

TEST_F(compile_command, keeps_what_decides_types_and_drops_the_rest) {
  write("compile_commands.json",
        "[" +
            entry("/usr/bin/c++ -DX=1 -I/some/where -isystem /else -O3 -g1 -std=c++20 -march=native -Wall -Werror "
                  "-fsanitize=address,undefined -fno-sanitize-recover=undefined -flto -fPIC -MD -MT a.o -MF a.o.d "
                  "-o a.o -c a.cpp") +
            "]");
  const words command = arguments();
  EXPECT_EQ(command[0], "/usr/bin/c++");
  EXPECT_EQ(command.back(), fs::canonical(folder_ / "a.cpp").string());
  for (const char* option :
       {"-DX=1", "-I/some/where", "-isystem", "/else", "-std=c++20", "-march=native", "-fPIC", "-O0"})
    EXPECT_TRUE(holds(command, option)) << option;
  for (const char* dropped : {"-O3", "-g1", "-Wall", "-Werror", "-fsanitize=address,undefined", "-flto", "-MD", "a.o",
                              "a.o.d", "a.cpp", "-c", "-fno-sanitize-recover=undefined"})
    EXPECT_FALSE(holds(command, dropped)) << dropped;
}

TEST_F(compile_command, turns_nvcc_into_the_host_compiler) {
  write("includes.rsp", "-I/from/file -isystem /from/file/too\n");
  write("compile_commands.json",
        "[" +
            entry("/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DGRIDSTRIDE_CUDA=1 -DX=2 --options-file "
                  "includes.rsp -O3 -std=c++20 --generate-code=arch=compute_80,code=[sm_80] --expt-relaxed-constexpr "
                  "-Xcompiler=-march=x86-64-v3,-fno-math-errno -Xcompiler=-Wall,-Werror -x cu -c a.cpp -o a.o") +
            "," + entry("/opt/bin/g++-12 -c b.cpp", "b.cpp") + "]");
  const words command = arguments();
  EXPECT_EQ(command[0], "/opt/bin/g++-12");
  for (const char* option :
       {"-DX=2", "-I/from/file", "/from/file/too", "-std=c++20", "-march=x86-64-v3", "-fno-math-errno"})
    EXPECT_TRUE(holds(command, option)) << option;
  for (const std::string& word : command) {
    EXPECT_FALSE(word.starts_with("--generate-code") || word.starts_with("--expt") || word.starts_with("-Xcompiler") ||
                 word.starts_with("-forward") || word == "-DGRIDSTRIDE_CUDA=1" || word == "cu" || word == "-Werror")
        << word;
  }
}

TEST_F(compile_command, asks_gcc_beside_clang) {
  write("compile_commands.json",
        "[" +
            entry("/usr/bin/clang++-19 -DX=3 -O3 -std=c++20 -march=native -fveclib=libmvec -Wno-unknown-attributes "
                  "-fno-relaxed-template-template-args -Xclang -include-pch -Xclang /some/cmake_pch.hxx.pch -mllvm "
                  "-tsan-distinguish-volatile=1 -mllvm=-x=0 "
                  "-o a.o -c a.cpp") +
            "]");
  const words command = arguments();
  EXPECT_EQ(command[0], "g++");
  for (const char* option : {"-DX=3", "-std=c++20", "-march=native"}) EXPECT_TRUE(holds(command, option)) << option;
  for (const char* dropped : {"-Xclang", "-include-pch", "/some/cmake_pch.hxx.pch", "-fveclib=libmvec", "-mllvm",
                              "-fno-relaxed-template-template-args", "-tsan-distinguish-volatile=1", "-mllvm=-x=0",
                              "-Wno-unknown-attributes"})
    EXPECT_FALSE(holds(command, dropped)) << dropped;
}

TEST_F(compile_command, takes_the_running_flavour) {
  write("compile_commands.json",
        "[" + entry("g++ -DONE -c a.cpp") + "," + entry("g++ -DTWO -DGRIDSTRIDE_CHECKED=1 -c a.cpp") + "]");
#if defined(GRIDSTRIDE_CHECKED) && GRIDSTRIDE_CHECKED
  EXPECT_TRUE(holds(arguments(), "-DTWO"));
#else
  EXPECT_TRUE(holds(arguments(), "-DONE"));
#endif
}

TEST_F(compile_command, reads_argument_lists) {
  write("compile_commands.json", R"([{"directory": ")" + folder_.string() +
                                     R"(", "file": "a.cpp", "arguments": ["g++", "-DA=b c", "-c", "a.cpp"]}])");
  EXPECT_TRUE(holds(arguments(), "-DA=b c"));
}

TEST_F(compile_command, refuses_a_broken_database) {
  write("compile_commands.json", "[{");
  EXPECT_THROW(arguments(), gs::machine_error);
  write("compile_commands.json", R"([{"directory": "/"}])");
  EXPECT_THROW(arguments(), gs::machine_error);
}
