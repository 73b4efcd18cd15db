// Whose fault it is that a compiler failed.

#include "workshop/machine_lack.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "runtime/core/error.h"
#include "tests/runtime/refused.h"
#include "workshop/machine.h"

namespace machine_lack_test {

using runtime_test::refused;
using workshop::machine_lack;

const std::string no_process =
    "c++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily unavailable\ncompilation terminated.\n";
const std::string no_space = "{standard input}: Fatal error: .submission.o: No space left on device\n";
const std::string no_memory = "cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes\n";

machine_lack lack_with(std::uint64_t file_bytes = 0, std::uint64_t memory_bytes = 0) {
  return {
      "compile layer.cpp",
      {.folder = std::filesystem::temp_directory_path() / ".", .file_bytes = file_bytes, .memory_bytes = memory_bytes}};
}
workshop::program_result fine() { return {}; }
auto failing(const std::string& text) {
  return [text] { return workshop::program_result{.status = 1, .timed_out = false, .output = text}; };
}

TEST(machine_lack, is_looked_for_where_no_line_of_the_source_is_wrong) {
  EXPECT_FALSE(machine_lack::is_possible("a.cpp:3:1: error: expected ';'", true));
  EXPECT_FALSE(machine_lack::is_possible("a.cpp:(.text+0x5): undefined reference to `helper(int)'", false));
  EXPECT_FALSE(machine_lack::is_possible("mold: error: undefined symbol: helper(int)", false));
  EXPECT_FALSE(machine_lack::is_possible("mold: error: duplicate symbol: a.o: b.o: main", false));
  EXPECT_TRUE(machine_lack::is_possible("bwrap: Can't make a sandbox", false));
  for (const std::string& text : {no_process, no_space, no_memory}) {
    EXPECT_TRUE(machine_lack::is_possible(text, false));
    EXPECT_TRUE(machine_lack::is_possible(text, true)) << "a compiler names a line as well";
  }
}

TEST(machine_lack, is_proved_by_an_empty_source_and_not_by_words) {
  for (const std::string& text : {no_process, no_space, no_memory, std::string("bwrap: nobody can be graded")})
    EXPECT_NO_THROW(lack_with().refuse(text, &fine)) << text;
  EXPECT_TRUE(refused<gs::machine_error>(
      [] { lack_with().refuse("what a submission likes", failing(no_process)); },
      {"compile layer.cpp: this machine starts no more processes (c++: fatal error: cannot execute 'cc1plus': vfork: "
       "Resource temporarily unavailable); end other programs, or raise the limit (ulimit -u)"}));
  EXPECT_TRUE(refused<gs::machine_error>([] { lack_with().refuse("", failing(no_space)); },
                                         {"compile layer.cpp: this machine has no space left in ", "set TMPDIR to"}));
  EXPECT_TRUE(refused<gs::machine_error>([] { lack_with().refuse("", failing(no_memory)); },
                                         {"compile layer.cpp: this machine has no memory for the compiler (cc1plus"}));
  EXPECT_TRUE(refused<gs::machine_error>([] { lack_with().refuse("", failing("bwrap: \x1b[2J")); },
                                         {"compile layer.cpp: on this machine, an empty file doesn't compile either "
                                          "(bwrap: ?[2J); choose another level"}));
  const auto slow = [] { return workshop::program_result{.status = 137, .timed_out = true, .output = ""}; };
  EXPECT_TRUE(refused<gs::machine_error>([&] { lack_with().refuse("", slow); },
                                         {"this machine can't compile an empty file in time; end other programs"}));
}

TEST(machine_lack, is_measured_by_what_a_compiler_may_use) {
  constexpr std::uint64_t more_than_any = std::uint64_t{1} << 60;
  EXPECT_TRUE(refused<gs::machine_error>([] { lack_with(more_than_any, 0).refuse(no_space, &fine); },
                                         {" of space left in ", ", and the compiler may need 1.15 EB"}));
  EXPECT_TRUE(refused<gs::machine_error>([] { lack_with(0, more_than_any).refuse(no_memory, &fine); },
                                         {" of memory for the compiler, which may need 1.15 EB; close other"}));
  EXPECT_NO_THROW(lack_with(more_than_any, more_than_any).refuse(no_process, &fine)) << "that is about neither";
}

TEST(machine_lack, may_pass) {
  EXPECT_TRUE(machine_lack::may_have_passed(no_process));
  EXPECT_TRUE(machine_lack::may_have_passed(no_space));
  EXPECT_FALSE(machine_lack::may_have_passed(no_memory)) << "what takes all memory takes it again";
}

TEST(lack_of_machine, is_what_has_run_out) {
  const auto lack = [](const std::exception& e) { return workshop::lack_of_machine(e, "grade a"); };
  for (const std::errc code : {std::errc::resource_unavailable_try_again, std::errc::no_space_on_device,
                               std::errc::not_enough_memory, std::errc::too_many_files_open})
    EXPECT_TRUE(lack(std::system_error(std::make_error_code(code))));
  EXPECT_STREQ(lack(std::bad_alloc())->what(), "grade a: this machine ran out of memory; close other programs");
  EXPECT_STREQ(lack(gs::machine_error("a", "b", "c"))->what(), "a: b; c");
  EXPECT_FALSE(lack(gs::error("a", "b", "c")));
  EXPECT_FALSE(lack(std::system_error(std::make_error_code(std::errc::permission_denied))));
  EXPECT_FALSE(lack(std::runtime_error("no idea")));
}

}  // namespace machine_lack_test
