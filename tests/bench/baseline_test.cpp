// Runs against saved ones: which changes are reported, which are put down to noise or to the machine, and which files
// are refused.
#include "bench/report/baseline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>

#include "bench/report/json.h"
#include "runtime/core/error.h"
#include "tests/temporary_folder.h"

namespace bench {
namespace {

namespace fs = std::filesystem;

std::vector<double> samples_of(double seconds, double noise) {
  std::vector<double> samples;
  for (int i = -5; i <= 5; ++i) samples.push_back(seconds * (1 + noise * i / 5));
  return samples;
}

// A run in which ours takes `ours`, the peer 1, the limits of the row and of the machine `limits` seconds.
run_record known_run(double our_seconds, double limits = 1, double noise = 0.02, std::size_t elements = 1000) {
  const char* arguments[] = {"gridstride-bench", "--json"};
  run_record record = begin_record(2, arguments);
  record.machine.processor = "Abacus 9000";
  record.machine.cores = 4;
  record.build = "Release";
  const auto limit_of = [&](const char* name, const char* unit, double seconds) {
    return limit{name, unit, 1, summarize(samples_of(seconds, 0.01))};
  };
  record.limits = {limit_of("copy", "GB/s", limits), limit_of("read, L1 cache", "GB/s", 3 * limits * limits),
                   limit_of("fork-join", "µs", 5 / limits)};
  row r{.workload = {.name = "known", .text = "known times", .elements = elements, .dtype = "float32", .prepare = {}},
        .entrants = {},
        .skipped = {},
        .wrong = {}};
  r.entrants = {
      {.name = "engine", .role = role::ours, .run = {}, .calls = 1, .seconds = samples_of(our_seconds, noise)},
      {.name = "OpenMP", .role = role::peer, .run = {}, .calls = 1, .seconds = samples_of(1, noise)},
      {.name = "copy", .role = role::limit, .run = {}, .calls = 1, .seconds = samples_of(limits, noise)}};
  record.rows = {r};
  row small = r;
  small.workload.elements = elements / 10;
  record.growths = {evaluate_growth({small, r})};
  return record;
}

class bench_baseline : public testing::Test {
 protected:
  baseline saved(const run_record& record) {
    std::ofstream(file_) << to_json(record).dump();
    return read_baseline(file_);
  }
  std::string refusal_of(const std::string& text) {
    std::ofstream(file_) << text;
    try {
      read_baseline(file_);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "";
  }
  gridstride_test::temporary_folder folder_;
  fs::path file_ = folder_.path() / "then.json";
};

TEST_F(bench_baseline, is_read_as_it_was_written) {
  const run_record record = known_run(2);
  const baseline earlier = saved(record);
  EXPECT_EQ(earlier.date, record.date);
  EXPECT_EQ(earlier.conditions, conditions_of(record));
  ASSERT_EQ(earlier.limits.size(), 3u);
  EXPECT_EQ(earlier.limits[0].seconds, 1);
  ASSERT_EQ(earlier.entrants.size(), 6u) << "three at each of two sizes";
  EXPECT_EQ(earlier.entrants[0].name, "engine");
  EXPECT_EQ(earlier.entrants[0].elements, 1000);
  EXPECT_EQ(earlier.entrants[0].seconds, samples_of(2, 0.02));
  EXPECT_EQ(earlier.entrants[3].elements, 100);
}

TEST_F(bench_baseline, of_the_first_schema_is_read) {
  std::size_t record_count = 0;
  for (const auto& entry : fs::directory_iterator(BENCH_RESULTS))
    if (entry.path().extension() == ".json") {
      EXPECT_FALSE(read_baseline(entry.path()).entrants.empty()) << entry.path();
      ++record_count;
    }
  EXPECT_GT(record_count, 0u);
}

TEST_F(bench_baseline, the_same_again_differs_in_nothing) {
  const auto c = compare(known_run(2), saved(known_run(2)));
  EXPECT_TRUE(c.differences.empty());
  EXPECT_FALSE(c.slower());
  EXPECT_EQ(c.changes.size(), 4u) << "ours and the peer, at two sizes";
  EXPECT_EQ(c.unpaired, 0u);
  EXPECT_NE(comparison_text(c).find("\n  0 of 4 times differ by more than the noise\n"), std::string::npos);
}

TEST_F(bench_baseline, slower_and_faster_beyond_the_noise) {
  const auto slower = compare(known_run(2.6), saved(known_run(2)));
  EXPECT_TRUE(slower.slower());
  EXPECT_NEAR(slower.changes[0].ratio.median, 1.3, 1e-9);
  EXPECT_EQ(slower.changes[0].name, "engine");
  const std::string text = comparison_text(slower);
  for (const char* part :
       {"slower known", "1,000  ours  engine", "100  ours  engine", "1.30 [1.2", "2 of 4 times differ"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
  EXPECT_EQ(text.find("OpenMP"), std::string::npos) << text;
  const auto faster = compare(known_run(2), saved(known_run(2.6)));
  EXPECT_FALSE(faster.slower());
  EXPECT_NE(comparison_text(faster).find("faster known"), std::string::npos);
}

TEST_F(bench_baseline, noise_of_either_run_hides_a_change) {
  EXPECT_FALSE(compare(known_run(2.2, 1, 0.2), saved(known_run(2))).slower());
  EXPECT_FALSE(compare(known_run(2.2), saved(known_run(2, 1, 0.2))).slower());
  EXPECT_TRUE(compare(known_run(2.2), saved(known_run(2))).slower()) << "or this shows nothing";
}

TEST_F(bench_baseline, a_slower_machine_makes_everything_slower) {
  const auto c = compare(known_run(2.2, 1.25), saved(known_run(2)));
  EXPECT_FALSE(c.slower()) << "its copy takes 1.25 times as long";
  EXPECT_DOUBLE_EQ(c.drift.low, 1) << "the costs of a start, and of a cache, don't count";
  EXPECT_DOUBLE_EQ(c.drift.high, 1.25);
  EXPECT_TRUE(compare(known_run(3, 1.25), saved(known_run(2))).slower()) << "more than the machine";
  // Nor is it noticed that what should have become slower didn't; but what is faster nevertheless is.
  EXPECT_FALSE(compare(known_run(2, 1.25), saved(known_run(2))).changes.front().exceeds());
}

TEST_F(bench_baseline, the_limits_of_the_row_count_too) {
  run_record run = known_run(2.2);
  run.rows[0].entrants[2].seconds = samples_of(1.25, 0.02);
  const auto c = compare(run, saved(known_run(2)));
  std::size_t noticed = 0;
  for (const change& change : c.changes)
    if (change.exceeds()) {
      ++noticed;
      EXPECT_EQ(change.elements, 100) << "the row whose own limit stayed as it was";
    }
  EXPECT_EQ(noticed, 1u);
}

TEST_F(bench_baseline, another_machine_or_compiler_is_said) {
  run_record run = known_run(3);
  run.compiler = "clang++ 99";
  auto c = compare(run, saved(known_run(2)));
  EXPECT_TRUE(c.slower()) << "on the same machine a compiler's doing counts";
  EXPECT_NE(comparison_text(c).find("NOTE: the compiler was "), std::string::npos);
  EXPECT_NE(comparison_text(c).find(" and is clang++ 99.\n"), std::string::npos);
  run.machine.cores = 8;
  c = compare(run, saved(known_run(2)));
  EXPECT_FALSE(c.slower());
  EXPECT_NE(comparison_text(c).find("NOTE: the number of cores was 4 and is 8.\n"), std::string::npos);
  EXPECT_NE(comparison_text(c).find("a change says nothing about the code"), std::string::npos);
  run_record quick = known_run(3);
  quick.quick = true;
  c = compare(quick, saved(known_run(2)));
  EXPECT_FALSE(c.slower());
  EXPECT_NE(comparison_text(c).find("a quick run's figures mean nothing"), std::string::npos);
}

TEST_F(bench_baseline, other_sizes_are_no_partners) {
  const auto c = compare(known_run(2, 1, 0.02, 5000), saved(known_run(2)));
  EXPECT_TRUE(c.changes.empty());
  EXPECT_EQ(c.unpaired, 4u);
  EXPECT_NE(comparison_text(c).find("0 of 0 times differ by more than the noise; 4 of ours have no partner"),
            std::string::npos);
  run_record changed_run = known_run(2);
  changed_run.rows[0].workload.name = "unknown";
  changed_run.growths.clear();
  EXPECT_EQ(compare(changed_run, saved(known_run(2))).unpaired, 1u) << "what a filter left out isn't missed";
}

TEST_F(bench_baseline, in_json) {
  const auto c = nlohmann::json::parse(to_json(compare(known_run(2.6), saved(known_run(2)))).dump());
  EXPECT_EQ(c["file"], "then.json");
  EXPECT_EQ(c["compared"], 4);
  ASSERT_EQ(c["changes"].size(), 2u);
  EXPECT_EQ(c["changes"][0]["entrant"], "engine");
  EXPECT_NEAR(c["changes"][0]["ratio"]["median"], 1.3, 1e-9);
  EXPECT_EQ(c["drift"]["high"], 1);
}

TEST_F(bench_baseline, broken_files_are_refused_with_a_sentence) {
  const auto message = [&](const std::string& mistake) {
    return "comparing with " + file_.string() + ": " + mistake + "; name a file that ./gridstride bench --json wrote";
  };
  const auto error_of = [](const fs::path& file) -> std::string {
    try {
      read_baseline(file);
    } catch (const gs::error& e) {
      return e.what();
    }
    return "";
  };
  const std::string versions = ", not one of 'gridstride-bench/1' and 'gridstride-bench/2'";
  EXPECT_EQ(error_of(file_), "comparing with " + file_.string() + ": there is no such file; check its name");
  EXPECT_NE(error_of(folder_.path()).find("it is no regular file"), std::string::npos);
  EXPECT_EQ(refusal_of(""), message("it is not JSON, or was cut off (byte 1)"));
  const std::string whole = to_json(known_run(2)).dump();
  EXPECT_EQ(refusal_of(whole.substr(0, whole.size() / 2)),
            message(fmt::format("it is not JSON, or was cut off (byte {})", whole.size() / 2 + 1)));
  EXPECT_EQ(refusal_of(std::string(100'000, '[')), message("it is nested more than 64 deep"));
  EXPECT_EQ(refusal_of("{\"schema\": \"\\u001b[31m\"}"), message("its schema is '?[31m'" + versions));
  EXPECT_EQ(refusal_of("[]"), message("its schema is ''" + versions));
  EXPECT_EQ(refusal_of("{\"schema\": \"other/3\"}"), message("its schema is 'other/3'" + versions));
  EXPECT_NE(refusal_of("{\"schema\": \"gridstride-bench/2\"}").find("a part is missing or of another kind"),
            std::string::npos);
  auto changed = nlohmann::json::parse(whole);
  changed["workloads"][0]["entrants"][0]["samples"] = {1, -2};
  EXPECT_EQ(refusal_of(changed.dump()), message("a time of -2 s is none"));
  changed["workloads"][0]["entrants"][0]["samples"] = nlohmann::json::array();
  EXPECT_EQ(refusal_of(changed.dump()), message("'engine' of known has no samples"));
  changed["workloads"][0]["entrants"][0]["role"] = "judge";
  EXPECT_EQ(refusal_of(changed.dump()), message("an entrant has the role 'judge'"));
  changed["workloads"][0]["entrants"][0]["role"] = 3;
  EXPECT_NE(refusal_of(changed.dump()).find("of another kind"), std::string::npos);
}

TEST_F(bench_baseline, changed_anywhere_is_read_or_refused) {
  const std::string whole = to_json(known_run(2)).dump();
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    std::string changed = whole;
    changed[random() % changed.size()] = static_cast<char>(random());
    refusal_of(changed);
  }
}

}  // namespace
}  // namespace bench
