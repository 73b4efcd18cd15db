#pragma once
// Programs that a test writes into a folder of its own, and what gridstride-program makes of them.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/temporary_folder.h"

namespace programs_test {

struct ending {
  int status;
  std::string out, error;
};

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void expect_in(const std::string& part, const std::string& whole) {
  EXPECT_NE(whole.find(part), std::string::npos) << part << "\nin:\n" << whole;
}
inline void expect_not_in(const std::string& part, const std::string& whole) {
  EXPECT_EQ(whole.find(part), std::string::npos) << part << "\nin:\n" << whole;
}

class written_programs : public testing::Test {
 protected:
  void SetUp() override { setenv("LC_ALL", "C.UTF-8", 1); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }
  /// In the folder, with the shell's words.
  ending run(const std::string& words) const { return run_by(PROGRAM, words); }
  ending run_by(const std::string& program, const std::string& words) const {
    const std::string out = output_ / "out", error = output_ / "error";
    const int status = std::system(("cd '" + folder.path().string() + "' && '" + program + "' " + words + " >'" + out +
                                    "' 2>'" + error + "' </dev/null")
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(out), text_of(error)};
  }

  const gridstride_test::temporary_folder folder;

 private:
  const gridstride_test::temporary_folder output_;
};

}  // namespace programs_test
