// Folders of one program, and the removal of those whose owners were killed.

#include "workshop/private_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/temporary_folder.h"

namespace private_folder_test {

namespace fs = std::filesystem;
using workshop::private_folder;

class private_folders : public testing::Test {
 protected:
  void SetUp() override { setenv("TMPDIR", place.path().c_str(), 1); }
  void TearDown() override { unsetenv("TMPDIR"); }
  const gridstride_test::temporary_folder place;
};

TEST_F(private_folders, go_with_their_owners) {
  fs::path path;
  {
    const private_folder folder, second;
    path = folder.path();
    EXPECT_NE(path, second.path());
    std::ofstream(path / "file") << "x";
    EXPECT_EQ(path.parent_path(), place.path());
  }
  EXPECT_TRUE(fs::is_empty(place.path()));
}

TEST_F(private_folders, of_a_killed_owner_are_removed_by_the_next_one) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t owner = fork();
  if (owner == 0) {
    const private_folder folder;
    std::ofstream(folder.path() / "file") << "x";
    (void)!write(ends[1], "x", 1);
    pause();
    _exit(0);
  }
  char ready = 0;
  ASSERT_EQ(read(ends[0], &ready, 1), 1);
  close(ends[0]);
  close(ends[1]);
  const fs::path left = fs::directory_iterator(place.path())->path();
  fs::create_directory(place / "gridstride-of-somebody-else");

  const auto has_a_folder = [&] {  // in a process that has had none here
    const pid_t next = fork();
    if (next == 0) {
      setenv("TMPDIR", place.path().c_str(), 1);
      {
        const private_folder second_folder;
      }
      _exit(0);
    }
    waitpid(next, nullptr, 0);
  };
  has_a_folder();
  EXPECT_TRUE(fs::exists(left / "file")) << "its owner is at work";
  kill(owner, SIGKILL);
  waitpid(owner, nullptr, 0);
  has_a_folder();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(place / "gridstride-of-somebody-else"));
}

}  // namespace private_folder_test
