// Names that an object defines, read from nm's output: a learner's own are told apart from names that are reserved.

#include "assessments/grader/running/defined_names.h"

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
  const auto taken_in = [](const char* nm) {
    const auto found = taken_name(read_names(nm));
    return found ? found->linked : "";
  };
  EXPECT_EQ(taken_in("_Z3acti T 0 1\n_Z6helperf T 0 1\nmy_function T 0 1\ngrey D 0 4\ncut T 0 1\ncu T 0 1\n"), "");
  for (const char* name : {"malloc", "free", "memcpy", "clock_gettime", "pthread_create", "dlsym", "main", "_init",
                           "_start", "gridstride_submission", "cudaMalloc", "cuMemAlloc", "__cudaRegisterFunction"}) {
    EXPECT_EQ(taken_in((std::string(name) + " T 0 1\n").c_str()), name);
    EXPECT_EQ(taken_in((std::string(name) + " W 0 1\n").c_str()), name) << "weak";
  }
  EXPECT_EQ(taken_in("_Znwm W 0 1\n"), "_Znwm") << "operator new, even if it is inline";
  EXPECT_EQ(taken_in("_ZNSt6thread4joinEv T 0 1\n"), "_ZNSt6thread4joinEv");
  EXPECT_EQ(taken_in("_ZNSt6vectorIfSaIfEE9push_backERKf W 0 1\n"), "") << "a template that headers bring along";
  EXPECT_EQ(taken_in("_ZN2gs5plain4mineEv T 0 1\n"), "_ZN2gs5plain4mineEv");
}

TEST(defined_names, of_the_runtime_are_taken_even_if_weak_or_inline) {
  const std::set<std::string> runtime = {"_ZN2gs5plain12ledger_entry12copy_to_hostEm"};
  const auto is_taken = [&](const char* nm) { return taken_name(read_names(nm), runtime).has_value(); };
  EXPECT_TRUE(is_taken("_Z3acti T 0 1\n_ZN2gs5plain12ledger_entry12copy_to_hostEm W 0 1\n"));
  EXPECT_FALSE(is_taken("_ZN2gs5plain6launchIXadL_Z3addEEEEvv W 0 1\n")) << "a template that headers bring along";
  for (const char* name : {"__tsan_write4", "__wrap_memcpy", "__real_memcpy"}) {
    EXPECT_TRUE(is_taken((std::string(name) + " T 0 1\n").c_str())) << name;
    EXPECT_TRUE(is_taken((std::string(name) + " W 0 1\n").c_str())) << name;
  }
}

TEST(defined_names, that_are_weak_because_somebody_wrote_so_are_told_from_templates) {
  auto names = read_names("_ZN2gs5plain4mineEv W 0 1\n_ZN2gs5plain4viewIfEixEm W 0 1\n_Z4minev W 0 1\n");
  grader::demote_declared_weak(
      names,
      "\n\nSymbols from .submission.o:\n\nName                  Value           Class        Type\n\n"
      "_ZN2gs5plain4mineEv |0000000000000000|   W  |              FUNC|000001|     |.text\n"
      "_ZN2gs5plain4viewIfEixEm|00000000|   W  |    FUNC|000001|     |.text._ZN2gs5plain4viewIfEixEm\n"
      "_Z4minev|0000000000000000|   W  |              FUNC|000001|     |.text\n");
  ASSERT_EQ(names.size(), 3u);
  EXPECT_FALSE(names[0].is_weak);
  EXPECT_TRUE(names[1].is_weak);
  EXPECT_FALSE(names[2].is_weak);
  EXPECT_EQ(taken_name(names).value().linked, "_ZN2gs5plain4mineEv");
  names.erase(names.begin());
  EXPECT_FALSE(taken_name(names)) << "a learner's own function may be weak";
}

}  // namespace defined_names_test
