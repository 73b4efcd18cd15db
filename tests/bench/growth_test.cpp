// Growth with the size: exponents and crossovers of known times, in the table and in JSON.
#include "bench/report/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/report/json.h"
#include "bench/report/text.h"

namespace bench {
namespace {

// Elements, the engine's time, one core's, a peer's; ± `noise` from sample to sample, in opposite directions.
struct known_times {
  std::size_t elements;
  double engine, one_core, peer;
  double noise = 0.01;
};

row row_of(const known_times& times) {
  row r{.workload = {.name = "known",
                     .text = "known times",
                     .elements = times.elements,
                     .dtype = "float32",
                     .bytes = 8 * static_cast<double>(times.elements),
                     .prepare = {}},
        .entrants = {},
        .skipped = {},
        .wrong = {}};
  const auto add = [&](const char* name, role side, hardware with, double seconds, double noise) {
    std::vector<double> samples;
    for (int i = -5; i <= 5; ++i) samples.push_back(seconds * (1 + noise * i / 5));
    r.entrants.push_back({.name = name, .role = side, .hardware = with, .run = {}, .calls = 1, .seconds = samples});
  };
  add("engine", role::ours, hardware::all_cores, times.engine, times.noise);
  add("cpu", role::ours, hardware::one_core, times.one_core, -times.noise);
  add("OpenMP", role::peer, hardware::all_cores, times.peer, 0);
  add("copy", role::limit, hardware::all_cores, times.peer / 2, 0);
  return r;
}

growth growth_of(std::initializer_list<known_times> sizes) {
  std::vector<row> rows;
  for (const known_times& times : sizes) rows.push_back(row_of(times));
  return evaluate_growth(std::move(rows));
}

TEST(growth, exponents) {
  const growth g = growth_of({{100, 1e-6, 1e-6, 5e-6}, {10'000, 1e-5, 1e-4, 5e-6}, {1'000'000, 1e-4, 1e-2, 5e-6}});
  ASSERT_EQ(g.entrants.size(), 3u) << "a limit is what the others are measured by";
  EXPECT_EQ(g.entrants[0].name, "engine");
  EXPECT_NEAR(g.entrants[0].law.exponent, 0.5, 1e-9);
  EXPECT_NEAR(g.entrants[1].law.exponent, 1, 1e-9);
  EXPECT_NEAR(g.entrants[2].law.exponent, 0, 1e-9);
  EXPECT_EQ(g.entrants[2].role, role::peer);
}

TEST(growth, crossover_where_the_ratio_passes_1) {
  // Engine / one core: 4, 1/4, 1/8. In logarithms 1 lies halfway between the first two sizes.
  const growth g = growth_of({{100, 4, 1, 1}, {10'000, 4, 16, 1}, {1'000'000, 8, 64, 1}});
  ASSERT_EQ(g.crossovers.size(), 1u);
  const crossover& c = g.crossovers[0];
  EXPECT_EQ(c.winner, "engine");
  EXPECT_EQ(c.other, "cpu");
  EXPECT_NEAR(*c.about, 1000, 1e-6);
  EXPECT_EQ(c.after, 100);
  EXPECT_EQ(c.from, 10'000);
  EXPECT_NE(
      growth_text(g).find("engine is faster than cpu from about 1,000 elements on: for sure not at 100, at 10,000"),
      std::string::npos)
      << growth_text(g);
}

TEST(growth, what_the_noise_hides_is_not_for_sure) {
  const growth g = growth_of({{100, 4, 1, 1}, {1'000, 0.99, 1, 1, 0.2}, {10'000, 1, 4, 1}});
  ASSERT_EQ(g.crossovers.size(), 1u);
  EXPECT_EQ(g.crossovers[0].after, 100);
  EXPECT_EQ(g.crossovers[0].from, 10'000) << "the size between them can't be told";
  EXPECT_LT(*g.crossovers[0].about, 1'000);
}

TEST(growth, always_never_and_lost_again) {
  const growth always = growth_of({{100, 1, 2, 1}, {1'000, 1, 3, 1}});
  EXPECT_FALSE(always.crossovers[0].about);
  EXPECT_EQ(always.crossovers[0].from, 100);
  EXPECT_EQ(always.crossovers[0].after, 0);
  EXPECT_NE(growth_text(always).find("engine is faster than cpu at all of these sizes"), std::string::npos);
  const growth never = growth_of({{100, 2, 1, 1}, {1'000, 3, 1, 1}});
  EXPECT_TRUE(std::isinf(never.crossovers[0].from));
  EXPECT_NE(growth_text(never).find("engine isn't faster than cpu for sure on the largest of these sizes"),
            std::string::npos);
  const growth lost = growth_of({{100, 1, 2, 1}, {1'000, 2, 1, 1}});
  EXPECT_TRUE(std::isinf(lost.crossovers[0].from)) << "faster on few elements, slower on many";
  EXPECT_NE(growth_text(lost).find("engine isn't faster than cpu for sure on the largest of these sizes"),
            std::string::npos)
      << growth_text(lost);
}

TEST(growth, a_peer_on_one_core_where_ours_has_no_such_way) {
  std::vector<row> rows{row_of({100, 4, 1, 1}), row_of({1'000, 1, 4, 1})};
  for (row& r : rows) r.entrants[1].role = role::peer;
  EXPECT_EQ(evaluate_growth(rows).crossovers.at(0).other, "cpu");
  for (row& r : rows) r.entrants[1].hardware = hardware::all_cores;
  EXPECT_TRUE(evaluate_growth(rows).crossovers.empty());
}

TEST(growth, an_outside_peer_by_its_fastest_way_against_our_fastest) {
  std::vector<row> rows{row_of({100, 4, 2, 1}), row_of({10'000, 4, 32, 8})};
  for (row& r : rows) {
    r.entrants[2].program = "Numba";
    r.entrants.push_back(r.entrants[2]);
    r.entrants.back().name = "Numba, slowly";
    for (double& s : r.entrants.back().seconds) s *= 100;
  }
  // Ours / Numba: 2 by the one core, 1/2 by the engine.
  const growth g = evaluate_growth(rows);
  ASSERT_EQ(g.crossovers.size(), 2u);
  EXPECT_EQ(g.crossovers[1].winner, "the fastest of ours");
  EXPECT_EQ(g.crossovers[1].other, "the fastest of Numba");
  EXPECT_NEAR(*g.crossovers[1].about, 1000, 20);
  EXPECT_EQ(g.crossovers[1].after, 100);
  EXPECT_EQ(g.crossovers[1].from, 10'000);
  for (row& r : rows) r.entrants[0].hardware = r.entrants[1].hardware = hardware::gpu;
  EXPECT_EQ(evaluate_growth(rows).crossovers.size(), 0u) << "the peers have no GPU";
}

TEST(growth, says_once_who_was_left_out) {
  std::vector<row> rows{row_of({100, 1, 1, 1}), row_of({1'000, 1, 10, 1})};
  for (row& r : rows) r.left_out = {"Numba: ended with status 3"};
  const std::string text = growth_text(evaluate_growth(rows));
  const auto first = text.find("  left out: Numba: ended with status 3\n");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("left out", first + 10), std::string::npos) << text;
}

TEST(growth, sizes_without_figures_say_why) {
  std::vector<row> rows{row_of({100, 1, 1, 1}), row_of({1'000, 1, 10, 1}), row_of({10'000, 1, 100, 1})};
  rows[1].entrants.clear();
  rows[1].skipped = "no time";
  const growth g = evaluate_growth(rows);
  EXPECT_NEAR(g.entrants[1].law.exponent, 1, 1e-9) << "by the two others";
  EXPECT_NE(growth_text(g).find("1,000  skipped: no time"), std::string::npos) << growth_text(g);
  for (std::size_t i : {0, 1}) rows[i].entrants.clear(), rows[i].skipped = "no time";
  EXPECT_EQ(growth_text(evaluate_growth(rows)), "\nknown: known times, float32\n  skipped: no time\n") << "once";
  for (row& r : rows) r.entrants.clear();
  rows[0].skipped.clear(), rows[0].wrong = "a and b differ";
  const growth no_growth = evaluate_growth(rows);
  EXPECT_TRUE(no_growth.entrants.empty());
  EXPECT_NE(growth_text(no_growth).find("100  WRONG: a and b differ"), std::string::npos);
}

TEST(growth, in_the_table) {
  const std::string text = growth_text(growth_of({{1'000, 4e-6, 1e-6, 2e-6}, {100'000, 1e-5, 1e-4, 2e-5}}));
  for (const char* part : {"known: known times, float32", "1,000  cpu ", "1.00 G", "100,000  engine ",
                           "0.50 [0.50, 0.50]", "100 %", "elements^1.00, off by 1.0 x at most"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
}

TEST(growth, in_json) {
  const char* arguments[] = {"gridstride-bench"};
  run_record record = begin_record(1, arguments);
  record.rows = {row_of({1'000'000, 8, 64, 1})};
  record.growths = {growth_of({{100, 4, 1, 1}, {10'000, 4, 16, 1}, {1'000'000, 8, 64, 1}})};
  const auto document = nlohmann::json::parse(to_json(record).dump())["growth"][0];
  EXPECT_EQ(document["name"], "known");
  ASSERT_EQ(document["sizes"].size(), 2u) << "the last one stands among the workloads";
  EXPECT_EQ(document["sizes"][1]["elements"], 10'000);
  EXPECT_EQ(document["sizes"][1]["entrants"][0]["samples"].size(), 11u);
  EXPECT_EQ(document["exponents"][0]["name"], "engine");
  EXPECT_LT(document["exponents"][0]["low"], document["exponents"][0]["exponent"]);
  EXPECT_NEAR(document["crossovers"][0]["about"], 1000, 1e-6);
  EXPECT_EQ(document["crossovers"][0]["not_at"], 100);
  EXPECT_EQ(document["crossovers"][0]["for_sure_at"], 10'000);
}

}  // namespace
}  // namespace bench
