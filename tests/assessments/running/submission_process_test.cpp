// Submissions at work: every way in which a call can end, with one submission that can do them all.

#include "assessments/grader/running/submission_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <variant>

#include "assessments/grader/running/untrusted_inspection.h"
#include "runtime/core/error.h"
#include "tests/assessments/small_task.h"
#include "tests/runtime/refused.h"
#include "workbook/json/inspection_json.h"
#include "workshop/build_parts.h"
#include "workshop/private_folder.h"

namespace submission_process_test {

using grader::call_result;
using grader::compiled_module;
using grader::mishap;
using grader::mishap_kind;
using grader::submission_process;
using workshop::flavour;

compiled_module compiled(flavour f) {
  const workshop::private_folder folder;
  small_task::write_many_faces(folder.path() / "many_faces.cpp");
  auto result = grader::compile(small_task::task(), workshop::read_source(folder.path() / "many_faces.cpp"), f,
                                workshop::strongest_isolation(), 3);
  if (const auto* problem = std::get_if<mishap>(&result))
    throw std::runtime_error(problem->text + "\n" + problem->details);
  return std::get<compiled_module>(result);
}

const compiled_module& plain() {
  static const compiled_module module = compiled(flavour::plain);
  return module;
}

const compiled_module& checked() {
  static const compiled_module module = compiled(flavour::checked);
  return module;
}

struct at_work {
  explicit at_work(const compiled_module& module = plain(), grader::task t = small_task::task())
      : process(t, problem, module, workshop::strongest_isolation(), 3) {}
  call_result call(const std::string& behaviour, std::uint64_t n = 1000, bool inspect = false) {
    return process.call(small_task::sized(n, behaviour), 1, inspect);
  }
  mishap mishap_of(const std::string& behaviour, std::uint64_t n = 1000) {
    const call_result result = call(behaviour, n);
    if (!result.went_wrong) ADD_FAILURE() << behaviour << " went well";
    return result.went_wrong.value_or(mishap{});
  }
  small_task::problem problem;
  submission_process process;
};

std::string place_of(const std::string& mark) {
  return "many_faces.cpp:" + std::to_string(small_task::line_with(mark));
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(submission_process, accepts_a_right_answer_of_any_size) {
  at_work submission;
  for (const std::uint64_t n : {0, 1, 31, 32, 33, 1009, 100'000, 5, 2'000'000}) {
    const call_result result = submission.call("right", n);
    EXPECT_FALSE(result.went_wrong) << n << ": " << result.went_wrong->text;
    EXPECT_GT(result.seconds, 0);
    EXPECT_EQ(result.account.launches, 1u);
    EXPECT_EQ(result.account.copies_to_device + result.account.copies_to_host, 0u);
  }
}

TEST(submission_process, shows_the_first_wrong_element) {
  at_work submission;
  const call_result result = submission.call("wrong_returned");
  EXPECT_EQ(result.account.launches, 1u) << "a wrong answer doesn't end a call";
  const mishap returned = result.went_wrong.value();
  EXPECT_EQ(returned.kind, mishap_kind::wrong_answer);
  EXPECT_EQ(returned.array, "y");
  EXPECT_EQ(returned.index, std::vector<std::size_t>{5});
  EXPECT_EQ(returned.extents, std::vector<std::size_t>{1000});
  EXPECT_EQ(returned.got, 7);
  EXPECT_EQ(returned.wrong, 1u);
  EXPECT_HAS(returned.text, "y[5] of shape (1000,) is 7, expected ");
  EXPECT_HAS(returned.text, "; 1 of 1000 is wrong.");
  EXPECT_EQ(returned.call, to_string(small_task::sized(1000, "wrong_returned")));
  const mishap out = submission.mishap_of("wrong_out");
  EXPECT_EQ(out.kind, mishap_kind::wrong_answer);
  EXPECT_EQ(out.array, "out");
  EXPECT_HAS(out.text, "out[0] of shape (1000,) is -1, expected ");
  const mishap size = submission.mishap_of("wrong_size");
  EXPECT_EQ(size.kind, mishap_kind::wrong_answer);
  EXPECT_EQ(size.text, "y has another size");
  EXPECT_FALSE(submission.call("right").went_wrong);
}

TEST(submission_process, names_the_line_of_a_crash) {
  at_work submission;
  const mishap crash = submission.mishap_of("crash");
  EXPECT_EQ(crash.kind, mishap_kind::crashed);
  EXPECT_EQ(crash.text, "It was stopped by signal 11 (segmentation fault) at " + place_of("crash here") + ".");
  EXPECT_EQ(crash.place.file, "many_faces.cpp");
  EXPECT_EQ(crash.place.line, small_task::line_with("crash here"));
  EXPECT_FALSE(submission.call("right").went_wrong) << "a new process takes over";
  const mishap kernel = submission.mishap_of("crash_in_kernel");
  EXPECT_EQ(kernel.kind, mishap_kind::crashed);
  EXPECT_HAS(kernel.text, place_of("crash in kernel here"));
  const mishap overflow = submission.mishap_of("stack_overflow");
  EXPECT_EQ(overflow.kind, mishap_kind::crashed);
  EXPECT_HAS(overflow.text, "signal 11 (segmentation fault) at many_faces.cpp:");
  EXPECT_HAS(submission.mishap_of("abort").text, "signal 6 (aborted) at many_faces.cpp:");
  EXPECT_HAS(submission.mishap_of("divide_by_zero").text, "signal 8 (floating point exception) at many_faces.cpp:");
}

TEST(submission_process, does_not_believe_an_exit) {
  at_work submission;
  for (const char* way : {"exit", "quick_exit"}) {
    const mishap ended = submission.mishap_of(way);
    EXPECT_EQ(ended.kind, mishap_kind::ended);
    EXPECT_EQ(ended.text, "It ended the program in the middle of a call, with exit status 0.");
  }
  EXPECT_HAS(submission.process.output(), "PASS");
}

TEST(submission_process, ends_what_takes_too_long) {
  grader::task hasty = small_task::task();
  hasty.limits.call_seconds = 0.3;
  at_work submission(plain(), hasty);
  EXPECT_EQ(submission.mishap_of("sleep").kind, mishap_kind::timed_out);
  for (const auto& [way, line] : {std::pair{"burn", "burn here"}, {"burn_in_kernel", "burn in kernel here"}}) {
    const mishap endless = submission.mishap_of(way);
    EXPECT_EQ(endless.text, "It was stopped after 0.3 s, the limit of a call, at " + place_of(line) + ".");
    EXPECT_EQ(endless.place.line, small_task::line_with(line));
  }
  hasty.limits.call_seconds = 60;
  hasty.limits.total_seconds = 1;
  at_work second(plain(), hasty);
  const mishap burnt = second.mishap_of("burn");
  EXPECT_EQ(burnt.kind, mishap_kind::timed_out);
  EXPECT_HAS(burnt.text, "It used more than 1 s of processor time");
}

TEST(submission_process, passes_on_what_was_thrown) {
  at_work submission;
  const mishap thrown = submission.mishap_of("exception");
  EXPECT_EQ(thrown.kind, mishap_kind::exception);
  EXPECT_EQ(thrown.text, "It threw an exception: no idea");
  EXPECT_EQ(submission.mishap_of("odd_exception").text,
            "It threw an exception: of a type not derived from std::exception");
}

TEST(submission_process, bounds_memory) {
  grader::task small = small_task::task();
  small.limits.memory_bytes = std::uint64_t{1} << 30;
  at_work submission(plain(), small);
  const mishap host = submission.mishap_of("bad_alloc");
  EXPECT_EQ(host.kind, mishap_kind::out_of_memory);
  EXPECT_EQ(host.text, "It ran out of memory (the limit is 1.1 GB): std::bad_alloc");
  const mishap device = submission.mishap_of("device_full");
  EXPECT_EQ(device.kind, mishap_kind::out_of_memory);
  EXPECT_HAS(device.text, "It ran out of memory (the limit is 1.1 GB): ");
}

TEST(submission_process, protects_inputs) {
  at_work submission;
  const mishap host = submission.mishap_of("write_input");
  EXPECT_EQ(host.kind, mishap_kind::changed_input);
  EXPECT_EQ(host.text,
            "It wrote to its input at " + place_of("write input here") + ": signal 11 (segmentation fault).");
  const mishap held = submission.mishap_of("change_held");
  EXPECT_EQ(held.kind, mishap_kind::changed_input);
  EXPECT_EQ(held.text, "It changed its input: held[2] isn't what it was.");
  EXPECT_EQ(held.index, std::vector<std::size_t>{2});
}

TEST(submission_process, sees_what_is_written_around_an_output) {
  at_work submission;
  const mishap mishap_before = submission.mishap_of("before_out");
  EXPECT_EQ(mishap_before.kind, mishap_kind::outside_output);
  EXPECT_EQ(mishap_before.text, "It wrote outside its output: 3 elements before the start of out, which has 1000.");
  const mishap behind = submission.mishap_of("behind_out");
  EXPECT_EQ(behind.kind, mishap_kind::outside_output);
  EXPECT_EQ(behind.text, "It wrote outside its output: 2 elements past the end of out, which has 1000.");
}

TEST(submission_process, answers_on_the_channel_are_the_runners_alone) {
  at_work submission;
  for (const char* way : {"early_answer", "wrong_nonce"}) {
    const mishap forged = submission.mishap_of(way);
    EXPECT_EQ(forged.kind, mishap_kind::refused) << way;
    EXPECT_HAS(forged.text, "It wrote to the channel on which the runner answers the grader.");
  }
  const mishap closed = submission.mishap_of("close_channel");
  EXPECT_NE(closed.text, "");
  EXPECT_TRUE(closed.kind == mishap_kind::ended || closed.kind == mishap_kind::refused);
}

TEST(submission_process, refuses_what_no_submission_needs) {
  at_work submission;
  const std::vector<std::pair<const char*, const char*>> tried = {
      {"fork", "It tried to start another process"},
      {"execute", "It tried to start another program"},
      {"socket", "It tried to open a socket"},
      {"kill_parent", "It tried to send a signal to another process"}};
  for (const auto& [behaviour, text] : tried) {
    const mishap m = submission.mishap_of(behaviour);
    EXPECT_EQ(m.kind, mishap_kind::refused) << behaviour;
    EXPECT_HAS(m.text, std::string(text) + " at many_faces.cpp:");
  }
  for (const char* way : {"lease", "lock"}) {
    const mishap m = submission.mishap_of(way);
    EXPECT_EQ(m.kind, mishap_kind::refused) << way;
    EXPECT_HAS(m.text, "keep files from others at many_faces.cpp:");
  }
#if defined(__x86_64__)
  for (const char* way : {"i386_call", "x32_call"}) {
    const mishap m = submission.mishap_of(way);
    EXPECT_EQ(m.kind, mishap_kind::refused) << way;
    EXPECT_HAS(m.text, "It tried to make a system call of another architecture (i386 or x32) at many_faces.cpp:");
  }
#endif
  // The C library's would block signals first, so that nothing could be reported.
  EXPECT_HAS(submission.mishap_of("system").text, place_of("std::system") + ", which a submission may not.");
  EXPECT_HAS(submission.mishap_of("fork").text, place_of("fork here") + ", which a submission may not.");
}

TEST(submission_process, hides_files_and_bounds_what_is_written) {
  if (workshop::strongest_isolation() == workshop::isolation::limits) GTEST_SKIP() << "nothing is isolated here";
  at_work submission;
  for (const char* way : {"read_files", "write_files", "fill_disk"}) {
    const call_result result = submission.call(way);
    EXPECT_FALSE(result.went_wrong) << way << ": " << result.went_wrong->text;
  }
}

TEST(submission_process, cuts_output) {
  grader::task t = small_task::task();
  t.limits.output_bytes = 10'000;
  at_work submission(plain(), t);
  EXPECT_FALSE(submission.call("print_much").went_wrong);
  EXPECT_HAS(submission.process.output(), std::string(10'000, 'x') + "\n[104847600 more bytes were cut]\n");
}

TEST(submission_process, makes_output_printable) {
  at_work submission;
  EXPECT_FALSE(submission.call("print_escapes").went_wrong);
  EXPECT_EQ(submission.process.output(), "?[2J?]0;title?? ok\n");
}

TEST(submission_process, stands_still_while_it_is_checked) {
  at_work submission;
  const mishap m = submission.mishap_of("stop_runner");
  EXPECT_EQ(m.kind, mishap_kind::refused);
  EXPECT_HAS(m.text, "It tried to send a signal to another process");
}

TEST(submission_process, gives_fresh_inputs) {
  at_work submission;
  small_task::problem p;
  EXPECT_FALSE(submission.process.call(small_task::sized(100, "remember"), 1).went_wrong);
  EXPECT_FALSE(submission.process.call(small_task::sized(100, "remember"), 1).went_wrong)
      << "the same seed, the same inputs";
  EXPECT_TRUE(submission.process.call(small_task::sized(100, "remember"), 2).went_wrong);
}

TEST(submission_process, an_exit_status_can_look_like_a_crash_and_is_none_the_better) {
  at_work submission;
  EXPECT_HAS(submission.mishap_of("signal_exit").text, "It was stopped by signal 11");
}

TEST(submission_process, leaves_nothing_behind) {
  const workshop::private_folder temporary;  // closed to other users
  setenv("TMPDIR", temporary.path().c_str(), 1);
  {
    const compiled_module module = compiled(flavour::plain);
    EXPECT_EQ(module.module.parent_path().parent_path(), temporary.path());
    at_work submission(module);
    submission.call("crash");
    submission.call("right");
  }
  unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
}

TEST(submission_process, inspects_the_checked_flavour) {
  if (!std::filesystem::exists(workshop::build_folder(flavour::checked) /
                               "assessments/tasks/small_task/submission.json"))
    GTEST_SKIP() << "the checked flavour isn't built";
  at_work submission(checked());
  const call_result right = submission.call("right", 1000, true);
  EXPECT_FALSE(right.went_wrong) << right.went_wrong->text;
  ASSERT_TRUE(right.inspection);
  EXPECT_TRUE(right.inspection->findings.empty());
  EXPECT_FALSE(right.inspection->lines.empty());
  EXPECT_EQ(right.inspection->lines[0].where.file, "many_faces.cpp");
  const call_result race = submission.call("race", 1000, true);
  ASSERT_TRUE(race.inspection);
  ASSERT_FALSE(race.inspection->findings.empty());
  EXPECT_EQ(race.inspection->findings[0].access.where.file, "many_faces.cpp");
  // Through a pointer, so that the line is found in the debugging information.
  EXPECT_EQ(race.inspection->findings[0].access.where.line, small_task::line_with("race here"));
  EXPECT_EQ(submission.call("crash", 1000, true).went_wrong.value().place.line, small_task::line_with("crash here"));
}

TEST(submission_process, knows_what_the_devices_work_has_used) {
  if (!std::filesystem::exists(workshop::build_folder(flavour::checked) /
                               "assessments/tasks/small_task/submission.json"))
    GTEST_SKIP() << "the checked flavour isn't built";
  const call_result right = at_work(checked()).call("right", 1000, true);
  ASSERT_EQ(right.arrays.size(), 4u);
  const auto expect = [&](std::size_t k, const char* name, std::uint64_t used) {
    EXPECT_EQ(right.arrays[k].name, name);
    EXPECT_EQ(right.arrays[k].bytes, 4000u) << name;
    EXPECT_EQ(right.arrays[k].used, used) << name;
  };
  expect(0, "x", 0);
  expect(1, "held", 4000);
  expect(2, "out", 4000);
  expect(3, "y", 0);
}

TEST(submission_process, can_give_the_device_other_values_than_the_host_and_close_its_memory) {
  const small_task::problem problem;
  submission_process closed(small_task::task(), problem, plain(), workshop::strongest_isolation(), 3, true);
  const auto call = [&](const char* behaviour) { return closed.call(small_task::sized(1000, behaviour), 1); };
  const call_result right = call("right");  // which computes y on the host
  ASSERT_EQ(right.arrays.size(), 4u);
  EXPECT_EQ(right.arrays[0].lacking, 4000u) << "x, which it never brings to the device";
  EXPECT_EQ(right.arrays[1].lacking, 0u) << "held";
  EXPECT_EQ(right.arrays[2].lacking, 0u) << "out";
  EXPECT_EQ(right.arrays[3].lacking, 4000u) << "y, which it never brings back";
  ASSERT_TRUE(right.went_wrong);
  EXPECT_EQ(right.went_wrong->kind, mishap_kind::wrong_answer);
  EXPECT_EQ(right.went_wrong->array, "y") << "what kernels made is right: " << right.went_wrong->text;
  for (const auto& [behaviour, text] :
       {std::pair{"host_reads", "read by the host here"}, {"host_writes", "written by the host here"}}) {
    const call_result touched = call(behaviour);
    ASSERT_TRUE(touched.went_wrong) << behaviour;
    EXPECT_EQ(touched.went_wrong->kind, mishap_kind::host_work) << touched.went_wrong->text;
    EXPECT_EQ(touched.went_wrong->place.line, small_task::line_with(text));
    EXPECT_NE(touched.went_wrong->text.find(behaviour == std::string("host_reads") ? "reads" : "writes"),
              std::string::npos)
        << touched.went_wrong->text;
  }
  EXPECT_FALSE(at_work().call("host_reads").went_wrong) << "an ordinary call doesn't see it";
}

TEST(submission_process, reads_no_inspection_without_end) {
  if (!std::filesystem::exists(workshop::build_folder(flavour::checked) /
                               "assessments/tasks/small_task/submission.json"))
    GTEST_SKIP() << "the checked flavour isn't built";
  EXPECT_EQ(grader::run_limits{}.inspection_bytes, 16'000'000u);
  grader::task t = small_task::task();
  t.limits.inspection_bytes = 1000;
  at_work submission(checked(), t);
  const call_result result = submission.call("right", 1000, true);
  EXPECT_FALSE(result.inspection);
  EXPECT_EQ(result.went_wrong.value().kind, mishap_kind::refused);
  EXPECT_HAS(result.went_wrong->text, "The instruments' report of one call takes ");
  EXPECT_FALSE(submission.call("right").went_wrong) << "the next call has a new process";
}

TEST(submission_process, does_not_inspect_the_plain_flavour) {
  at_work submission;
  EXPECT_TRUE(
      runtime_test::refused([&] { submission.call("right", 10, true); },
                            {"inspect a call: the module has the plain flavour, which observes nothing; compile "
                             "it for the checked flavour"}));
}

TEST(untrusted_inspection, is_no_deeper_than_an_inspection) {
  nlohmann::ordered_json inspection = workbook::inspection_json(gs::inspection{});
  EXPECT_TRUE(grader::read_untrusted_inspection(inspection.dump()));
  nlohmann::ordered_json deep = 1;
  for (int k = 0; k < 80; ++k) deep = nlohmann::ordered_json::array({deep});
  inspection["more"] = deep;
  EXPECT_NO_THROW(workbook::read_inspection(inspection));
  EXPECT_FALSE(grader::read_untrusted_inspection(inspection.dump()));
  for (const char* malformed : {"", "{}", "[", "7"})
    EXPECT_FALSE(grader::read_untrusted_inspection(malformed)) << malformed;
}

}  // namespace submission_process_test
