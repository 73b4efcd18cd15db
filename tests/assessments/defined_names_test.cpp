// Names that an object defines: what nm prints is read, and what belongs to others is told from a learner's own.

#include "assessments/grader/defined_names.h"

#include <gtest/gtest.h>

namespace defined_names_test {

using grader::read_names;
using grader::taken_name;

TEST(defined_names, are_read_from_what_nm_prints) {
  const auto names = read_names("_Z3acti T 0 10\nmalloc W 20 4\nbroken\n\n_ZN2gs5plain6ledgerE V 0 8\nx\n");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_EQ(names[0].linked, "_Z3acti");
  EXPECT_EQ(names[0].name, "act(int)");
  EXPECT_FALSE(names[0].is_weak);
  EXPECT_EQ(names[1].name, "malloc");
  EXPECT_TRUE(names[1].is_weak);
  EXPECT_EQ(names[2].name, "gs::plain::ledger");
  EXPECT_TRUE(names[2].is_weak);
}

TEST(defined_names, of_others_are_told_from_a_learners_own) {
  const auto taken = [](const char* nm) {
    const auto found = taken_name(read_names(nm));
    return found ? found->linked : "";
  };
  EXPECT_EQ(taken("_Z3acti T 0 1\n_Z6helperf T 0 1\nmy_function T 0 1\ngrey D 0 4\ncut T 0 1\ncu T 0 1\n"), "");
  for (const char* name : {"malloc", "free", "memcpy", "clock_gettime", "pthread_create", "dlsym", "main", "_init",
                           "_start", "gridstride_submission", "cudaMalloc", "cuMemAlloc", "__cudaRegisterFunction"}) {
    EXPECT_EQ(taken((std::string(name) + " T 0 1\n").c_str()), name);
    EXPECT_EQ(taken((std::string(name) + " W 0 1\n").c_str()), name) << "weak";
  }
  EXPECT_EQ(taken("_Znwm W 0 1\n"), "_Znwm") << "operator new, even if it is inline";
  EXPECT_EQ(taken("_ZNSt6thread4joinEv T 0 1\n"), "_ZNSt6thread4joinEv");
  EXPECT_EQ(taken("_ZNSt6vectorIfSaIfEE9push_backERKf W 0 1\n"), "") << "a template that headers bring along";
  EXPECT_EQ(taken("_ZN2gs5plain4mineEv T 0 1\n"), "_ZN2gs5plain4mineEv");
}

}  // namespace defined_names_test
