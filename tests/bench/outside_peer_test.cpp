// Outside peers: the protocol, with programs of a few lines that keep it and break it; the scripts, as far as their
// packages are there.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <numbers>

#include "bench/measure/agreement.h"
#include "bench/measure/contest.h"
#include "bench/measure/input.h"
#include "bench/measure/peer_programs.h"
#include "bench/measure/run.h"
#include "bench/peers/peers.h"
#include "bench/report/json.h"
#include "bench/report/peer_table.h"
#include "bench/report/text.h"

namespace bench {
namespace {

constexpr auto soon = std::chrono::milliseconds(300), late = std::chrono::milliseconds(20'000);

// A program that knows the task "two": its result is the float32 numbers 2 and 4. `calls` is what it does when it's
// timed.
std::string fake(const std::string& calls = "sleep 0.002; echo '{\"seconds\": 0.002}'") {
  return R"(
echo '{"version": "Fake 1"}'
while read -r line; do
  case $line in
    *'"task":"two"'*) echo '{"ways": ["Fake, one way", "Fake, another way"]}' ;;
    *'"task":"show"'*) echo "{\"ways\": [\"$(od -An -v -tu1 /proc/self/fd/3 | tr -d '\n')\"]}" ;;
    *'"task":null'*) echo '{}' ;;
    *'"task"'*) echo '{"ways": []}' ;;
    *'"result"'*) printf '\000\000\000\100\000\000\200\100' >&3; echo '{}' ;;
    *) )" +
         calls +
         R"( ;;
  esac
done)";
}

std::shared_ptr<outside_peer> peer_of(const std::string& script, std::chrono::milliseconds patience = late) {
  return std::make_shared<outside_peer>("Fake", std::vector<std::string>{"/bin/sh", "-c", script}, patience);
}

const std::vector<float> two_and_four{2, 4};

assignment two(std::vector<float> expected = two_and_four) {
  return {.task = "two",
          .inputs = {},
          .scalars = {},
          .output = array_of<float>({2}),
          .check = [expected](const std::string& entrant_name, std::span<const std::byte> result) {
            std::vector<float> values(2);
            std::memcpy(values.data(), result.data(), result.size());
            expect_agreement(entrant_name, values, "the test", expected, {});
          }};
}

contest against(const std::shared_ptr<outside_peer>& peer, assignment task = two()) {
  contest c;
  c.add("ours", role::ours, [](std::size_t) {}, 1);
  c.ask_outside(std::move(task));
  c.invite(peer);
  return c;
}

TEST(outside_peer, takes_part_in_every_round_by_its_own_clock) {
  contest c = against(peer_of(fake()));
  ASSERT_EQ(c.entrants().size(), 3u);
  EXPECT_EQ(c.entrants()[1].name, "Fake, one way");
  EXPECT_EQ(c.entrants()[2].name, "Fake, another way");
  c.warm_up();
  for (int i = 0; i < 4; ++i) c.round();
  EXPECT_TRUE(c.left_out().empty()) << c.left_out()[0];
  for (const entrant& e : c.entrants()) {
    EXPECT_EQ(e.seconds.size(), 4u);
    if (e.role == role::ours) continue;
    EXPECT_EQ(e.role, role::peer);
    EXPECT_EQ(e.program, "Fake");
    for (const double seconds : e.seconds) EXPECT_EQ(seconds, 0.002);
  }
}

TEST(outside_peer, takes_part_in_several_contests_at_once) {
  const auto peer = peer_of(fake(R"(
        case $line in
          *'"assignment":1,'*) sleep 0.002; echo '{"seconds": 0.001}' ;;
          *'"assignment":2,'*) sleep 0.002; echo '{"seconds": 0.002}' ;;
          *) echo '{"error": "not known"}' ;;
        esac)"));
  contest first = against(peer), two = against(peer);
  for (contest* c : {&first, &two}) c->warm_up();
  for (contest* c : {&first, &two, &first}) c->round();
  EXPECT_EQ(first.entrants().at(2).seconds, (std::vector{0.001, 0.001}));
  EXPECT_EQ(two.entrants().at(2).seconds, (std::vector{0.002}));
}

TEST(outside_peer, gets_the_inputs_one_after_another) {
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  const std::vector<std::int16_t> words{4, -1};
  const auto peer = peer_of(fake());
  EXPECT_EQ(peer->prepare({.task = "show", .inputs = {{"a", std::span(bytes)}, {"b", std::span(words)}}}).ways,
            (std::vector<std::string>{"   1   2   3   4   0 255 255"}));
  EXPECT_EQ(peer->prepare({.task = "show"}).ways, std::vector<std::string>{""})
      << "something of the last task was left";
  EXPECT_EQ(peer->version(), "Fake 1");
}

TEST(outside_peer, a_wrong_result_is_left_out_and_others_are_not) {
  const contest c = against(peer_of(fake()), two({2, 5}));
  ASSERT_EQ(c.entrants().size(), 1u);
  ASSERT_EQ(c.left_out().size(), 2u);
  EXPECT_EQ(c.left_out()[0],
            "Fake, one way and the test differ at 1 of 2 elements; the first is element 1: 4 against 5");
}

TEST(outside_peer, a_task_that_it_does_not_know_is_none_of_its_business) {
  assignment request = two();
  request.task = "three";
  const contest c = against(peer_of(fake()), request);
  EXPECT_EQ(c.entrants().size(), 1u);
  EXPECT_TRUE(c.left_out().empty());
}

TEST(outside_peer, takes_the_first_task_that_it_knows) {
  contest c;
  c.ask_outside({.task = "three"});
  c.ask_outside(two());
  c.invite(peer_of(fake()));
  EXPECT_EQ(c.entrants().size(), 2u);
}

// The message of each failure. It ends the program, and the contest goes on without it.
TEST(outside_peer, failures_are_told) {
  const struct {
    const char *calls, *told;
  } cases[] = {
      {"exit 3", "Fake: ended with status 3"},
      {"echo 'out of luck' >&2; exit 1", "Fake: ended with status 1: out of luck"},
      {"kill -SEGV $$", "Fake: ended by signal 11, Segmentation fault"},
      {"sleep 60", "Fake: no answer within 0.3 s"},
      {"echo hello", "Fake: its answer 'hello' can't be understood"},
      {"echo '{}'", "Fake: its answer {} has no proper 'seconds'"},
      {"echo '{\"seconds\": \"1\"}'", "Fake: its answer {\"seconds\":\"1\"} has no proper 'seconds'"},
      {"echo '{\"error\": \"MemoryError\"}'", "Fake: MemoryError"},
  };
  for (const auto& [calls, message] : cases) {
    const auto peer = peer_of(fake(calls), soon);
    contest c = against(peer);
    const pid_t process = peer->process();
    EXPECT_EQ(c.entrants().size(), 3u) << calls;
    c.warm_up();
    c.round();
    ASSERT_EQ(c.entrants().size(), 1u) << calls;
    EXPECT_EQ(c.entrants()[0].seconds.size(), 1u) << calls;
    ASSERT_EQ(c.left_out().size(), 1u) << calls;
    EXPECT_EQ(c.left_out()[0], message);
    EXPECT_EQ(kill(process, 0), -1) << "still there after: " << calls;
  }
}

TEST(outside_peer, a_clock_that_stands_still_does_not_stop_the_run) {
  contest c = against(peer_of(fake("echo '{\"seconds\": 1e-12}'")));
  c.warm_up();
  EXPECT_EQ(c.entrants().back().calls, contest::most_calls);
}

TEST(outside_peer, cannot_claim_more_time_than_passed_nor_none) {
  for (const char* seconds : {"1000", "0", "-1"}) {
    contest c = against(peer_of(fake("echo '{\"seconds\": " + std::string(seconds) + "}'")));
    c.warm_up();
    ASSERT_EQ(c.left_out().size(), 1u) << seconds;
    EXPECT_NE(c.left_out()[0].find("Fake: it claims "), std::string::npos) << c.left_out()[0];
  }
}

TEST(outside_peer, a_result_that_is_too_short) {
  assignment request = two();
  request.output = array_of<float>({3});
  const contest c = against(peer_of(fake()), request);
  ASSERT_EQ(c.left_out().size(), 1u);
  EXPECT_EQ(c.left_out()[0], "Fake: its result is 4 bytes too short");
}

TEST(outside_peer, memory_that_is_not_there) {
  assignment request = two();
  request.output = array_of<float>({std::size_t{1} << 50});
  const contest c = against(peer_of(fake()), request);
  ASSERT_EQ(c.left_out().size(), 1u);
  EXPECT_NE(c.left_out()[0].find("GB of memory"), std::string::npos) << c.left_out()[0];
}

TEST(outside_peer, starts_again_after_a_failure_and_ends_with_its_owner) {
  const auto peer = peer_of(fake("exit 3"));
  {
    contest c = against(peer);
    c.warm_up();
    EXPECT_EQ(peer->process(), 0);
  }
  pid_t process = 0;
  {
    const auto second_contest = against(peer);
    EXPECT_EQ(second_contest.entrants().size(), 3u);
    process = peer->process();
    EXPECT_EQ(kill(process, 0), 0);
    EXPECT_EQ(second_contest.processes(), std::vector<pid_t>{process});
  }
  auto owned = peer_of(fake());
  owned->start();
  process = owned->process();
  owned.reset();
  EXPECT_EQ(kill(process, 0), -1);
}

TEST(outside_peer, absent_ones_are_named) {
  const auto peer_named = [](const char* name, std::vector<std::string> command) {
    return std::make_shared<outside_peer>(name, std::move(command), soon);
  };
  const auto [present, absent] = start(
      {peer_named("One", {"/bin/sh", "-c", fake()}), peer_named("Two", {"/no/such/program"}),
       peer_named("Three", {"/bin/sh", "-c", R"(echo '{"lacking": "No module named three; apt-get install three"}')"}),
       peer_named("Four", {"/bin/sh", "-c", "echo nothing to see here >&2; exit 9"})});
  ASSERT_EQ(present.size(), 1u);
  EXPECT_EQ(present[0]->name(), "One");
  EXPECT_EQ(absent, (std::vector<std::string>{"Two: '/no/such/program' can't be started: No such file or directory",
                                              "Three: No module named three; apt-get install three",
                                              "Four: ended with status 9: nothing to see here"}));
}

const workload two_numbers{.name = "two", .text = "two numbers", .prepare = [] {
                             contest c;
                             c.add("ours", role::ours, [](std::size_t) {}, 1);
                             c.ask_outside(two());
                             return c;
                           }};

TEST(run, leaves_peers_out_when_the_time_is_used_up) {
  double clock = 0;
  budget time(10, [&] { return clock; });
  const auto last_of = [&] {
    return run({two_numbers},
               {.rounds = {.least = 2, .most = 3, .narrow = 0}, .time = &time, .peers = {peer_of(fake())}})
        .back();
  };
  EXPECT_EQ(last_of().entrants.size(), 3u);
  EXPECT_TRUE(last_of().left_out.empty());
  clock = 11;
  const row late = last_of();
  EXPECT_EQ(late.entrants.size(), 1u);
  EXPECT_EQ(late.left_out, std::vector<std::string>{"Fake: the time of the run was used up; --seconds gives it more"});
}

TEST(run, with_a_peer_that_fails) {
  const workload& w = two_numbers;
  workload measured = w;
  measured.name = "after";
  const auto rows = run({w, measured}, {.rounds = stopping_rule::exactly(3), .peers = {peer_of(fake("exit 3"))}});
  ASSERT_EQ(rows.size(), 2u);
  for (const row& r : rows) {
    EXPECT_EQ(r.entrants.size(), 1u);
    EXPECT_EQ(r.left_out, std::vector<std::string>{"Fake: ended with status 3"});
    EXPECT_NE(row_text(r).find("  left out: Fake: ended with status 3\n"), std::string::npos);
  }
  EXPECT_EQ(peer_table_text(rows), "");
}

// The scripts at sizes that no workload has, against the loops of this process.
struct script : testing::TestWithParam<const char*> {};

TEST_P(script, agrees_at_every_size) {
  auto programs = all_peer_programs();
  std::erase_if(programs, [](const auto& first) { return first->name() != GetParam(); });
  ASSERT_EQ(programs.size(), 1u);
  const auto& peer = programs[0];
  if (const peer_programs started = start(programs); started.present.empty()) GTEST_SKIP() << started.absent.at(0);
  std::size_t tried = 0;
  for (const std::size_t n : {1, 31, 32, 33, 1009, 65'537}) {
    std::vector<float> x(n), y(n), out(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i % 17) - 8.25f;
      y[i] = static_cast<float>(i % 5) / 4;
    }
    std::vector<std::uint32_t> counts(11);
    std::vector<float> sum(1), plane(3 * n), turned(3 * n);
    for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = static_cast<float>(i);
    const auto rows = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
    const std::vector<float> square(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(rows * rows));
    std::vector<float> diffused(square.size());

    const auto try_it = [&](const char* task, auto& result, tolerance allowed, std::vector<named_array> inputs,
                            std::map<std::string, double> scalars = {}, std::vector<std::size_t> shape = {}) {
      using value = typename std::remove_reference_t<decltype(result)>::value_type;
      const assignment request{.task = task,
                               .inputs = std::move(inputs),
                               .scalars = std::move(scalars),
                               .output = array_of<value>(shape.empty() ? std::vector{result.size()} : shape)};
      const auto [number, ways] = peer->prepare(request);
      for (std::size_t way = 0; way < ways.size(); ++way) {
        const auto bytes = peer->result(number, way, result.size() * sizeof(value));
        std::vector<value> values(result.size());
        std::memcpy(values.data(), bytes.data(), bytes.size());
        EXPECT_NO_THROW(expect_agreement(ways[way], std::span<const value>(values), "this process",
                                         std::span<const value>(result), allowed))
            << task << " of " << n;
      }
      tried += ways.size();
    };
    const std::span<const float> a = x, b = y;
    peers::add(x, y, out, stores::plain);
    try_it("add", out, {}, {{"x", a}, {"y", b}});
    peers::neural_layer(x, y, out, stores::plain);
    try_it("neural_layer", out, {.relative = 2e-6, .absolute = 5e-7}, {{"grey", a}, {"weight", b}});
    peers::gaussian_pdf(x, 1, 2, out, stores::plain);
    try_it("gaussian_pdf", out, {.relative = 2e-6}, {{"x", a}}, {{"mean", 1}, {"sigma", 2}});
    sum[0] = peers::reduce(x);
    try_it("reduce", sum, {.relative = 1e-4, .absolute = 1e-3}, {{"x", a}});
    peers::histogram(x, -5, 1.25f, counts);
    try_it("histogram", counts, {}, {{"x", a}}, {{"low", -5}, {"scale", 1.25}});
    peers::l2_norm(plane, 3, out);
    try_it("l2_norm", out, {.relative = 2e-5}, {{"x", std::span<const float>(plane), {n, 3}}});
    peers::transpose(plane, turned, n, 3, stores::plain);
    try_it("transpose", turned, {}, {{"x", std::span<const float>(plane), {n, 3}}}, {}, {3, n});
    peers::diffuse(square, diffused, {}, rows, 0.25f);
    for (const char* task : {"diffusion", "diffusion_laplacian", "diffusion_threads"})
      try_it(task, diffused, {.absolute = 2e-6}, {{"u", std::span(square), {rows, rows}}}, {{"rate", 0.25}},
             {rows, rows});
  }
  EXPECT_GE(tried, 12u);
}
INSTANTIATE_TEST_SUITE_P(with, script, testing::Values("Numba", "NumPy", "SciPy", "PoCL"),
                         [](const auto& name) { return std::string(name.param); });

// The same for the scripts that know only learning, with small and odd sizes.
struct script_that_learns : script {};

TEST_P(script_that_learns, agrees_with_the_loops_of_this_process) {
  auto programs = all_peer_programs();
  std::erase_if(programs, [](const auto& first) { return first->name() != GetParam(); });
  ASSERT_EQ(programs.size(), 1u);
  const auto& peer = programs[0];
  if (const peer_programs started = start(programs); started.present.empty()) GTEST_SKIP() << started.absent.at(0);
  const auto expect_agreement_with = [&](const auto& result, tolerance allowed, assignment request) {
    using value = typename std::remove_cvref_t<decltype(result)>::value_type;
    if (request.output.shape == std::vector<std::size_t>{0}) request.output = array_of<value>({result.size()});
    const auto [number, ways] = peer->prepare(request);
    EXPECT_GE(ways.size(), 1u) << request.task;
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const auto bytes = peer->result(number, way, result.size() * sizeof(value));
      std::vector<value> values(result.size());
      std::memcpy(values.data(), bytes.data(), bytes.size());
      EXPECT_NO_THROW(expect_agreement(ways[way], std::span<const value>(values), "this process",
                                       std::span<const value>(result), allowed))
          << request.task;
    }
  };
  const auto numbers = [](std::size_t n, std::uint64_t sequence, auto low) {
    std::vector<decltype(low)> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = low + static_cast<decltype(low)>(uniform(i, sequence));
    return x;
  };

  const peers::network_extents network{.batch = 7, .inputs = 5, .hidden = 3, .classes = 4};
  const auto pictures = numbers(35, 1, 0.0f), weights = numbers(network.parameters(), 2, -0.5f);
  const std::vector<std::int32_t> labels{0, 3, 1, 2, 0, 0, 3};
  std::vector<float> stepped(1 + network.parameters());
  peers::training_step(pictures, labels, weights, 0.5f, stepped, network);
  expect_agreement_with(stepped, {.relative = 1e-5, .absolute = 1e-6},
                        {.task = "learning_step",
                         .inputs = {{"x", std::span(pictures), {7, 5}},
                                    {"labels", std::span(labels)},
                                    {"parameters", std::span(weights)}},
                         .scalars = {{"rate", 0.5}, {"hidden", 3}}});

  for (const std::size_t dimensions : {1, 3}) {
    const peers::mixture_extents mixture{.points = 11, .dimensions = dimensions, .components = 4};
    const auto x = numbers(11 * dimensions, 3, 0.0), parameters = numbers(mixture.parameters(), 4, -0.5);
    std::vector<double> posterior(1 + mixture.parameters());
    peers::mixture(x, parameters, {.gamma = 0.75, .excess = 2}, posterior, mixture);
    expect_agreement_with(posterior, {.relative = 1e-11, .absolute = 1e-11},
                          {.task = "learning_mixture",
                           .inputs = {{"x", std::span(x), {11, dimensions}}, {"parameters", std::span(parameters)}},
                           .scalars = {{"components", 4}, {"gamma", 0.75}, {"excess", 2}}});
  }

  const auto points = numbers(51, 5, 0.0);
  const std::vector<double> centroids(points.end() - 15, points.end());
  std::vector<double> newton(15);
  peers::newton_step_of_clusters(points, centroids, newton, {.points = 17, .dimensions = 3, .clusters = 5});
  expect_agreement_with(
      newton, {.absolute = 1e-12},
      {.task = "learning_clusters",
       .inputs = {{"points", std::span(points), {17, 3}}, {"centroids", std::span(centroids), {5, 3}}},
       .output = array_of<double>({5, 3})});

  const auto image = numbers(60, 6, -0.5f), stencils = numbers(54, 7, -0.5f);
  std::vector<float> convolved(90);
  peers::convolution(image, stencils, convolved, {.batch = 2, .rows = 3, .columns = 5, .channels = 2, .outputs = 3});
  expect_agreement_with(convolved, {.relative = 1e-5, .absolute = 1e-6},
                        {.task = "learning_convolution",
                         .inputs = {{"x", std::span(image), {2, 3, 5, 2}}, {"w", std::span(stencils), {3, 3, 2, 3}}},
                         .output = array_of<float>({2, 3, 5, 3})});
}
INSTANTIATE_TEST_SUITE_P(with, script_that_learns, testing::Values("JAX", "PyTorch"),
                         [](const auto& name) { return std::string(name.param); });

struct script_that_adds : script {};

TEST_P(script_that_adds, keeps_assignments_apart) {
  auto programs = all_peer_programs();
  std::erase_if(programs, [](const auto& first) { return first->name() != GetParam(); });
  const auto& peer = programs.at(0);
  if (const peer_programs started = start(programs); started.present.empty()) GTEST_SKIP() << started.absent.at(0);
  const std::vector<float> x{1, 2, 3}, y{10, 20, 30};
  const auto add = [&](std::size_t n) {
    return peer->prepare({.task = "add",
                          .inputs = {{"x", std::span(x).first(n)}, {"y", std::span(y).first(n)}},
                          .output = array_of<float>({n})});
  };
  const auto of_three = add(3), of_two = add(2);
  const auto result = [&](const outside_peer::accepted& first, std::size_t n) {
    const auto bytes = peer->result(first.number, 0, n * sizeof(float));
    std::vector<float> values(n);
    std::memcpy(values.data(), bytes.data(), n * sizeof(float));
    return values;
  };
  EXPECT_EQ(result(of_three, 3), (std::vector<float>{11, 22, 33}));
  EXPECT_EQ(result(of_two, 2), (std::vector<float>{11, 22}));
  peer->rest();
  EXPECT_THROW(result(of_three, 3), peer_failure) << "its arrays are gone";
}

INSTANTIATE_TEST_SUITE_P(with, script_that_adds, testing::Values("Numba", "NumPy", "PoCL"),
                         [](const auto& name) { return std::string(name.param); });

row known_row(std::string name, double our_seconds, double by_hand, double numba, double numba_slow) {
  row r{.workload = {.name = std::move(name), .text = "a row with known times", .prepare = {}},
        .entrants = {},
        .skipped = {},
        .wrong = {}};
  const auto add = [&](const char* entrant_name, role side, double seconds, const char* program) {
    std::vector<double> samples;
    for (int i = 0; i < 11; ++i) samples.push_back(seconds * (1 + 0.1 * (i - 5)));
    r.entrants.push_back(
        {.name = entrant_name, .role = side, .run = {}, .calls = 1, .seconds = samples, .program = program});
  };
  add("ours, slow", role::ours, 2 * our_seconds, "");
  add("ours", role::ours, our_seconds, "");
  add("OpenMP", role::peer, by_hand, "");
  add("Numba, slow", role::peer, numba_slow, "Numba");
  add("Numba, fast", role::peer, numba, "Numba");
  return r;
}

TEST(peer_table, who_wins) {
  std::vector<row> rows{known_row("won", 1e-3, 2e-3, 3e-3, 9e-3), known_row("lost", 4e-3, 9e-3, 2e-3, 9e-3),
                        known_row("even", 1e-3, 1e-3, 3e-3, 9e-3)};
  rows[1].entrants.push_back(rows[1].entrants.back());
  rows[1].entrants.back().name = rows[1].entrants.back().program = "Warp";
  for (double& seconds : rows[1].entrants.back().seconds) seconds *= 4;
  const auto lost = compare_with_peers(rows[1]);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->ours->name, "ours");
  EXPECT_EQ(lost->best->name, "Numba, fast");
  EXPECT_NEAR(lost->ratio.median, 2, 1e-9);
  EXPECT_EQ(lost->winner, peer_comparison::peer_wins);
  EXPECT_EQ(compare_with_peers(rows[0])->winner, peer_comparison::ours_wins);
  EXPECT_EQ(compare_with_peers(rows[2])->winner, peer_comparison::even);
  EXPECT_EQ(peer_table_text(rows), R"(
Ours and the peers: the fastest of each, median time of a call
                                ours   by hand     Numba      Warp   ours / best peer    wins
  won                        1.00 ms   2.00 ms   3.00 ms             0.50 [0.50, 0.50]   ours
  lost                       4.00 ms   9.00 ms   2.00 ms   8.00 ms   2.00 [2.00, 2.00]   Numba, fast
  even                       1.00 ms   1.00 ms   3.00 ms             1.00 [1.00, 1.00]   even
  won: Numba 1, even 1, ours 1
)");
}

TEST(peer_table, as_markdown) {
  run_record record{};
  record.date = "2026-11-27T12:00:00Z";
  record.compiler = "g++ 12.2.0";
  record.machine.processor = "a processor";
  record.machine.cores = 2;
  record.machine.vector_width = "AVX-512 (512 bits)";
  record.peers = {"Numba 1.0", "Warp 2.0"};
  EXPECT_EQ(peer_table_markdown(record), "");
  record.rows = {known_row("won", 1e-3, 2e-3, 3e-3, 9e-3), known_row("lost", 4e-3, 9e-3, 2e-3, 9e-3)};
  EXPECT_EQ(peer_table_markdown(record), R"(| workload | ours | ours / best peer | best peer | its time |
| --- | ---: | ---: | --- | ---: |
| `won`: a row with known times | 1.00 ms | 0.50 [0.50, 0.50] | by hand: OpenMP | 2.00 ms |
| `lost`: a row with known times | 4.00 ms | 2.00 [2.00, 2.00] | Numba, fast | 2.00 ms |

a processor, 2 cores, AVX-512 (512 bits); g++ 12.2.0; 2026-11-27; peers: Numba 1.0; Warp 2.0.
)");
}

TEST(peer_table, without_an_outside_peer_there_is_none) {
  row r = known_row("alone", 1, 2, 3, 4);
  std::erase_if(r.entrants, [](const entrant& e) { return !e.program.empty(); });
  EXPECT_FALSE(compare_with_peers(r));
}

}  // namespace
}  // namespace bench
