// From calls to a verdict: each criterion's points, what a failure stops, what is left out.

#include "assessments/grader/verdict/grade.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "assessments/grader/verdict/file_hash.h"
#include "runtime/core/error.h"
#include "tests/assessments/verdict/grading_fixture.h"

namespace grade_test {

// A call under the instruments that read all of its inputs, without findings.
call_result inspected(std::uint64_t bytes = 4000) {
  call_result r;
  r.inspection.emplace();
  gs::line_counters& line = r.inspection->lines.emplace_back();
  line.where = {"/somewhere/else/mine.cpp", 7, 3};
  line.array = "values";
  line.kernel = "count";
  line.requests = 32;
  line.accesses = 1000;
  line.bytes_used = bytes;
  line.sectors = line.ideal_sectors = 125;
  return r;
}

TEST_F(grading, passes_what_is_right) {
  std::vector<std::uint64_t> sizes;
  std::map<std::uint64_t, std::vector<std::uint64_t>> seeds;
  fake.call = [&](const test_case& c, std::uint64_t seed, bool, bool) {
    sizes.push_back(c.sizes.at("values"));
    seeds[sizes.back()].push_back(seed);
    return call_result{};
  };
  task.pass_points = 40;
  const verdict v = grade({.seed = 5});
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(v.points, 40);
  EXPECT_EQ(v.possible, 40);
  EXPECT_EQ(v.seed, 5u);
  EXPECT_EQ(v.isolation, "bubblewrap");
  EXPECT_EQ(v.sha256.size(), 64u);
  EXPECT_TRUE(v.mishaps.empty());
  EXPECT_EQ(result(v, "right").summary, "7 of 7 calls right");
  // Hidden cases come twice, the second time backwards, each with inputs of its own.
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{0, 1, 33, 31, 1009, 1009, 31}));
  EXPECT_NE(seeds[31][0], seeds[31][1]);
  const auto public_seed = seeds[33], hidden_seed = seeds[31];
  seeds.clear();
  grade({.seed = 6});
  EXPECT_EQ(seeds[33], public_seed);
  EXPECT_NE(seeds[31], hidden_seed);
  seeds.clear();
  grade({.seed = 5});
  EXPECT_EQ(seeds[31], hidden_seed);
}

TEST_F(grading, gives_points_in_proportion_to_right_cases_from_half_on) {
  fake.call = [](const test_case& c, std::uint64_t, bool, bool) {
    return c.sizes.at("values") % 2 == 1 && c.sizes.at("values") > 32 ? wrong(mishap_kind::wrong_answer)
                                                                      : call_result{};
  };
  verdict v = grade();
  EXPECT_FALSE(v.passed);
  EXPECT_EQ(result(v, "right").state, criterion_state::partly);
  EXPECT_DOUBLE_EQ(v.points, 40 * 3 / 5.0);
  EXPECT_EQ(result(v, "right").summary, "3 of 5 calls right; the first wrong one: values 33, normal");
  ASSERT_EQ(v.mishaps.size(), 2u);
  EXPECT_EQ(v.mishaps[0].criterion, "right");
  EXPECT_EQ(v.mishaps[0].call, "values 33, normal");

  fake.call = [](const test_case& c, std::uint64_t, bool, bool) {
    return c.sizes.at("values") > 1 ? wrong(mishap_kind::wrong_answer) : call_result{};
  };
  v = grade();
  EXPECT_EQ(result(v, "right").state, criterion_state::failed);
  EXPECT_EQ(v.points, 0);
}

TEST_F(grading, finds_an_answer_that_was_kept) {
  int calls = 0;
  fake.call = [&](const test_case& c, std::uint64_t, bool, bool) {
    return c.sizes.at("values") == 31 && ++calls == 2 ? wrong(mishap_kind::wrong_answer) : call_result{};
  };
  const verdict v = grade();
  EXPECT_FALSE(v.passed);
  EXPECT_EQ(result(v, "right").summary, "6 of 7 calls right; the first wrong one: values 31, normal");
}

TEST_F(grading, ends_at_the_first_wrong_call_if_told_to) {
  add(criterion_kind::copies, "copies", 20);
  add(criterion_kind::speed, "speed", 20);
  add(criterion_kind::instruments, "findings", 20).instruments = {"memcheck"};
  std::vector<std::uint64_t> sizes;
  fake.call = [&](const test_case& c, std::uint64_t, bool, bool) {
    sizes.push_back(c.sizes.at("values"));
    return c.sizes.at("values") == 33 ? wrong(mishap_kind::wrong_answer) : call_result{};
  };
  const verdict v = grade({.until_first_failure = true});
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{0, 1, 33}));
  EXPECT_EQ(fake.compiled, (std::vector{workshop::flavour::plain})) << "the checked flavour wasn't needed";
  EXPECT_FALSE(v.passed);
  ASSERT_EQ(v.mishaps.size(), 1u);
  EXPECT_EQ(result(v, "right").summary,
            "2 of 3 calls right; the first wrong one: values 33, normal; 2 cases were not called after it");
  for (const char* id : {"copies", "findings", "speed"}) {
    EXPECT_EQ(result(v, id).state, criterion_state::not_run);
    EXPECT_EQ(result(v, id).summary, "not run: grading ended with right");
  }
}

TEST_F(grading, ends_at_the_first_criterion_that_fails_if_told_to) {
  add(criterion_kind::copies, "copies", 20);
  add(criterion_kind::speed, "speed", 20);
  for (const char* id : {"conflicts", "more_conflicts"})
    add(criterion_kind::counter, id, 10).counter = "bank_conflicts";
  std::uint64_t calls = 0, inspections = 0, bytes_seen = 4000;
  fake.call = [&](const test_case&, std::uint64_t, bool inspect, bool) {
    ++(inspect ? inspections : calls);
    call_result r = inspect ? inspected(bytes_seen) : call_result{};
    r.seconds = 0.001;
    return r;
  };
  EXPECT_EQ(grade({.until_first_failure = true}).points, 100) << "what is right is graded as ever";
  EXPECT_EQ(fake.compiled, (std::vector{workshop::flavour::plain, workshop::flavour::checked}));
  calls = inspections = 0;
  bytes_seen = 0;
  const verdict v = grade({.until_first_failure = true});
  EXPECT_EQ(calls, 5u);
  EXPECT_EQ(inspections, 1u);
  EXPECT_EQ(result(v, "right").state, criterion_state::passed);
  EXPECT_EQ(result(v, "conflicts").state, criterion_state::failed);
  for (const char* id : {"more_conflicts", "copies", "speed"})
    EXPECT_EQ(result(v, id).summary, "not run: grading ended with conflicts");
}

TEST_F(grading, leaves_speed_out_if_told_to) {
  add(criterion_kind::speed, "speed", 60);
  int calls = 0;
  fake.call = [&](const test_case&, std::uint64_t, bool, bool baseline) {
    EXPECT_FALSE(baseline);
    ++calls;
    return call_result{};
  };
  const verdict v = grade({.measure_speed = false});
  EXPECT_EQ(calls, 7) << "and correctness again";
  EXPECT_EQ(v.points, 40);
  EXPECT_EQ(v.possible, 100);
  EXPECT_EQ(result(v, "speed").state, criterion_state::not_run);
  EXPECT_EQ(result(v, "speed").summary, "not run: speed was left out");
}

TEST_F(grading, names_the_very_bytes_that_are_compiled) {
  const std::string text = "// mine\n";
  fake.on_compile = [&](const workshop::source_file& source) {
    EXPECT_EQ(source.text, text);
    std::ofstream(file) << "// another one\n";  // too late
  };
  add(criterion_kind::instruments, "findings", 20).instruments = {"memcheck"};
  EXPECT_EQ(grade({.compile_at_once = false}).sha256, grader::sha256_of(text));
}

TEST_F(grading, stops_calling_after_two_time_outs) {
  int calls = 0;
  fake.call = [&](const test_case&, std::uint64_t, bool, bool) {
    ++calls;
    return wrong(mishap_kind::timed_out);
  };
  const verdict v = grade();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(result(v, "right").summary,
            "0 of 2 calls right; the first wrong one: values 0, normal; 3 cases were not called after two time-outs");
}

TEST_F(grading, stops_calling_after_four_calls_that_ran_out_of_memory) {
  int calls = 0;
  fake.call = [&](const test_case&, std::uint64_t, bool, bool) {
    ++calls;
    return wrong(mishap_kind::out_of_memory);
  };
  add(criterion_kind::copies, "copies", 20);
  const verdict v = grade();
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(
      result(v, "right").summary,
      "0 of 4 calls right; the first wrong one: values 0, normal; 1 case was not called after four calls that ran "
      "out of memory");
  EXPECT_EQ(result(v, "copies").summary, "not run: no more calls after four calls that ran out of memory");
}

TEST_F(grading, calls_nothing_for_other_criteria_either_after_two_time_outs) {
  int calls = 0;
  fake.call = [&](const test_case&, std::uint64_t, bool, bool) {
    ++calls;
    return wrong(mishap_kind::timed_out);
  };
  add(criterion_kind::instruments, "findings", 20).instruments = {"memcheck"};
  add(criterion_kind::copies, "copies", 20);
  add(criterion_kind::speed, "speed", 20);
  const verdict v = grade();
  EXPECT_EQ(calls, 2);
  for (const char* id : {"findings", "copies", "speed"}) {
    EXPECT_EQ(result(v, id).state, criterion_state::not_run) << id;
    EXPECT_EQ(result(v, id).summary, "not run: no more calls after two time-outs") << id;
    EXPECT_EQ(result(v, id).possible, 20) << id;
  }
}

TEST_F(grading, runs_nothing_that_does_not_compile) {
  fake.compile_mishap.emplace();
  fake.compile_mishap->kind = mishap_kind::compile_error;
  fake.compile_mishap->place = {"/private/folder/mine.cpp", 3, 1};
  fake.call = [](const test_case&, std::uint64_t, bool, bool) -> call_result { throw std::logic_error("called"); };
  add(criterion_kind::speed, "speed", 60);
  const verdict v = grade();
  EXPECT_FALSE(v.passed);
  EXPECT_EQ(v.points, 0);
  ASSERT_EQ(v.mishaps.size(), 1u);
  EXPECT_EQ(v.mishaps[0].place.file, file.string());
  for (const auto& r : v.criteria) {
    EXPECT_EQ(r.state, criterion_state::not_run);
    EXPECT_EQ(r.summary, "not run: compile error");
  }
}

TEST_F(grading, refuses_a_source_that_is_too_large) {
  std::ofstream(file) << std::string(workshop::largest_source + 1, ' ');
  const verdict v = grade();
  ASSERT_EQ(v.mishaps.size(), 1u);
  EXPECT_EQ(v.mishaps[0].kind, mishap_kind::refused);
  EXPECT_EQ(v.mishaps[0].text, "The file is larger than 1024 KiB.");
  EXPECT_FALSE(v.passed);
}

TEST_F(grading, leaves_out_what_does_not_fit_into_memory) {
  task.hidden_cases[1].bytes_needed = 3'000'000'000;
  grader::criterion& copies = add(criterion_kind::copies, "copies", 60);
  copies.cases[0].bytes_needed = 5'000'000'000;
  const verdict v = grade({.memory_bytes = 1'000'000'000});
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(v.points, 40);
  EXPECT_EQ(v.possible, 40);
  EXPECT_EQ(result(v, "copies").state, criterion_state::not_run);
  EXPECT_EQ(result(v, "copies").summary, "no case fits into this machine's memory");
  EXPECT_EQ(v.notes, (std::vector<std::string>{
                         "values 1,009, normal was left out: it needs 3 GB of memory, and 1 GB are free",
                         "values 1,000, normal was left out: it needs 5 GB of memory, and 1 GB are free"}));
}

TEST_F(grading, counts_copies) {
  grader::criterion& c = add(criterion_kind::copies, "copies", 60);
  c.copies_to_device = 2;
  c.copies_to_host = 1;
  const auto copies = [&](std::uint64_t in, std::uint64_t out) {
    fake.call = [=](const test_case&, std::uint64_t, bool inspect, bool) {
      call_result r = inspect ? inspected() : call_result{};
      if (inspect)
        r.inspection->copies = {{.where = {"/x/entry.cpp", 3, 0}, .copies_to_host = 7},
                                {.where = {"/x/mine.cpp", 5, 2}, .copies_to_device = 2},
                                {.where = {"/x/mine.cpp", 8, 0}, .copies_to_device = 3, .copies_to_host = 1},
                                {.where = {"/x/mine.cpp", 9, 0}, .copies_to_host = 2}};
      r.account.copies_to_device = in;
      r.account.bytes_to_device = 4000 * in;
      r.account.copies_to_host = out;
      return r;
    };
    return grade();
  };
  verdict v = copies(2, 1);
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(result(v, "copies").summary, "2 copies to the device, 1 copy back");
  v = copies(5, 3);
  EXPECT_EQ(result(v, "copies").state, criterion_state::failed);
  ASSERT_EQ(v.mishaps.size(), 1u);
  EXPECT_EQ(v.mishaps[0].kind, mishap_kind::too_many_copies);
  EXPECT_EQ(v.mishaps[0].text,
            "Expected: 2 copies to the device and 1 copy back. Found: 5 copies to the device (20 kB) and 3 copies back "
            "(0 B), with 0 arrays allocated on the device and 0 launches.");
  EXPECT_EQ(v.mishaps[0].details,
            "With values 33, normal, these lines copy:\n  " + file.string() + ":5: 2 copies to the device\n  " +
                file.string() + ":8: 3 copies to the device, 1 copy back\n  " + file.string() + ":9: 2 copies back");
  EXPECT_EQ(result(copies(1, 1), "copies").state, criterion_state::failed);
}

TEST_F(grading, shows_findings_of_the_instruments_asked_for) {
  grader::criterion& c = add(criterion_kind::instruments, "findings", 60);
  c.instruments = {"racecheck", "memcheck"};
  c.required = true;
  gs::finding finding;
  finding.kind = gs::finding_kind::race_between_blocks;
  finding.access.where = {"/box/mine.cpp", 1, 4};
  finding.other.emplace();
  finding.other->where = {"/box/mine.cpp", 1, 8};
  finding.meaning = "Nothing decides which of the two comes first.";
  finding.hint = "Use an atomic operation.";
  fake.call = [&](const test_case&, std::uint64_t, bool inspect, bool) {
    if (!inspect) return call_result{};
    call_result r = inspected();
    r.inspection->findings = {finding, finding};
    return r;
  };
  verdict v = grade();
  EXPECT_FALSE(v.passed);
  EXPECT_EQ(v.points, 40);
  EXPECT_EQ(result(v, "findings").summary, "2 findings at 1 place");
  ASSERT_EQ(v.mishaps.size(), 1u);  // the same one twice
  EXPECT_EQ(v.mishaps[0].kind, mishap_kind::race);
  EXPECT_EQ(v.mishaps[0].place, (gs::source_place{file.string(), 1, 4}));
  EXPECT_EQ(v.mishaps[0].other_place, (gs::source_place{file.string(), 1, 8}));
  EXPECT_EQ(v.mishaps[0].text, "race between blocks: Nothing decides which of the two comes first.");
  EXPECT_NE(v.mishaps[0].details.find("// mine"), std::string::npos) << v.mishaps[0].details;
  EXPECT_NE(v.mishaps[0].details.find("Hint: Use an atomic operation."), std::string::npos) << v.mishaps[0].details;

  finding.kind = gs::finding_kind::outside_shape;
  finding.other.reset();
  v = grade();
  ASSERT_EQ(v.mishaps.size(), 1u);
  EXPECT_EQ(v.mishaps[0].kind, mishap_kind::finding);

  finding.kind = gs::finding_kind::uninitialized_read;  // the task doesn't ask for initcheck
  EXPECT_TRUE(grade().passed);
}

TEST_F(grading, gives_no_points_for_what_was_not_observed) {
  grader::criterion& c = add(criterion_kind::instruments, "findings", 30);
  c.instruments = {"memcheck"};
  grader::criterion& counter = add(criterion_kind::counter, "conflicts", 30);
  counter.counter = "bank_conflicts";
  fake.call = [](const test_case&, std::uint64_t, bool inspect, bool) {
    return inspect ? inspected(3996) : call_result{};
  };
  verdict v = grade();
  EXPECT_EQ(v.points, 40);
  EXPECT_EQ(result(v, "findings").summary,
            "no finding, but kernels reached 3,996 bytes of global memory at values 1,000, normal, and the inputs have "
            "4,000: work done outside of kernels can't be observed");
  EXPECT_EQ(result(v, "conflicts").summary,
            "not counted: kernels did not reach all of the inputs at values 1,000, normal");
  // A wrong answer is no base for points either, but findings explain it.
  fake.call = [](const test_case&, std::uint64_t, bool inspect, bool) {
    call_result r = inspect ? inspected() : call_result{};
    r.went_wrong = wrong(mishap_kind::wrong_answer).went_wrong;
    return r;
  };
  v = grade();
  EXPECT_EQ(v.points, 0);
  EXPECT_EQ(result(v, "findings").summary, "no finding, but wrong answer at values 1,000, normal");
  EXPECT_EQ(std::ranges::count(v.mishaps, "right", &mishap::criterion), 3) << "at most three wrong answers are shown";
  EXPECT_EQ(v.mishaps.size(), 3u);
}

TEST_F(grading, inspects_a_case_once_for_all_criteria) {
  for (const char* id : {"one", "two"}) add(criterion_kind::counter, id, 30).counter = "bank_conflicts";
  int inspections = 0;
  fake.call = [&](const test_case&, std::uint64_t, bool inspect, bool) {
    inspections += inspect;
    return inspect ? inspected() : call_result{};
  };
  EXPECT_TRUE(grade().passed);
  EXPECT_EQ(inspections, 1);
}

TEST_F(grading, inspects_nothing_more_after_a_time_out) {
  grader::criterion& c = add(criterion_kind::instruments, "findings", 60);
  c.instruments = {"memcheck"};
  c.cases = {sized(10), sized(20), sized(30)};
  int inspections = 0;
  fake.call = [&](const test_case&, std::uint64_t, bool inspect, bool) {
    inspections += inspect;
    return inspect ? wrong(mishap_kind::timed_out) : call_result{};
  };
  const verdict v = grade();
  EXPECT_EQ(inspections, 1);
  EXPECT_EQ(v.points, 40);
}

TEST_F(grading, names_the_line_that_counts_most) {
  grader::criterion& c = add(criterion_kind::counter, "coalesced", 60);
  c.counter = "excess_sectors";
  c.at_most = 0.1;
  fake.call = [](const test_case&, std::uint64_t, bool inspect, bool) {
    if (!inspect) return call_result{};
    call_result r = inspected();
    r.inspection->lines.push_back(r.inspection->lines[0]);
    r.inspection->lines[1].where.line = 9;
    r.inspection->lines[1].sectors = 1000;
    return r;
  };
  const verdict v = grade();
  ASSERT_EQ(v.mishaps.size(), 1u);
  EXPECT_EQ(v.mishaps[0].kind, mishap_kind::counter);
  EXPECT_EQ(v.mishaps[0].place, (gs::source_place{file.string(), 9, 3}));
  EXPECT_EQ(
      v.mishaps[0].text,
      "3.5 unneeded sectors of global memory moved for each needed one; at most 0.1 is asked for. 100 % of it at this "
      "line: the read of values in count.");
  EXPECT_EQ(v.mishaps[0].details, "A request moves 1,000 bytes in sectors of 32, and its lanes ask for 125 of them.");
}

// --- what the host has done ------------------------------------------------------------------------------------------

using array_use = call_result::array_use;

// A call with an input of 4,000 bytes and an output of as many, both on the host.
call_result closed(std::uint64_t lacking_in, std::uint64_t lacking_out, std::uint64_t launches = 1) {
  call_result r;
  r.seconds = 1;
  r.account.launches = launches;
  for (const auto& [name, role, lacking] : {std::tuple{"x", grader::array_role::host_input, lacking_in},
                                            {"y", grader::array_role::host_output, lacking_out}})
    r.arrays.push_back({.name = name, .role = role, .bytes = 4000, .used = 4000, .lacking = lacking});
  return r;
}

TEST_F(grading, does_not_take_a_kernel_that_throws_for_work_of_the_host) {
  add(criterion_kind::device, "device", 0).required = true;
  call_result thrown = closed(0, 0, 0);
  thrown.went_wrong = mishap{.kind = mishap_kind::exception, .text = "It threw an exception: a loop that waits."};
  fake.call = [&](const test_case&, std::uint64_t, bool, bool) { return thrown; };
  const verdict v = grade();
  EXPECT_FALSE(v.passed);
  EXPECT_EQ(result(v, "device").summary, "not told: exception at values 1,000, normal");
}

TEST_F(grading, gives_no_points_for_what_the_host_has_done) {
  add(criterion_kind::device, "device", 0).required = true;
  add(criterion_kind::copies, "copies", 30);
  add(criterion_kind::speed, "speed", 30);
  const auto verdict_of = [&](const call_result& r) {
    fake.call = [&](const test_case&, std::uint64_t, bool, bool) { return r; };
    return grade();
  };
  verdict v = verdict_of(closed(0, 0));
  EXPECT_TRUE(v.passed);
  EXPECT_EQ(result(v, "device").state, criterion_state::passed);

  for (const auto& [call, text] :
       {std::pair{closed(0, 0, 0),
                  "It launched no kernel and called no ufunc or library function on the device: points are for what "
                  "the device does."},
        {closed(1200, 0),
         "1,200 of the 4,000 bytes of x were not brought to the device as they are. Copy the input itself with "
         "gs::to_device, or pass it to a ufunc, and let kernels do the rest."},
        {closed(0, 4000),
         "4,000 of the 4,000 bytes of y are not what was last copied back from the device: the host made or changed "
         "them. Let a kernel write the answer, copy it back and return it as it is."}}) {
    v = verdict_of(call);
    EXPECT_FALSE(v.passed);
    EXPECT_EQ(v.points, 0) << text;
    ASSERT_EQ(v.mishaps.size(), 1u);
    EXPECT_EQ(v.mishaps[0].kind, mishap_kind::host_work);
    EXPECT_EQ(v.mishaps[0].text, text);
    EXPECT_EQ(result(v, "device").summary, "the host did the work at values 1,000, normal");
    EXPECT_EQ(result(v, "right").summary, "no points without \"device\" (5 of 5 calls right)");
    EXPECT_EQ(result(v, "speed").summary, "not run: the kernels don't do the work");
  }
}

TEST_F(grading, gives_no_points_for_accesses_that_were_not_seen) {
  add(criterion_kind::device, "device", 0).required = true;
  grader::criterion& c = add(criterion_kind::instruments, "findings", 30);
  c.instruments = {"memcheck"};
  fake.call = [](const test_case&, std::uint64_t, bool inspect, bool) {
    call_result r = inspect ? inspected() : call_result{};
    r.arrays = closed(0, 0).arrays;
    r.account.launches = 1;
    if (inspect) r.arrays[1].used = 400;
    return r;
  };
  const verdict v = grade();
  EXPECT_EQ(v.points, 0);
  EXPECT_EQ(result(v, "findings").summary,
            "no finding, but 3,600 of the 4,000 bytes of y were not written by a kernel or a library call that the "
            "instruments saw at values 1,000, normal");
  ASSERT_EQ(v.mishaps.size(), 1u);
  EXPECT_EQ(v.mishaps[0].kind, mishap_kind::host_work);
  EXPECT_EQ(v.mishaps[0].text.find("3,600 of the 4,000 bytes of y were not written"), 0u) << v.mishaps[0].text;
}

TEST_F(grading, counts_copies_that_carry_the_arrays) {
  grader::criterion& c = add(criterion_kind::copies, "copies", 60);
  c.copies_to_device = c.copies_to_host = 1;
  std::uint64_t bytes_in = 4000, bytes_out = 4000;
  fake.call = [&](const test_case&, std::uint64_t, bool, bool) {
    call_result r = closed(0, 0);
    r.account.copies_to_device = r.account.copies_to_host = 1;
    r.account.bytes_to_device = bytes_in;
    r.account.bytes_to_host = bytes_out;
    return r;
  };
  EXPECT_TRUE(grade().passed);
  bytes_in = 4;
  verdict v = grade();
  EXPECT_EQ(v.points, 40);
  EXPECT_EQ(v.mishaps[0].text,
            "The copies to the device carry 4 bytes, and x has 4,000: copy the whole arrays and nothing else.");
  bytes_in = 4000;
  bytes_out = 8000;
  v = grade();
  EXPECT_EQ(v.mishaps[0].text,
            "The copies back carry 8,000 bytes, and y has 4,000: copy the whole arrays and nothing else.");
}

TEST_F(grading, asks_for_the_required_whatever_the_points) {
  task.pass_points = 10;
  grader::criterion& c = add(criterion_kind::copies, "copies", 60);
  c.copies_to_host = 1;
  EXPECT_TRUE(grade().passed);
  task.criteria[1].required = true;
  EXPECT_FALSE(grade().passed);
}

TEST_F(grading, keeps_times_and_output_and_makes_them_printable) {
  fake.printed = "PASS\x1b[2J\n";
  fake.call = [](const test_case&, std::uint64_t, bool, bool) {
    call_result r = wrong(mishap_kind::exception);
    r.went_wrong->text = "it said \x1b]0;title\x07 and \xff";
    return r;
  };
  const verdict v = grade();
  EXPECT_EQ(v.output, "PASS?[2J\n");
  EXPECT_EQ(v.mishaps[0].text, "it said ?]0;title? and ?");
  ASSERT_EQ(v.times.size(), 2u);
  EXPECT_EQ(v.times[0].stage, "compile");
  EXPECT_EQ(v.times[1].stage, "correctness");
}

TEST_F(grading, passes_on_what_the_machine_lacks) {
  fake.call = [](const test_case&, std::uint64_t, bool, bool) -> call_result {
    throw gs::machine_error("starting a sandbox", "it does not work", "install bubblewrap");
  };
  EXPECT_THROW(grade(), gs::machine_error);
}

}  // namespace grade_test
