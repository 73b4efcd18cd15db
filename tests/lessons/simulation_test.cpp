// Lessons that simulate: opened as the viewer opens them, their steps add up.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "workbook/module.h"

namespace {

std::vector<double> values_of(const workbook::heat_map& field) {
  std::vector<double> values(field.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = field.values[i];
  return values;
}

TEST(simulations, go_on_where_they_were) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(LESSON_PROGRAMS)) {
    if (file.path().extension() != ".so") continue;
    const workbook::lesson_module module = workbook::lesson_module::open(file.path());
    if (!module.lesson().simulate) continue;
    SCOPED_TRACE(file.path().filename().string());
    ++count;
    workbook::parameters values(module.lesson().parameters);
    values.set("size", "97");
    const auto at_once = module.lesson().simulate(values), step_by_step = module.lesson().simulate(values);
    const std::size_t fields = at_once->fields().size();
    at_once->step(7);
    for (int k = 0; k < 7; ++k) {
      step_by_step->step(1);
      EXPECT_EQ(step_by_step->fields().size(), fields);
    }
    step_by_step->step(0);
    EXPECT_EQ(at_once->steps(), 7u);
    EXPECT_EQ(step_by_step->steps(), 7u);
    const auto first = at_once->fields(), second = step_by_step->fields();
    for (std::size_t k = 0; k < fields; ++k) {
      EXPECT_EQ(first[k].rows * first[k].columns, first[k].values.size());
      EXPECT_EQ(values_of(first[k]), values_of(second[k])) << first[k].title;
    }
  }
  EXPECT_GE(count, 1u);
}

TEST(simulations, diffusion_starts_with_its_field_and_smooths_it) {
  const auto module = workbook::lesson_module::open(std::string(LESSON_PROGRAMS) + "/26_diffusion.so");
  workbook::parameters values(module.lesson().parameters);
  values.set("size", "101");
  const auto simulation = module.lesson().simulate(values);
  const auto originals = simulation->originals(), heights_before = simulation->fields();
  ASSERT_EQ(originals.size(), 1u);
  ASSERT_EQ(heights_before.size(), 2u);
  EXPECT_EQ(values_of(originals[0]), values_of(heights_before[0])) << "nothing has happened yet";
  EXPECT_EQ(values_of(heights_before[1]), std::vector<double>(101 * 101, 0.0));
  simulation->step(1);
  const auto fields_after = simulation->fields();
  EXPECT_EQ(values_of(simulation->originals()[0]), values_of(originals[0]));
  const auto u = values_of(heights_before[0]), next = values_of(fields_after[0]),
             laplacian = values_of(fields_after[1]);
  for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(next[i], u[i] + 0.2 * laplacian[i], 1e-6);
  const auto at = [&](std::size_t r, std::size_t c) { return u[r * 101 + c]; };
  for (std::size_t r = 1; r < 100; ++r)
    for (std::size_t c = 1; c < 100; ++c)
      ASSERT_NEAR(laplacian[r * 101 + c], at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1) - 4 * at(r, c),
                  1e-6);
}

// The wave that is shortest in both directions: with a rate of 0.25 it only changes its sign, and the Laplacian shows
// it.
TEST(simulations, diffusion_lets_the_chessboard_fade_unless_a_quarter_flows) {
  const auto module = workbook::lesson_module::open(std::string(LESSON_PROGRAMS) + "/26_diffusion.so");
  const auto chessboard_after = [&](std::size_t steps, const char* rate) {
    workbook::parameters values(module.lesson().parameters);
    values.set("size", "64");
    if (rate) values.set("rate", rate);
    const auto simulation = module.lesson().simulate(values);
    simulation->step(steps);
    const auto laplacian = values_of(simulation->fields()[1]);
    double alike = 0, all = 0;
    for (std::size_t i = 0; i < laplacian.size(); ++i) {
      alike += (i / 64 + i % 64) % 2 == 0 ? laplacian[i] : -laplacian[i];
      all += std::abs(laplacian[i]);
    }
    return std::abs(alike) / all;  // 1 for nothing but a chessboard
  };
  EXPECT_LT(chessboard_after(200, nullptr), 0.01) << "at the lesson's own rate";
  EXPECT_GT(chessboard_after(200, "0.25"), 0.03);
}

TEST(simulations, diffusion_changes_its_kernel_and_rate_while_it_goes_on) {
  const auto module = workbook::lesson_module::open(std::string(LESSON_PROGRAMS) + "/26_diffusion.so");
  workbook::parameters values(module.lesson().parameters);
  values.set("size", "101");
  const auto simulation = module.lesson().simulate(values);
  EXPECT_EQ(simulation->main_field(), 0u);
  simulation->step(3);
  values.set("kernel", "thread");
  values.set("rate", "0.1");
  simulation->change(values);
  const auto heights_before = values_of(simulation->fields()[0]);
  EXPECT_EQ(simulation->steps(), 3u) << "a change is no new beginning";
  simulation->step(1);
  const auto fields = simulation->fields();
  const auto heights_after = values_of(fields[0]), laplacian = values_of(fields[1]);
  const auto at = [&](std::size_t r, std::size_t c) { return heights_before[r * 101 + c]; };
  for (std::size_t r = 0; r < 101; ++r)
    for (std::size_t c = 0; c < 101; ++c) {
      const double expected = at(r > 0 ? r - 1 : 0, c) + at(std::min<std::size_t>(r + 1, 100), c) +
                              at(r, c > 0 ? c - 1 : 0) + at(r, std::min<std::size_t>(c + 1, 100)) - 4 * at(r, c);
      ASSERT_NEAR(laplacian[r * 101 + c], expected, 1e-6) << r << ", " << c;
      ASSERT_NEAR(heights_after[r * 101 + c], at(r, c) + 0.1 * expected, 1e-6) << r << ", " << c;
    }
}

// Every kernel, and several steps a launch above all, whose blocks are 176 columns by 250 rows: the same bits, also
// where a halo ends beyond the edge and where the number of steps is no multiple of sixteen.
TEST(simulations, diffusion_gives_the_same_bits_with_every_kernel) {
  const auto module = workbook::lesson_module::open(std::string(LESSON_PROGRAMS) + "/26_diffusion.so");
  for (const char* size : {"1", "2", "7", "31", "32", "33", "127", "177", "185", "257"}) {
    workbook::parameters values(module.lesson().parameters);
    values.set("size", size);
    values.set("rate", "0.23");
    const auto one_a_launch = module.lesson().simulate(values);
    values.set("kernel", "thread");
    const auto by_threads = module.lesson().simulate(values);
    values.set("kernel", "steps");
    const auto several_a_launch = module.lesson().simulate(values);
    for (const std::size_t steps : {1, 21}) {
      one_a_launch->step(steps);
      by_threads->step(steps);
      several_a_launch->step(steps);
      const auto expected = one_a_launch->fields();
      for (const auto& simulation : {by_threads.get(), several_a_launch.get()}) {
        const auto fields = simulation->fields();
        ASSERT_EQ(fields.size(), 2u);
        for (const std::size_t k : {0, 1})
          EXPECT_EQ(values_of(fields[k]), values_of(expected[k])) << size << ", " << steps;
      }
    }
  }
}

}  // namespace
