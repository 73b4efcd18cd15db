// A lesson that crashes still shows its results so far, says where and how, and ends with one of the four statuses.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/temporary_folder.h"

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer says more, and ends the program

namespace {

using nlohmann::json;

struct way_to_crash {
  const char *crash, *signal, *line;  ///< text in the line that crashed
};

// The number of the line of the lesson that ends so.
std::string line_with(const std::string& text) {
  std::ifstream source(CRASHING_LESSON_SOURCE);
  std::string line;
  for (int number = 1; std::getline(source, line); ++number)
    if (line.ends_with(text)) return std::to_string(number);
  ADD_FAILURE() << "no line of the lesson has: " << text;
  return "";
}

class crash_test : public testing::TestWithParam<way_to_crash> {
 protected:
  struct outcome {
    int status = -1;
    std::string out, err;
  };
  outcome crash(const std::string& options) const {
    const std::string command = "'" CRASHING_LESSON "' --how " + std::string(GetParam().crash) + " " + options + " >'" +
                                (folder_.path() / "out").string() + "' 2>'" + (folder_.path() / "err").string() + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of("out"), text_of("err")};
  }

 private:
  std::string text_of(const char* file) const {
    std::ifstream in(folder_.path() / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  const gridstride_test::temporary_folder folder_;
};

TEST_P(crash_test, shows_what_was_found_and_says_where_and_how) {
  const outcome o = crash("");
  EXPECT_EQ(o.status, 1) << o.err;
  EXPECT_NE(o.out.find("What was found before."), std::string::npos) << o.out;
  EXPECT_EQ(o.out.find("What was found after."), std::string::npos) << o.out;
  for (const std::string& part :
       {std::string("98_crash: "), std::string(GetParam().signal), std::string("./gridstride inspect 98"),
        "crashing_lesson.cpp:" + line_with(GetParam().line)})
    EXPECT_NE(o.err.find(part), std::string::npos) << part << " in: " << o.err;
}

TEST_P(crash_test, prints_one_document) {
  const outcome o = crash("--json");
  EXPECT_EQ(o.status, 1) << o.err;
  const json document = json::parse(o.out, nullptr, false);
  ASSERT_TRUE(document.is_object()) << o.out;
  EXPECT_EQ(document["checks"]["all"], 1);
  EXPECT_NE(document.dump().find(GetParam().signal), std::string::npos) << o.out;
}

INSTANTIATE_TEST_SUITE_P(ways, crash_test,
                         testing::Values(way_to_crash{"null", "SIGSEGV", "// on the host"},
                                         way_to_crash{"division", "SIGFPE", "// the host's division"},
                                         way_to_crash{"overflow", "SIGSEGV", "// the host's recursion"},
                                         way_to_crash{"abort", "SIGABRT", "// the host's abort"},
                                         way_to_crash{"terminate", "SIGABRT", "// the host's terminate"},
                                         way_to_crash{"trap", "SIGILL", "// what is no instruction"},
                                         way_to_crash{"thread", "SIGSEGV", "// on a thread of the host"},
                                         way_to_crash{"heap", "SIG", "// on the heap"},
                                         way_to_crash{"kernel", "thread 8 of block 1 wrote to address 0x0",
                                                      "// in a kernel"},
                                         way_to_crash{"kernel_abort", "SIGABRT", "// abort in a kernel"},
                                         way_to_crash{"kernel_terminate", "SIGABRT", "// terminate in a kernel"}),
                         [](const testing::TestParamInfo<way_to_crash>& test) { return test.param.crash; });

}  // namespace

#endif
