// Tasks that rank 0 hands to free ranks, under both MPIs and without one, with more ranks than cores (tasks.cpp):
// against plain calls; tasks that die, throw, or can't be run.

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "launched.h"
#include "runtime/core/error.h"
#include "runtime/world/world.h"
#include "tests/another_user.h"
#include "tests/runtime/starts_programs.h"
#include "tests/temporary_folder.h"

namespace world_test {
namespace {

namespace fs = std::filesystem;

// Where scenarios leave files, for any user.
struct scratch_folder : gridstride_test::temporary_folder {
  scratch_folder() { fs::permissions(path(), fs::perms::all); }
};

ended run_tasks(const mpi& m, int ranks, const std::string& scenario) {
  const scratch_folder folder;
  return run(launch(m, ranks, WORLD_TASKS " " + scenario + " " + folder.path().string()));
}
ended run_alone(const std::string& scenario) {
  const scratch_folder folder;
  return run(WORLD_TASKS " " + scenario + " " + folder.path().string());
}

class tasks : public testing::TestWithParam<mpi> {
 protected:
  void SetUp() override {
    if (GetParam().mpirun.empty()) GTEST_SKIP() << "this machine has no mpirun." << GetParam().name;
  }
  void expect_right(int ranks, const std::string& scenario) {
    const ended e = run_tasks(GetParam(), ranks, scenario);
    EXPECT_EQ(e.status, 0) << scenario << " on " << ranks << " ranks:\n" << e.output;
    EXPECT_EQ(e.output, "") << scenario << " on " << ranks << " ranks";
  }
};

INSTANTIATE_TEST_SUITE_P(under, tasks, testing::Values(mpi{"openmpi", MPIRUN_OPENMPI}, mpi{"mpich", MPIRUN_MPICH}),
                         [](const auto& info) { return info.param.name; });

TEST_P(tasks, return_what_plain_calls_do) {
  for (const int n : {1, 2, 3, 4, 7}) expect_right(n, "tasks");
}

TEST_P(tasks, are_in_the_account_of_messages) { expect_right(3, "counted"); }

TEST_P(tasks, are_done_again_when_their_process_dies) {
  for (const int n : {1, 2, 3, 4, 7}) expect_right(n, "deaths");
}

TEST_P(tasks, of_a_rank_whose_workers_are_gone_are_done_by_others) {
  for (const int n : {2, 4}) expect_right(n, "one_rank_less");
}

TEST_P(tasks, may_be_those_of_another_user_than_root) {
  const std::string user = gridstride_test::as_another_user(65534, WORLD_TASKS);
  if (user.empty()) GTEST_SKIP() << "this isn't root, or no other user can run programs here";
  for (const std::string scenario : {"tasks", "deaths"}) {
    const scratch_folder folder;
    // By env: mpirun of Open MPI 5 asks access(), which knows of no capabilities, whether it may start a program.
    const ended e = run(launch(GetParam(), 2, "env " WORLD_TASKS " " + scenario + " " + folder.path().string(),
                               "env HOME=/tmp " + user + " "));
    EXPECT_EQ(e.status, 0) << e.output;
  }
}

TEST_P(tasks, that_fail_say_why_and_the_others_go_on) {
  for (const auto& [scenario, text] : {std::pair<std::string, std::string>{"throws", ": no number today; catch it in"},
                                       {"dies_always", " has ended 3 processes, the last on rank "}}) {
    const ended e = run_tasks(GetParam(), 3, scenario);
    EXPECT_EQ(e.status, 0) << e.output;
    EXPECT_TRUE(holds(e.output, "result on rank 0 of 3, at tasks.cpp:")) << e.output;
    EXPECT_TRUE(holds(e.output, text)) << e.output;
  }
}

TEST_P(tasks, that_another_ranks_program_lacks_are_told) {
  const scratch_folder folder;
  // Not by mpirun's `PROGRAM : PROGRAM`, at which that of Open MPI 5.0.7 crashes.
  const std::string by_rank = "sh -c 'case ${PMIX_RANK:-$PMI_RANK} in 0) exec " WORLD_TASKS
                              " only_here $0 ;; *) exec " WORLD_FEWER_TASKS " serves $0 ;; esac' " +
                              folder.path().string();
  const ended e = run(launch(GetParam(), 2, by_rank));
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_TRUE(holds(e.output, "only_here, submitted at tasks.cpp:")) << e.output;
  EXPECT_TRUE(holds(e.output, ", is no function of rank 1's program; start the same program on all ranks")) << e.output;
}

TEST_P(tasks, are_only_handed_out_by_rank_0) {
  const ended e = run_tasks(GetParam(), 2, "on_another_rank");
  EXPECT_NE(e.status, 0);
  EXPECT_TRUE(holds(e.output, "submit on rank 1 of 2, at tasks.cpp:")) << e.output;
  EXPECT_TRUE(holds(e.output, ": only rank 0 hands out tasks; call serve_tasks() on the other ranks, to run them"))
      << e.output;
}

TEST_P(tasks, end_when_no_rank_has_a_process_for_them) {
  const ended e = run_tasks(GetParam(), 2, "no_rank_left");
  EXPECT_NE(e.status, 0);
  EXPECT_TRUE(holds(e.output,
                    " was not run: on no rank is there a process left to run tasks in; see what has ended those "
                    "processes"))
      << e.output;
}

// A process that has ended may wait for its parent.
bool lives(const std::string& process) {
  std::ifstream state("/proc/" + process + "/stat");
  std::string number, name, letter;
  return state >> number >> name >> letter && letter != "Z" && letter != "X";
}

TEST_P(tasks, leave_no_process_behind_when_their_rank_is_killed) {
  const scratch_folder folder;
  const ended e = run(launch(GetParam(), 2, WORLD_TASKS " is_killed_while_a_task_runs " + folder.path().string()));
  EXPECT_NE(e.status, 0);
  std::string process;
  std::ifstream(folder / "process") >> process;
  ASSERT_NE(process, "");
  for (int n = 0; n < 6000 && lives(process); ++n) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(lives(process));
}

TEST(tasks_of_one_rank, are_tasks_without_mpi) {
  SKIP_UNLESS_PROGRAMS_START();
  for (const std::string scenario : {"tasks", "counted", "deaths"}) {
    const ended e = run_alone(scenario);
    EXPECT_EQ(e.status, 0) << e.output;
    EXPECT_EQ(e.output, "");
  }
}

TEST(tasks_of_one_rank, say_why_they_have_no_result) {
  SKIP_UNLESS_PROGRAMS_START();
  const auto expect_text = [](const std::string& scenario, const std::string& text) {
    const ended e = run_alone(scenario);
    EXPECT_TRUE(holds(e.output, text)) << scenario << ": " << e.output;
  };
  expect_text("throws_gs_error",
              ", threw on rank 0: a task: it fails; nothing to do; catch it in the task, or around result()");
  expect_text("throws_a_number", ", threw on rank 0: something that is no std::exception; ");
  expect_text("asks_for_the_world",
              ": gs::world() in a task: a task runs in a process of its own, which is no rank; give the task what it "
              "needs as arguments; ");
  expect_text("large_result", ", threw on rank 0: its result has 68157456 bytes, more than 67108864; ");
  expect_text("dies_always", "dies_always, submitted at tasks.cpp:");
  expect_text("dies_always",
              ", has ended 3 processes, the last on rank 0 by signal 9 (Killed); call world_ranks::dies_always "
              "without submit, where a debugger or ./gridstride inspect can see it");
  expect_text("exits_always", ", has ended 3 processes, the last on rank 0 by exit status 3; ");
  expect_text("too_large",
              ": the arguments of world_ranks::scaled have 75497496 bytes, more than 67108864; broadcast or scatter "
              "large arrays, or let the task read or make them where it runs");
  expect_text("without_memory",
              "a process for tasks: mmap: Cannot allocate memory; end other programs, or allow this "
              "one more processes and memory (ulimit -a)");
}

int twice(int x) { return 2 * x; }

std::string text_of(const gs::error& e) { return e.what(); }

TEST(tasks_of_one_rank, are_refused_for_two_functions_of_one_name) {
  const auto& own = gs::detail::submitted_function<twice>::entry;
  EXPECT_EQ(gs::world().submit<twice>(21).result(), 42);
  static const gs::detail::task_function other(gs::detail::function_name<twice>(),
                                               gs::detail::type_text<decltype(&twice)>(), nullptr);
  ASSERT_EQ(own.identity(), other.identity());
  try {
    static_cast<void>(gs::world().submit<twice>(21));
    FAIL();
  } catch (const gs::error& e) {
    EXPECT_TRUE(holds(text_of(e), "submit on rank 0 of 1, at tasks_test.cpp:")) << e.what();
    EXPECT_TRUE(holds(text_of(e), "twice; give them different names: ranks know them by these")) << e.what();
  }
}

TEST(task_bytes, are_refused_where_types_differ) {
  gs::detail::task_bytes bytes;
  gs::detail::pack(bytes, 7);
  const std::string expected =
      "a task's arguments or result: their bytes aren't those of the function's types; start the same program on all "
      "ranks";
  try {
    static_cast<void>(gs::detail::unpacker(bytes).take<double>());
    FAIL();
  } catch (const gs::error& e) {
    EXPECT_EQ(e.what(), expected);
  }
  gs::detail::unpacker rest(bytes);
  rest.take<short>();
  EXPECT_THROW(rest.finish(), gs::error);
}

#if GRIDSTRIDE_CHECKED
TEST_P(tasks, are_told_of_a_rank_that_does_not_serve) {
  const ended e = run_tasks(GetParam(), 2, "one_does_not_serve");
  EXPECT_NE(e.status, 0);
  EXPECT_TRUE(holds(e.output, ": rank 1 calls barrier at tasks.cpp:") ||
              holds(e.output, ": rank 0 calls serve_tasks at tasks.cpp:"))
      << e.output;
}
#endif

}  // namespace
}  // namespace world_test
