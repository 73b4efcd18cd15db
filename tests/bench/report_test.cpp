// The report on known samples: rates, shares, ratios and verdicts, in the table and in JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/report/evaluation.h"
#include "bench/report/json.h"
#include "bench/report/text.h"

namespace bench {
namespace {

// 1,000 elements, 8,000 bytes: ours takes 2.2 µs, the peers 2 and 4, the limit 1, and the machine slows down meanwhile.
row known_row(demand demanded) {
  row r{.workload = {.name = "known",
                     .text = "a row with known times",
                     .elements = 1000,
                     .dtype = "float32",
                     .bytes = 8000,
                     .operations = 2000,
                     .wanted = demanded,
                     .prepare = {}},
        .entrants = {},
        .skipped = {},
        .wrong = {}};
  const auto add = [&](const char* name, role side, double seconds) {
    std::vector<double> samples;
    for (int i = 0; i < 11; ++i) samples.push_back(seconds * (1 + 0.1 * (i - 5)));
    r.entrants.push_back({.name = name, .role = side, .run = {}, .calls = 3, .seconds = samples});
  };
  add("ours", role::ours, 2.2e-6);
  add("slow peer", role::peer, 4e-6);
  add("fast peer", role::peer, 2e-6);
  add("limit", role::limit, 1e-6);
  return r;
}

TEST(evaluation, rates_shares_and_ratios) {
  const row r = known_row({demand::of_peer, 1.15, "1.15 x peer"});
  const auto evaluations = evaluate(r);
  ASSERT_EQ(evaluations.size(), 4u);
  EXPECT_NEAR(evaluations[0].seconds.median, 2.2e-6, 1e-15);
  EXPECT_NEAR(*evaluations[0].elements, 1000 / 2.2e-6, 1e-3);
  EXPECT_NEAR(*evaluations[0].gigabytes, 8000 / 2.2e-6 / 1e9, 1e-9);
  EXPECT_NEAR(*evaluations[0].gigaflops, 2000 / 2.2e-6 / 1e9, 1e-9);
  EXPECT_NEAR(evaluations[0].of_limit->median, 1 / 2.2, 1e-9);
  EXPECT_NEAR(evaluations[0].over_peer->median, 1.1, 1e-9) << "against the faster peer";
  EXPECT_NEAR(evaluations[1].over_peer->median, 2, 1e-9);
  EXPECT_FALSE(evaluations[2].over_peer) << "the fastest peer is what others are compared with";
  EXPECT_FALSE(evaluations[3].of_limit);
  EXPECT_FALSE(evaluations[3].gigaflops) << "a limit does other operations";
  EXPECT_EQ(evaluations[0].reached, verdict::met);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_FALSE(evaluations[i].reached) << "something is wanted of ours alone";
}

TEST(evaluation, each_kind_of_demand) {
  const auto reached = [](demand demanded) { return *evaluate(known_row(demanded))[0].reached; };
  EXPECT_EQ(reached({demand::of_peer, 1.05, ""}), verdict::missed);
  EXPECT_EQ(reached({demand::of_limit, 2.3, ""}), verdict::met);
  EXPECT_EQ(reached({demand::of_limit, 2.1, ""}), verdict::missed);
  EXPECT_EQ(reached({demand::in_seconds, 4e-6, ""}), verdict::met);
  EXPECT_EQ(reached({demand::in_seconds, 1e-6, ""}), verdict::missed);
  EXPECT_EQ(reached({demand::in_seconds, 2.2e-6, ""}), verdict::undecided) << "the drift spreads plain times";
}

TEST(evaluation, compares_on_the_same_hardware) {
  row r = known_row({demand::of_limit, 2.3, "43 % of limit"});
  const auto add = [&](const char* name, role side, hardware with, double seconds) {
    r.entrants.push_back({.name = name,
                          .role = side,
                          .hardware = with,
                          .run = {},
                          .calls = 1,
                          .seconds = std::vector<double>(11, seconds)});
  };
  add("ours, one core", role::ours, hardware::one_core, 8e-6);
  add("peer, one core", role::peer, hardware::one_core, 7.5e-6);
  add("ours, GPU", role::ours, hardware::gpu, 1e-7);
  const auto without_limit = evaluate(r);
  EXPECT_NEAR(without_limit[4].over_peer->median, 8 / 7.5, 1e-9) << "not against all cores, nor the GPU";
  EXPECT_FALSE(without_limit[4].of_limit) << "there is none for one core";
  EXPECT_EQ(without_limit[4].reached, verdict::met);
  EXPECT_EQ(without_limit[4].wanted->text, "1.15 x peer");
  EXPECT_EQ(without_limit[0].wanted->text, "43 % of limit");
  EXPECT_NEAR(without_limit[0].over_peer->median, 1.1, 1e-9);
  EXPECT_FALSE(without_limit[6].over_peer || without_limit[6].of_limit || without_limit[6].reached)
      << "a GPU without a limit is compared with nothing";
  add("limit, GPU", role::limit, hardware::gpu, 0.8e-7);
  const auto with_limit = evaluate(r);
  EXPECT_NEAR(with_limit[6].of_limit->median, 0.8, 1e-9);
  EXPECT_EQ(with_limit[6].reached, verdict::missed);
  EXPECT_NEAR(with_limit[0].of_limit->median, 1 / 2.2, 1e-9);
}

TEST(text, numbers) {
  EXPECT_EQ(time_text(1.234), "1.23 s");
  EXPECT_EQ(time_text(0.0123), "12.3 ms");
  EXPECT_EQ(time_text(999e-6), "999 µs");
  EXPECT_EQ(time_text(45.67e-9), "45.7 ns");
  EXPECT_EQ(time_text(2e-10), "0.200 ns");
  EXPECT_EQ(count_text(7), "7");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(100000000), "100,000,000");
}

TEST(text, a_row) {
  const std::string text = row_text(known_row({demand::of_peer, 1.15, "1.15 x peer"}));
  for (const char* part : {"known: a row with known times, 1,000 x float32", "2.20 µs ± 25 %", "455 M", "3.64", "45 %",
                           "1.10 [1.10, 1.10]", "1.15 x peer", "met"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
}

TEST(text, rows_without_figures_say_why) {
  row r = known_row({demand::of_peer, 1.15, ""});
  r.entrants.clear();
  r.skipped = "needs 5.0 GB";
  EXPECT_NE(row_text(r).find("skipped: needs 5.0 GB"), std::string::npos);
  r.skipped.clear();
  r.wrong = "a and b differ";
  EXPECT_NE(row_text(r).find("WRONG: a and b differ"), std::string::npos);
}

TEST(text, a_disturbed_row_says_so) {
  row r = known_row({demand::of_peer, 1.15, ""});
  EXPECT_EQ(row_text(r).find("other programs"), std::string::npos);
  r.disturbed = 0.25;
  EXPECT_NE(row_text(r).find("other programs had 25 % of the cores"), std::string::npos);
}

TEST(text, summary_counts_verdicts) {
  row wrong = known_row({demand::of_peer, 1, ""});
  wrong.entrants.clear();
  wrong.wrong = "a and b differ";
  std::vector rows{known_row({demand::of_peer, 1.15, ""}), known_row({demand::of_peer, 1.05, ""}), wrong};
  EXPECT_EQ(summary_text(rows), "\n1 met, 1 missed, 0 with noise too large to tell; 1 with WRONG RESULTS\n");
  auto quick = rows;
  for (row& r : quick) r.workload.want_nothing();
  EXPECT_EQ(summary_text(quick), "\nnothing was judged; 1 with WRONG RESULTS\n");
  EXPECT_EQ(row_text(quick[0]).find("verdict"), std::string::npos);
}

TEST(text, the_heading_warns) {
  const char* arguments[] = {"/somewhere/gridstride-bench", "--quick"};
  run_record record = begin_record(2, arguments);
  record.machine.load = 0;
  EXPECT_EQ(heading_text(record).find("a quick run"), std::string::npos);
  EXPECT_EQ(heading_text(record).find("on average"), std::string::npos);
  record.quick = true;
  record.machine.load = 3.2;
  EXPECT_NE(heading_text(record).find("a quick run"), std::string::npos);
  EXPECT_NE(heading_text(record).find("3.2 threads"), std::string::npos);
  EXPECT_TRUE(budget_text(840).starts_with("This takes 14 minutes at most")) << budget_text(840);
  EXPECT_TRUE(budget_text(90).starts_with("This takes 90 s at most")) << budget_text(90);
}

TEST(json, holds_everything) {
  const char* arguments[] = {"/somewhere/gridstride-bench", "--json", "known"};
  run_record record = begin_record(3, arguments);
  record.rounds = 11;
  record.limits = {{.name = "copy", .unit = "GB/s", .value = 50, .seconds = summarize(std::vector{1.0})}};
  record.rows = {known_row({demand::of_peer, 1.15, "1.15 x peer"})};
  const auto document = nlohmann::json::parse(to_json(record).dump());
  EXPECT_EQ(document["schema"], "gridstride-bench/2");
  EXPECT_EQ(document["command"], "gridstride-bench --json known") << "without the machine's folders";
  EXPECT_FALSE(document["commit"].get<std::string>().empty());
  EXPECT_GT(document["machine"]["cores"], 0);
  EXPECT_EQ(document["limits"][0]["value"], 50);
  const auto& workload = document["workloads"][0];
  EXPECT_EQ(workload["elements"], 1000);
  const auto& our_entrant = workload["entrants"][0];
  EXPECT_EQ(our_entrant["role"], "ours");
  EXPECT_EQ(our_entrant["hardware"], "all cores");
  EXPECT_NEAR(our_entrant["elements_per_second"], 1000 / 2.2e-6, 1e-3);
  EXPECT_EQ(our_entrant["verdict"], "met");
  EXPECT_EQ(our_entrant["wanted"], "1.15 x peer");
  EXPECT_EQ(our_entrant["samples"].size(), 11u);
  EXPECT_NEAR(our_entrant["ratio_to_peer"]["median"], 1.1, 1e-9);
  EXPECT_NEAR(our_entrant["share_of_limit"]["median"], 1 / 2.2, 1e-9);
  EXPECT_FALSE(workload["entrants"][1].contains("verdict"));
}

}  // namespace
}  // namespace bench
