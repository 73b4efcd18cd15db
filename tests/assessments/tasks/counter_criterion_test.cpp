// Counters of made-up inspections.

#include "assessments/grader/tasks/counter_criterion.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "runtime/core/error.h"

namespace counter_criterion_test {

using gs::access_kind, gs::memory_space;

gs::line_counters& line(gs::inspection& inspection, memory_space space, access_kind kind, unsigned number) {
  gs::line_counters& c = inspection.lines.emplace_back();
  c.space = space;
  c.kind = kind;
  c.where = {"mine.cpp", number, 1};
  c.requests = 10;
  c.accesses = 320;
  c.bytes_used = 1280;
  return c;
}

const grader::test_case thousand{.sizes = {{"values", 1000}}, .data = "normal"};

TEST(counters, count_global_atomics_per_value) {
  gs::inspection inspection;
  line(inspection, memory_space::global, access_kind::atomic, 1).accesses = 100;
  line(inspection, memory_space::global, access_kind::atomic, 2).accesses = 300;
  line(inspection, memory_space::shared, access_kind::atomic, 3).accesses = 1000;
  line(inspection, memory_space::global, access_kind::write, 4);
  const grader::counted c = grader::count("global_atomics_per_value", inspection, thousand);
  EXPECT_DOUBLE_EQ(c.value, 0.4);
  ASSERT_NE(c.worst, nullptr);
  EXPECT_EQ(c.worst->where.line, 2u);
  EXPECT_DOUBLE_EQ(c.worst_share, 0.75);
  EXPECT_EQ(grader::count("global_atomics_per_value", inspection, {.sizes = {{"values", 0}}, .data = ""}).value, 0);
}

TEST(counters, count_sectors_moved_in_vain) {
  gs::inspection inspection;
  for (const auto& [number, sectors] : {std::pair{1u, 40u}, {2u, 320u}, {3u, 60u}})
    line(inspection, memory_space::global, number == 1 ? access_kind::write : access_kind::read, number).sectors =
        sectors;
  gs::line_counters& atomic = line(inspection, memory_space::global, access_kind::atomic, 4);
  atomic.sectors = 1000;
  const grader::counted c = grader::count("excess_sectors", inspection, thousand);
  EXPECT_DOUBLE_EQ(c.value, 420 * 32 / 3840.0 - 1);
  EXPECT_EQ(c.worst->where.line, 2u);
}

// Request by request it is ideal: a sector for each.
TEST(counters, a_thread_alone_wastes_sectors_too) {
  gs::inspection inspection;
  gs::line_counters& c = line(inspection, memory_space::global, access_kind::read, 1);
  c.requests = c.accesses = c.sectors = c.ideal_sectors = 1000;
  c.bytes_used = 4000;
  EXPECT_DOUBLE_EQ(grader::count("excess_sectors", inspection, thousand).value, 7);
}

TEST(counters, count_bytes_for_each_value) {
  gs::inspection inspection;
  line(inspection, memory_space::global, access_kind::read, 1).bytes_used = 4000;
  line(inspection, memory_space::global, access_kind::write, 2).bytes_used = 2000;
  line(inspection, memory_space::global, access_kind::atomic, 3).bytes_used = 70'000;
  line(inspection, memory_space::shared, access_kind::read, 4).bytes_used = 90'000;
  const grader::counted c = grader::count("global_bytes_per_value", inspection, thousand);
  EXPECT_DOUBLE_EQ(c.value, 6);
  ASSERT_NE(c.worst, nullptr);
  EXPECT_EQ(c.worst->where.line, 1u);
}

// Blocks of a kernel that does nothing, or next to nothing, don't count.
TEST(counters, count_bytes_for_each_block_that_works) {
  gs::inspection inspection;
  for (const auto& [number, kernel, moved] :
       {std::tuple{1u, "works", 6000u}, {2u, "works", 2000u}, {3u, "clears", 400u}}) {
    gs::line_counters& c = line(inspection, memory_space::global, access_kind::read, number);
    c.kernel = kernel;
    c.bytes_used = moved;
  }
  for (const auto& [kernel, blocks, launches] :
       {std::tuple{"works", 3u, 2u}, {"works", 4u, 1u}, {"clears", 500u, 1u}, {"idles", 9000u, 1u}}) {
    gs::kernel_counters& k = inspection.kernels.emplace_back();
    k.kernel = kernel;
    k.grid = {blocks, 1, 1};
    k.launches = launches;
  }
  EXPECT_DOUBLE_EQ(grader::count("global_bytes_per_block", inspection, thousand).value, 8400.0 / 10);
}

// A warp whose lanes all read the same float asks for 4 bytes, and reads it 32 times.
TEST(counters, count_reads_for_each_interaction) {
  gs::inspection inspection;
  line(inspection, memory_space::global, access_kind::read, 1).bytes_used = 40;
  line(inspection, memory_space::global, access_kind::read, 2).accesses = 80;
  line(inspection, memory_space::global, access_kind::write, 3);
  line(inspection, memory_space::global, access_kind::atomic, 4);
  line(inspection, memory_space::shared, access_kind::read, 5);
  const grader::test_case c{.sizes = {{"bodies", 10}, {"steps", 2}}, .data = ""};
  const grader::counted reads = grader::count("global_reads_per_interaction", inspection, c);
  EXPECT_DOUBLE_EQ(reads.value, 400.0 / 200);
  ASSERT_NE(reads.worst, nullptr);
  EXPECT_EQ(reads.worst->where.line, 1u);
  EXPECT_EQ(
      grader::count("global_reads_per_interaction", inspection, {.sizes = {{"bodies", 10}, {"steps", 0}}, .data = ""})
          .value,
      0);
}

TEST(counters, count_calls_of_libraries) {
  gs::inspection inspection;
  line(inspection, memory_space::global, access_kind::read, 1);
  EXPECT_EQ(grader::count("library_calls", inspection, thousand).value, 0);
  inspection.ufunc_calls = 2;
  EXPECT_EQ(grader::count("library_calls", inspection, thousand).value, 2);
}

TEST(counters, count_bank_conflicts) {
  gs::inspection inspection;
  gs::line_counters& conflicts = line(inspection, memory_space::shared, access_kind::read, 1);
  conflicts.wavefronts = 320;
  conflicts.ideal_wavefronts = 10;
  gs::line_counters& fine = line(inspection, memory_space::shared, access_kind::write, 2);
  fine.wavefronts = fine.ideal_wavefronts = 10;
  EXPECT_EQ(grader::count("bank_conflicts", inspection, thousand).value, 310);
}

TEST(counters, are_0_of_nothing) {
  const grader::test_case any{.sizes = {{"values", 1000}, {"bodies", 100}, {"steps", 2}}, .data = ""};
  for (const std::string_view name : grader::counter_names()) {
    const grader::counted c = grader::count(name, {}, any);
    EXPECT_EQ(c.value, 0);
    EXPECT_EQ(c.worst, nullptr);
    EXPECT_FALSE(grader::meaning_of(name).empty());
  }
}

TEST(counters, know_what_was_seen) {
  gs::inspection inspection;
  line(inspection, memory_space::global, access_kind::read, 1);
  line(inspection, memory_space::global, access_kind::atomic, 2);
  line(inspection, memory_space::shared, access_kind::read, 3);
  EXPECT_EQ(grader::global_bytes(inspection), 2560u);
}

TEST(counters, refuse_what_they_do_not_know) {
  const auto refusal = [](const char* name, const grader::test_case& c) -> std::string {
    try {
      grader::count(name, {}, c);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(
      refusal("beauty", thousand),
      "counting beauty: there is no such counter; choose global_atomics_per_value or global_bytes_per_value or "
      "global_bytes_per_block or global_reads_per_interaction or excess_sectors or bank_conflicts or library_calls");
  EXPECT_EQ(refusal("global_bytes_per_value", {.sizes = {{"rows", 3}}, .data = ""}),
            "counting global_bytes_per_value: the case has no size \"values\"; choose a counter that suits the task");
  EXPECT_EQ(
      refusal("global_reads_per_interaction", {.sizes = {{"bodies", 3}}, .data = ""}),
      "counting global_reads_per_interaction: the case has no size \"steps\"; choose a counter that suits the task");
  EXPECT_EQ(refusal("global_atomics_per_value", {.sizes = {{"rows", 3}}, .data = ""}),
            "counting global_atomics_per_value: the case has no size \"values\"; choose a counter that suits the task");
}

}  // namespace counter_criterion_test
