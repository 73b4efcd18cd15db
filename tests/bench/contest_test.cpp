// Contests, agreement and the run under Google Benchmark: what is measured, in which order, and what is refused.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <thread>

#include "bench/machine/disturbance.h"
#include "bench/measure/agreement.h"
#include "bench/measure/contest.h"
#include "bench/measure/run.h"
#include "runtime/core/error.h"

namespace bench {
namespace {

TEST(contest, every_round_times_everyone_once_in_changing_order) {
  std::string order;
  contest c;
  for (const char letter : {'a', 'b', 'c'})
    c.add(
        std::string(1, letter), role::ours, [&order, letter](std::size_t calls) { order.append(calls, letter); }, 1);
  c.warm_up();
  EXPECT_EQ(order, "abc");
  // In a round each runs twice: once to wake up, once for the clock.
  std::set<std::string> seen;
  for (int round = 0; round < 50; ++round) {
    order.clear();
    c.round();
    seen.insert(order);
    for (std::size_t i = 0; i < order.size(); i += 2) EXPECT_EQ(order[i], order[i + 1]);
    std::ranges::sort(order);
    EXPECT_EQ(order, "aabbcc");
  }
  EXPECT_EQ(seen.size(), 6u) << "not every order came up";
  for (const entrant& e : c.entrants()) EXPECT_EQ(e.seconds.size(), 50u);
}

TEST(contest, short_work_is_repeated_and_long_work_is_not) {
  const auto wait = [](std::chrono::microseconds time) {
    return repeated([time] {
      for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) continue;
    });
  };
  contest c;
  c.add("short", role::ours, wait(std::chrono::microseconds(10)));
  c.add("long", role::ours, wait(std::chrono::microseconds(2000)));
  c.add("given", role::ours, wait(std::chrono::microseconds(1)), 7);
  c.warm_up();
  c.round();
  EXPECT_GT(c.entrants()[0].calls, 1u);
  EXPECT_EQ(c.entrants()[1].calls, 1u);
  EXPECT_EQ(c.entrants()[2].calls, 7u);
  EXPECT_GE(c.entrants()[0].seconds[0], 10e-6) << "seconds are those of one call";
  EXPECT_GE(c.entrants()[1].seconds[0], 2e-3);
}

TEST(contest, the_fastest_is_so_by_its_median) {
  const std::vector<entrant> entrants{
      {.name = "lucky", .role = role::peer, .run = {}, .calls = 1, .seconds = {1, 9, 9}},
      {.name = "steady", .role = role::peer, .run = {}, .calls = 1, .seconds = {5, 5, 5}},
      {.name = "ours", .role = role::ours, .run = {}, .calls = 1, .seconds = {2, 2, 2}},
  };
  EXPECT_EQ(fastest(entrants, role::peer)->name, "steady");
  EXPECT_EQ(fastest(entrants, role::limit), nullptr);
  EXPECT_EQ(fastest(entrants, role::peer, hardware::one_core), nullptr);
}

TEST(agreement, finds_what_differs) {
  const std::vector<float> reference(1000, 1.0f);
  std::vector<float> result = reference;
  const tolerance allowed{.relative = 1e-3, .absolute = 0};
  result[3] = 1.0009f;
  EXPECT_NO_THROW(expect_agreement("ours", result, "peer", reference, allowed));
  result[700] = 1.01f;
  result[900] = std::numeric_limits<float>::quiet_NaN();
  try {
    expect_agreement("ours", result, "peer", reference, allowed);
    FAIL() << "differences were not seen";
  } catch (const disagreement& found) {
    EXPECT_STREQ(found.what(), "ours and peer differ at 2 of 1000 elements; the first is element 700: 1.01 against 1");
  }
  EXPECT_THROW(expect_agreement("ours", std::span(result).first(5), "peer", reference, allowed), disagreement);
}

// Another process that keeps a core busy is seen.
TEST(disturbance, counts_other_processes) {
  using clock = std::chrono::steady_clock;
  const auto burn = [] {
    for (const auto end = clock::now() + std::chrono::milliseconds(300); clock::now() < end;) continue;
  };
  const auto cores = static_cast<double>(std::thread::hardware_concurrency());
  // Whatever else the machine does counts too, so only the difference that the child makes can be checked.
  const pid_t child = fork();
  if (child == 0) {
    burn();
    _exit(0);
  }
  const disturbance during;
  burn();
  waitpid(child, nullptr, 0);
  const double with_child = during.share();
  EXPECT_GT(with_child, 0.25 / cores) << "a busy child is a core's worth of disturbance";
  EXPECT_LE(with_child, 1);
}

workload trivial(std::string name, std::function<contest()> prepare) {
  return {.name = std::move(name), .text = "nothing", .prepare = std::move(prepare)};
}
contest one_entrant() {
  contest c;
  c.add(
      "ours", role::ours, [](std::size_t) {}, 1);
  return c;
}

TEST(run, measures_skips_and_tells_wrong_results) {
  std::vector<workload> workloads{
      trivial("fine", one_entrant), trivial("huge", one_entrant),
      trivial("wrong", []() -> contest { throw disagreement("1 and 2 differ"); }),
      trivial("lacking", []() -> contest { throw gs::machine_error("a GPU", "there is none", "buy one"); })};
  workloads[1].memory = std::numeric_limits<std::size_t>::max() / 2;
  std::string begun, ended;
  const auto rows = run(
      workloads, 5, [&](const workload& w) { begun += w.name + " "; },
      [&](const row& r) { ended += r.what.name + " "; });
  EXPECT_EQ(begun, "fine huge wrong lacking ");
  EXPECT_EQ(ended, begun);
  ASSERT_EQ(rows.size(), 4u);
  ASSERT_EQ(rows[0].entrants.size(), 1u);
  EXPECT_EQ(rows[0].entrants[0].seconds.size(), 5u);
  EXPECT_NE(rows[1].skipped.find("GB of memory"), std::string::npos) << rows[1].skipped;
  EXPECT_EQ(rows[2].wrong, "1 and 2 differ");
  EXPECT_EQ(rows[3].skipped, "a GPU: there is none; buy one");
  for (std::size_t i = 1; i < 4; ++i) EXPECT_TRUE(rows[i].entrants.empty());
}

TEST(run, filter) {
  const std::vector all{trivial("add", one_entrant), trivial("add_ten", one_entrant), trivial("copy", one_entrant)};
  EXPECT_EQ(select(all, "").size(), 3u);
  EXPECT_EQ(select(all, "add").size(), 2u);
  EXPECT_EQ(select(all, "^add$").size(), 1u);
  try {
    select(all, "sub");
    FAIL() << "a filter that finds nothing was accepted";
  } catch (const gs::error& refused) {
    EXPECT_STREQ(refused.what(), "the filter: 'sub' finds no workload; use one of add, add_ten, copy");
  }
  EXPECT_THROW(select(all, "("), gs::error);
}

}  // namespace
}  // namespace bench
