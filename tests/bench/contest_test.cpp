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
    c.add(std::string(1, letter), role::ours, [&order, letter](std::size_t calls) { order.append(calls, letter); }, 1);
  c.warm_up();
  EXPECT_EQ(order, "abc");
  // In a round each runs twice: once to wake up, once for the clock.
  std::set<std::string> orders;
  for (int round = 0; round < 50; ++round) {
    order.clear();
    c.round();
    orders.insert(order);
    for (std::size_t i = 0; i < order.size(); i += 2) EXPECT_EQ(order[i], order[i + 1]);
    std::ranges::sort(order);
    EXPECT_EQ(order, "aabbcc");
  }
  EXPECT_EQ(orders.size(), 6u) << "not every order came up";
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
  } catch (const disagreement& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "ours and peer differ at 2 of 1000 elements; the first is element 700: 1.01 against 1");
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
  c.add("ours", role::ours, [](std::size_t) {}, 1);
  return c;
}

TEST(run, measures_skips_and_tells_wrong_results) {
  std::vector<workload> workloads{
      trivial("fine", one_entrant), trivial("huge", one_entrant),
      trivial("wrong", []() -> contest { throw disagreement("1 and 2 differ"); }),
      trivial("lacking", []() -> contest { throw gs::machine_error("a GPU", "there is none", "buy one"); })};
  workloads[1].memory = std::numeric_limits<std::size_t>::max() / 2;
  std::string begun, ended;
  const auto rows = run(workloads, {.rounds = stopping_rule::exactly(5),
                                    .begin = [&](const workload& w) { begun += w.name + " "; },
                                    .end = [&](const row& r) { ended += r.workload.name + " "; }});
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

std::vector<entrant> measured(std::initializer_list<std::pair<role, std::vector<double>>> measurements) {
  std::vector<entrant> entrants;
  for (const auto& [whose_role, seconds] : measurements)
    entrants.push_back({.name = "one", .role = whose_role, .run = {}, .calls = 1, .seconds = seconds});
  return entrants;
}

TEST(stopping_rule, goes_by_what_is_stated_about_ours) {
  const std::vector drifting{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, twice{2.0, 4.0, 6.0, 8.0, 10.0, 12.0};
  EXPECT_NEAR(uncertainty(measured({{role::ours, drifting}})), 2.5 / 3.5, 1e-12) << "its own time";
  EXPECT_NEAR(uncertainty(measured({{role::limit, drifting}})), 2.5 / 3.5, 1e-12) << "nobody is ours";
  EXPECT_NEAR(uncertainty(measured({{role::ours, drifting}, {role::peer, twice}})), 0, 1e-12) << "the ratio";
  EXPECT_NEAR(uncertainty(measured({{role::ours, drifting}, {role::limit, twice}})), 0, 1e-12);
  auto apart = measured({{role::ours, drifting}, {role::peer, twice}});
  apart.back().hardware = hardware::one_core;
  EXPECT_GT(uncertainty(apart), 0.5) << "nobody on the same hardware";
  EXPECT_TRUE(std::isinf(uncertainty(measured({{role::ours, {}}}))));
}

TEST(stopping_rule, ends_when_known_or_out_of_time) {
  const stopping_rule rule{.least = 7, .most = 20, .narrow = 0.01};
  EXPECT_FALSE(rule.ends(6, 0, 9, 1)) << "too few to know anything";
  EXPECT_TRUE(rule.ends(7, 0.005, 0, 1)) << "narrow";
  EXPECT_TRUE(rule.ends(7, 0.5, 1, 1)) << "out of time";
  EXPECT_FALSE(rule.ends(19, 0.5, 0.9, 1));
  EXPECT_TRUE(rule.ends(20, 0.5, 0.9, 1));
  EXPECT_FALSE(stopping_rule::exactly(3).ends(2, 0, 1, 0));
  EXPECT_TRUE(stopping_rule::exactly(3).ends(3, 1, 0, 1));
}

TEST(budget, gives_what_is_left_over_to_the_others) {
  double clock = 100;
  const budget time(60, [&] { return clock; });
  EXPECT_DOUBLE_EQ(time.share(3), 20);
  clock = 105;  // the first needed little
  EXPECT_DOUBLE_EQ(time.share(2), 27.5);
  clock = 150;  // the second took more than its share
  EXPECT_DOUBLE_EQ(time.share(1), 10);
  clock = 200;
  EXPECT_EQ(time.left(), 0);
}

// Without time a workload has its least number of rounds, and with it its most.
TEST(run, takes_the_rounds_that_its_time_allows) {
  const std::vector workloads{trivial("a", one_entrant), trivial("b", one_entrant)};
  budget no_seconds(0), ample_seconds(1000);
  const stopping_rule rule{.least = 7, .most = 9, .narrow = -1};
  for (const row& r : run(workloads, {.rounds = rule, .time = &no_seconds}))
    EXPECT_EQ(r.entrants[0].seconds.size(), 7u);
  for (const row& r : run(workloads, {.rounds = rule, .time = &ample_seconds}))
    EXPECT_EQ(r.entrants[0].seconds.size(), 9u);
}

TEST(run, sizes_of_a_family_side_by_side) {
  std::string order;
  const auto sized = [&](std::size_t n) {
    workload w = trivial("sized", [&order, n] {
      contest c;
      c.add("ours", role::ours, [&order, n](std::size_t) { order += static_cast<char>('0' + n); }, 1);
      return c;
    });
    w.elements = n;
    return w;
  };
  family sizes{sized(1), sized(2), sized(3)};
  sizes[1].memory = std::numeric_limits<std::size_t>::max() / 2;
  const auto rows = run_families({sizes}, {.rounds = stopping_rule::exactly(2)});
  EXPECT_EQ(order, "1311331133") << "each is warmed up; then a call that isn't timed and one that is";
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0][0].entrants[0].seconds.size(), 2u);
  EXPECT_NE(rows[0][1].skipped.find("GB of memory"), std::string::npos);

  order.clear();
  budget no_seconds(0);
  const auto late = run_families({sizes}, {.rounds = {}, .time = &no_seconds});
  for (const row& r : late[0]) EXPECT_EQ(r.skipped, "the time of the run was used up; --seconds gives it more");
  EXPECT_EQ(order, "");
  EXPECT_EQ(select({sizes}, {trivial("sized", one_entrant)}).size(), 1u);
  EXPECT_TRUE(select({sizes}, {trivial("other", one_entrant)}).empty());
}

TEST(run, filter) {
  const std::vector workloads{trivial("add", one_entrant), trivial("add_ten", one_entrant),
                              trivial("copy", one_entrant)};
  EXPECT_EQ(select(workloads, "").size(), 3u);
  EXPECT_EQ(select(workloads, "add").size(), 2u);
  EXPECT_EQ(select(workloads, "^add$").size(), 1u);
  try {
    select(workloads, "sub");
    FAIL() << "a filter that finds nothing was accepted";
  } catch (const gs::error& refused) {
    EXPECT_STREQ(refused.what(), "the filter: 'sub' finds no workload; use one of add, add_ten, copy");
  }
  EXPECT_THROW(select(workloads, "("), gs::error);
}

}  // namespace
}  // namespace bench
