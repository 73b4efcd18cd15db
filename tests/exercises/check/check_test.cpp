// Checking a learner's file: every outcome, whatever the file does.

#include "tests/exercises/small_course.h"

#include <unistd.h>

#include "exercises/check/asked_place.h"
#include "runtime/core/error.h"
#include "tests/another_user.h"
#include "tests/undeclared.h"

using exercises::outcome;
using exercises_test::small_course;

TEST_F(small_course, a_solution_passes) {
  const auto r = check(90, solution(90));
  EXPECT_EQ(r.outcome, outcome::passed) << r.text << r.messages;
  EXPECT_TRUE(r.to_the_end);
  ASSERT_EQ(r.checks.size(), 2u);
  EXPECT_EQ(r.checks[1].name, "above 3.5 of 1009");
  EXPECT_EQ(r.checks[1].got, r.checks[1].expected);
  EXPECT_TRUE(r.findings.empty());
  EXPECT_GT(r.compile_seconds, 0);
  EXPECT_GT(r.run_seconds, 0);
}

TEST_F(small_course, a_failed_check_says_what_was_expected_and_where_it_is_asked) {
  const auto r = check(90, starter(90));
  EXPECT_EQ(r.outcome, outcome::check_failed);
  const auto* first = r.first_failed_check();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->name, "above 3.5 of 1009");
  EXPECT_EQ(first->expected, "432");
  EXPECT_EQ(first->got, "0");
  EXPECT_TRUE(first->place.file.ends_with("90_counter/checks.cpp")) << first->place.file;
  EXPECT_EQ(first->place.line, 17u);
  // "above 3.5 of 1009" names nothing in the file, but the function that asks launches count_above.
  EXPECT_EQ(r.asked_place, (gs::source_place{exercises::shown_path(my / "mine.cpp"), 6, 0}));
  EXPECT_EQ(r.failed_checks(), 1u);
}

TEST_F(small_course, a_finding_names_the_learners_line) {
  std::string text = solution(90);
  const std::string atomic = "gs::atomic_ref(count[0]).fetch_add(1u)";
  text.replace(text.find(atomic), atomic.size(), "count[0] += 1");
  const auto r = check(90, text);
  EXPECT_EQ(r.outcome, outcome::finding);
  ASSERT_FALSE(r.findings.empty());
  EXPECT_EQ(to_string(r.findings[0].kind), "race_in_block");
  EXPECT_EQ(r.findings[0].access.where.file, exercises::shown_path(my / "mine.cpp"));
  EXPECT_EQ(r.findings[0].access.where.line, 9u);
  EXPECT_EQ(r.place, r.findings[0].access.where);
}

TEST_F(small_course, a_line_has_one_finding_of_a_kind) {
  std::string text = solution(90);
  const std::string atomic = "gs::atomic_ref(count[0]).fetch_add(1u)";
  text.replace(text.find(atomic), atomic.size(), "count[0] += 1, count[0] += 1, count[0] = count[0] + x[x.size()]");
  const auto r = check(90, text);
  std::vector<std::string> kinds;
  for (const auto& f : r.findings) {
    EXPECT_EQ(f.access.where.line, 9u);
    EXPECT_EQ(f.checks_before, 1u);
    kinds.emplace_back(to_string(f.kind));
  }
  std::ranges::sort(kinds);
  EXPECT_EQ(kinds, (std::vector<std::string>{"outside_shape", "race_between_blocks", "race_in_block"}));
}

TEST_F(small_course, the_first_function_that_a_failed_check_names_is_what_it_asks_for) {
  const auto r = check(91, constant("struct other { static int answer(); };\n\nint the_();\n"
                                    "inline constexpr auto answer = 41;\nint the(int x) { return x; }"));
  EXPECT_EQ(r.asked_place, (gs::source_place{exercises::shown_path(my / "mine.cpp"), 7, 0}));
  EXPECT_EQ(check(91, constant("struct other { static int answer(); };\ninline constexpr auto answer = 41;"))
                .asked_place.line,
            4u);
}

TEST(asked_place, is_what_the_line_that_asks_leads_to) {
  const std::string source = "int one() { return 1; }\nint two() { return 2; }\nint three();\n";
  const std::string checks =
      "int of_two() { return two(); }\nvoid ask(report& r) {\n  three();\n  r.check(of_two());\n  r.check(x);\n"
      "  r.check(one());\n}\nvoid none(report& r) { r.check(three()); }\n";
  const auto line = [&](const std::string& name, unsigned asked_in) {
    return exercises::asked_place({.name = name, .expected = "", .got = "", .place = {"checks.cpp", asked_in, 0}},
                                  source, checks)
        .line;
  };
  EXPECT_EQ(line("", 4), 2u);
  EXPECT_EQ(line("", 6), 1u);
  EXPECT_EQ(line("", 5), 2u);  // the function around it
  EXPECT_EQ(line("one and two", 4), 1u);
  EXPECT_EQ(line("three", 8), 0u);
  EXPECT_EQ(line("", 0), 0u);
  EXPECT_EQ(line("", 99), 0u);
  EXPECT_EQ(exercises::asked_place({.name = "sums of x", .expected = "", .got = "", .place = {}},
                                   "GS_FN void sum(float) {}\ninline constexpr auto sums = gs::vectorize<sum>;\n", "")
                .line,
            1u);
}

TEST_F(small_course, accesses_without_a_location_have_a_line_too) {
  // A plain pointer into the view's elements: its line comes from the debugging information.
  std::string text = solution(90);
  const std::string atomic = "gs::atomic_ref(count[0]).fetch_add(1u)";
  text.replace(text.find(atomic), atomic.size(), "*count.data() += 1");
  const auto r = check(90, text);
  ASSERT_FALSE(r.findings.empty()) << r.text << r.messages;
  EXPECT_EQ(r.findings[0].access.where.line, 9u);
}

TEST_F(small_course, a_compile_error_is_shortened_to_the_learners_file) {
  const auto r = check(91, "int f() { return undeclared; }\ninline constexpr int answer = 42;\n");
  EXPECT_EQ(r.outcome, outcome::compile_error);
  EXPECT_EQ(r.text, undeclared("undeclared"));
  const std::string shown_name = exercises::shown_path(my / "mine.cpp");
  EXPECT_EQ(r.place, (gs::source_place{shown_name, 1, 18}));
  EXPECT_TRUE(r.messages.starts_with(shown_name + ":1:18: error: " + undeclared("undeclared") + "\n    1 | int f()"))
      << r.messages;
  EXPECT_EQ(r.messages.find("/gridstride-"), std::string::npos) << r.messages;
  EXPECT_NE(r.advice.find("Nothing of that name is known"), std::string::npos);
  EXPECT_TRUE(r.checks.empty());
}

TEST_F(small_course, a_name_that_the_checks_want_must_stay) {
  const auto r = check(91, "inline constexpr int anser = 42;\n");
  EXPECT_EQ(r.outcome, outcome::compile_error);
#if defined(__clang__)  // which shows the name that was perhaps meant
  EXPECT_EQ(r.place.line, 1u);
#else
  EXPECT_EQ(r.place.line, 0u);
#endif
  EXPECT_NE(r.messages.find("checks.cpp:9:"), std::string::npos) << r.messages;
  EXPECT_NE(r.advice.find("keep its names"), std::string::npos) << r.advice;
}

// Not the learner's fault: no advice about names and parameters.
TEST_F(small_course, what_the_machine_lacks_is_said_of_the_machine) {
  const std::filesystem::path file = write("mine.cpp", solution(91)), said = my / "said";
  const auto check_with = [&](const std::string& limit) {
    const std::string command =
        limit + " '" EXERCISE_PROGRAM "' check 91 '" + file.string() + "' >'" + said.string() + "' 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    return std::pair(WIFEXITED(status) ? WEXITSTATUS(status) : -1, exercises_test::text_of(said));
  };
  const auto [memory, of_memory] = check_with("prlimit --as=60000000");
  EXPECT_EQ(memory, 3);
  EXPECT_NE(of_memory.find(" this machine has 60 MB of memory for the compiler, which may need 4.29 GB"),
            std::string::npos)
      << of_memory;
  // Of a user with no other programs, which would count.
  const std::string somebody = gridstride_test::as_another_user(59872, EXERCISE_PROGRAM);
  if (somebody.empty()) return;
  std::filesystem::permissions(my, std::filesystem::perms(0777));
  const auto [process, of_processes] = check_with(somebody + " prlimit --nproc=2");
  EXPECT_EQ(process, 3);
  EXPECT_NE(of_processes.find("Resource temporarily unavailable"), std::string::npos) << of_processes;
  EXPECT_EQ(of_processes.find("keep its names"), std::string::npos) << of_processes;
}

TEST_F(small_course, a_crash_names_the_signal_and_the_line) {
  const auto r =
      check(91, constant("static int f() {\n  volatile int* p = nullptr;\n  return *p;\n}\nstatic int answer = f();"));
  EXPECT_EQ(r.outcome, outcome::crashed);
  EXPECT_NE(r.text.find("segmentation fault"), std::string::npos) << r.text;
}

TEST_F(small_course, an_index_beyond_an_array_of_the_host_is_named_at_its_line) {
  const std::string text =
      "#include <vector>\ninline int element(std::size_t i) {\n  std::vector<int> x(3);\n  return x[i];\n}\n";
  const auto r = check(91, constant(text + "#define answer element(3)"));
  EXPECT_EQ(r.outcome, outcome::crashed);
  EXPECT_NE(r.text.find("no element of that index"), std::string::npos) << r.text;
  EXPECT_EQ(r.place.line, 6u);
  EXPECT_EQ(r.output, "") << "the library's own words are left out";
  EXPECT_EQ(check(91, constant(text + "#define answer element(2)")).outcome, outcome::check_failed);
  const auto early = check(91, constant(text + "static int answer = element(3);"));  // before anything listens
  EXPECT_NE(early.text.find("no element of that index"), std::string::npos) << early.text;
}

TEST_F(small_course, a_part_or_an_index_beyond_a_span_is_named_at_its_line) {
  const std::string text =
      "#include <array>\n#include <span>\ninline int last(std::size_t first, std::size_t count) {\n"
      "  static std::array<int, 3> x{};\n  return std::span<int>(x).subspan(first, count)[2];\n}\n";
  for (const char* const part : {"last(1, 3)", "last(4, 0)"}) {
    const auto r = check(91, constant(text + "#define answer " + part));
    EXPECT_EQ(r.outcome, outcome::crashed);
    EXPECT_NE(r.text.find("A part of a std::span ends beyond the span"), std::string::npos) << r.text;
    EXPECT_EQ(r.output, "") << "the library's own words are left out";
  }
  const auto index = check(91, constant(text + "#define answer last(1, 2)"));
  EXPECT_NE(index.text.find("no element of that index"), std::string::npos) << index.text;
  EXPECT_EQ(check(91, constant(text + "#define answer last(0, 3)")).outcome, outcome::check_failed);
}

TEST_F(small_course, a_crash_in_the_checks_keeps_what_was_found_before) {
  std::string text = solution(90);
  const std::string condition = "if (x[i] > limit)";
  text.replace(text.find(condition), condition.size(),
               "if (x.size() > 1000) __builtin_trap();\n    else if (x[i] > limit)");
  const auto r = check(90, text);
  EXPECT_EQ(r.outcome, outcome::crashed);
  EXPECT_EQ(r.checks.size(), 1u);  // of 0 elements
  EXPECT_FALSE(r.to_the_end);
  EXPECT_EQ(r.place.line, 9u) << r.text;
}

TEST_F(small_course, an_endless_loop_is_stopped) {
  const auto r =
      check(91,
            constant("inline int endless() {\n  volatile bool on = true;\n  while (on) {\n  }\n  return 42;\n}\n"
                     "#define answer endless()"),
            1);
  EXPECT_EQ(r.outcome, outcome::timed_out);
  EXPECT_EQ(r.text, "It was stopped after 1 s: is there a loop that never ends?") << "nothing here waits at a barrier";
  EXPECT_GT(r.place.line, 0u) << "where it went round";
  const auto with_barrier =
      check(91,
            constant("GS_FN void wait(gs::thread t) { t.sync(); }\ninline int endless() {\n  volatile bool on = true;\n"
                     "  while (on) {\n  }\n  return 42;\n}\n#define answer endless()"),
            1);
  EXPECT_NE(with_barrier.text.find(", or a barrier that some threads never reach?"), std::string::npos)
      << with_barrier.text;
}

// Between two checks little is computed, so a loop needn't have the time that all checks may take.
TEST_F(small_course, an_endless_loop_is_stopped_long_before_the_checks_time_is_over) {
  const auto r =
      check(91,
            constant("inline int endless() {\n  volatile bool on = true;\n  while (on) {\n  }\n  return 42;\n}\n"
                     "#define answer endless()"),
            100);
  EXPECT_EQ(r.outcome, outcome::timed_out);
  EXPECT_NE(r.text.find("stopped after 4 s of computing: is there a loop"), std::string::npos) << r.text;
  EXPECT_GT(r.place.line, 3u);

  std::string text = solution(90);
  const std::string atomic = "gs::atomic_ref(count[0]).fetch_add(1u)";
  text.replace(text.find(atomic), atomic.size(), "while (limit > 0) gs::atomic_ref(count[0]).fetch_add(1u)");
  const auto in_kernel = check(90, text, 100);
  EXPECT_EQ(in_kernel.outcome, outcome::timed_out);
  EXPECT_EQ(in_kernel.place.line, 9u);
}

TEST_F(small_course, exceptions_exits_and_refusals_are_told_apart) {
  const auto thrown =
      check(91, constant("#define answer (throw gs::error(\"adding\", \"no number\", \"give one\"), 42)"));
  EXPECT_EQ(thrown.outcome, outcome::exception);
  EXPECT_EQ(thrown.text, "It threw an exception: adding: no number; give one");
  const auto ended = check(91, constant("#define answer (std::exit(0), 42)"));
  EXPECT_EQ(ended.outcome, outcome::ended);
  const auto forked = check(91, constant("#include <unistd.h>\n#define answer (fork(), 42)"));
  EXPECT_EQ(forked.outcome, outcome::refused);
  EXPECT_NE(forked.text.find("start another process"), std::string::npos);
  const auto memory =
      check(91, constant("#define answer (static_cast<void>(std::vector<char>(std::size_t{1} << 40)), 42)"));
  EXPECT_EQ(memory.outcome, outcome::out_of_memory);
  const auto killed = check(91, constant("#include <signal.h>\n#define answer (raise(SIGKILL), 42)"));
  EXPECT_EQ(killed.outcome, outcome::out_of_memory);
  EXPECT_NE(killed.text.find("killed (SIGKILL), as the system does when memory runs out"), std::string::npos)
      << killed.text;
}

TEST_F(small_course, an_exception_in_a_kernel_does_not_pass) {
  std::string text = solution(90);
  text.replace(text.find("for (auto"), 0,
               "if (x.size() > 1000) throw gs::error(\"counting\", \"too many\", \"give fewer\");\n  ");
  const auto r = check(90, text);
  EXPECT_FALSE(r.passed());
  EXPECT_NE(r.text.find("too many"), std::string::npos)
      << to_string(r.outcome) << r.text << (r.findings.empty() ? "" : r.findings[0].meaning);
}

TEST_F(small_course, what_it_prints_is_shown_and_decides_nothing) {
  const auto r = check(
      91,
      constant("#include <cstdio>\n#define answer (std::puts(\"{\\\"done\\\": true}\"), std::puts(\"\\033[2J\"), 41)"));
  EXPECT_EQ(r.outcome, outcome::check_failed);
  EXPECT_NE(r.output.find("{\"done\": true}\n"), std::string::npos) << r.output;
  EXPECT_EQ(r.output.find('\033'), std::string::npos);
}

TEST_F(small_course, files_beside_it_can_be_included) {
  write("beside.h", "inline constexpr int answer = 42;\n");
  EXPECT_TRUE(check(91, "#include \"beside.h\"\n").passed());
}

TEST_F(small_course, a_link_stands_for_its_file) {
  write("elsewhere.cpp", "int f() { return undeclared; }\n");
  std::filesystem::create_symlink(my / "elsewhere.cpp", my / "link.cpp");
  const auto r = exercises::check_exercise(exercise(91), my / "link.cpp");
  EXPECT_EQ(r->place, (gs::source_place{exercises::shown_path(my / "link.cpp"), 1, 18})) << r->messages;
}

TEST_F(small_course, refuses_a_file_that_is_none) {
  try {
    exercises::check_exercise(exercise(91), my / "absent.cpp");
    FAIL();
  } catch (const gs::error& e) {
    EXPECT_EQ("check " + (my / "absent.cpp").string() + ": No such file or directory; give a file that can be read",
              std::string(e.what()));
    EXPECT_EQ(dynamic_cast<const gs::machine_error*>(&e), nullptr);
  }
}

TEST_F(small_course, can_be_isolated) {
  const auto level = workshop::strongest_isolation();
  const auto result = exercises::check_exercise(exercise(90), write("mine.cpp", solution(90)), {.level = level});
  EXPECT_TRUE(result->passed()) << to_string(level) << ": " << result->text << result->messages;
}

TEST_F(small_course, can_be_interrupted) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write("mine.cpp", solution(90)), my / "mine.cpp");
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  int question_count = 0;
  const auto result = exercises::check_exercise(
      exercise(90), my / "mine.cpp", {.by = {.descriptor = ends[0], .happened = [&] { return ++question_count > 2; }}});
  EXPECT_FALSE(result.has_value());
  EXPECT_EQ(question_count, 3);
  close(ends[0]);
  close(ends[1]);
}
