// Task A4's trusted side: a plain loop in float32 passes, other laws of motion don't, and neither does energy that
// comes from nowhere.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "tests/assessments/tasks/problem_call.h"

namespace nbody_problem_test {

const auto problem = grader::problem_of("A4");
const char* const kinds_of_data[] = {"cluster", "pairs", "disk"};
enum array { positions, velocities, masses, positions_after, velocities_after };

grader::test_case of(std::size_t bodies, std::size_t steps, const char* data) {
  return {.sizes = {{"bodies", bodies}, {"steps", steps}}, .data = data};
}

// How this loop departs from the right one.
struct mistake {
  float damping = 1;           // of each velocity, in each step
  bool moves_at_once = false;  // a body is moved before the next one's pull is added up
};

template <class T>
void answer(problem_call& c, const mistake& m = {}) {
  const auto softening = static_cast<T>(c.plan().numbers[0]), step = static_cast<T>(c.plan().numbers[1]);
  const auto mass = c.array<float>(masses);
  const std::size_t n = mass.size();
  std::vector<T> x(c.array<float>(positions).begin(), c.array<float>(positions).end());
  std::vector<T> v(c.array<float>(velocities).begin(), c.array<float>(velocities).end());
  for (double k = 0; k < c.plan().numbers[2]; ++k) {
    std::vector<T> next = x;
    for (std::size_t i = 0; i < n; ++i) {
      std::array<T, 3> pull{};
      for (std::size_t j = 0; j < n; ++j) {
        const T dx = x[j] - x[i], dy = x[n + j] - x[n + i], dz = x[2 * n + j] - x[2 * n + i];
        const T r = std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
        pull[0] += mass[j] * dx / (r * r * r);
        pull[1] += mass[j] * dy / (r * r * r);
        pull[2] += mass[j] * dz / (r * r * r);
      }
      for (std::size_t d = 0; d < 3; ++d) {
        T& speed = v[d * n + i];
        speed = m.damping * speed + step * pull[d];
        (m.moves_at_once ? x : next)[d * n + i] += step * speed;
      }
    }
    if (!m.moves_at_once) x = next;
  }
  std::ranges::transform(x, c.array<float>(positions_after).begin(), [](T y) { return static_cast<float>(y); });
  std::ranges::transform(v, c.array<float>(velocities_after).begin(), [](T y) { return static_cast<float>(y); });
}

TEST(nbody_problem, accepts_the_same_steps_in_float32_and_in_float64) {
  for (const char* data : kinds_of_data)
    for (const auto& [bodies, steps] : {std::pair{0, 3}, {1, 16}, {2, 16}, {31, 16}, {33, 0}, {65, 16}, {1009, 4}})
      for (const std::uint64_t seed : {1, 2, 3}) {
        const auto test = of(static_cast<std::size_t>(bodies), static_cast<std::size_t>(steps), data);
        problem_call single(*problem, test, seed), precise(*problem, test, seed);
        answer<float>(single);
        answer<double>(precise);
        const auto wrong = single.check();
        EXPECT_FALSE(wrong) << to_string(test) << ": " << wrong->array << " " << wrong->got << ", " << wrong->expected;
        EXPECT_FALSE(precise.check()) << to_string(test);
      }
}

TEST(nbody_problem, rejects_one_changed_coordinate_and_says_whose_it_is) {
  for (const char* data : kinds_of_data)
    for (const std::size_t n : {1, 33, 257})
      for (const std::size_t k : some_of(3 * n))
        for (const array changed : {positions_after, velocities_after}) {
          problem_call c(*problem, of(n, 2, data), 3);
          answer<float>(c);
          c.array<float>(changed)[k] += 0.001f * std::max(1.0f, std::abs(c.array<float>(changed)[k]));
          const auto wrong = c.check();
          ASSERT_TRUE(wrong) << data << " " << n;
          EXPECT_EQ(wrong->array, changed == positions_after ? "positions_after" : "velocities_after");
          EXPECT_EQ(wrong->index, (std::vector{k / n, k % n}));
          EXPECT_EQ(wrong->extents, (std::vector<std::size_t>{3, n}));
          EXPECT_EQ(wrong->wrong, 1u);
          EXPECT_GT(wrong->tolerance, 0);
          EXPECT_EQ(wrong->explanation, std::string(1, "xyz"[k / n]) + " of body " + std::to_string(k % n));
        }
}

TEST(nbody_problem, rejects_what_is_no_number) {
  problem_call c(*problem, of(33, 1, "cluster"), 3);
  answer<float>(c);
  c.array<float>(velocities_after)[40] = std::numeric_limits<float>::quiet_NaN();
  const auto wrong = c.check();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->array, "velocities_after");
  EXPECT_EQ(wrong->index, (std::vector<std::size_t>{1, 7}));
}

// Within the tolerance of each coordinate.
TEST(nbody_problem, rejects_a_little_friction_by_the_energy) {
  for (const char* data : kinds_of_data) {
    problem_call c(*problem, of(500, 4, data), 3);
    answer<double>(c, {.damping = 1 - 1.5e-5f});
    const auto wrong = c.check();
    ASSERT_TRUE(wrong) << data;
    EXPECT_EQ(wrong->array, "the energy of all bodies");
    EXPECT_TRUE(wrong->index.empty());
    EXPECT_TRUE(wrong->extents.empty());
    EXPECT_LT(wrong->got, wrong->expected) << "friction takes energy away";
    EXPECT_GT(wrong->tolerance, 0);
    EXPECT_NE(wrong->explanation.find(" before the first step. "), std::string::npos) << wrong->explanation;
  }
}

TEST(nbody_problem, rejects_bodies_that_move_one_after_the_other) {
  for (const char* data : kinds_of_data) {
    problem_call c(*problem, of(257, 2, data), 3);
    answer<double>(c, {.moves_at_once = true});
    EXPECT_TRUE(c.check()) << data;
  }
}

TEST(nbody_problem, half_of_the_pairs_are_at_the_same_place) {
  const std::size_t n = 1009;
  problem_call c(*problem, of(n, 1, "pairs"), 3);
  const auto x = c.array<float>(positions);
  std::size_t same = 0, close = 0;
  for (std::size_t i = 0; i + 1 < n; i += 2) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) square += std::pow(double{x[d * n + i + 1]} - double{x[d * n + i]}, 2);
    same += square == 0;
    close += square > 0 && square < 0.01;
  }
  EXPECT_EQ(same, 252u);
  EXPECT_EQ(close, 252u);
}

TEST(nbody_problem, a_disk_has_a_heavy_body_and_some_without_mass) {
  problem_call c(*problem, of(1009, 1, "disk"), 3);
  const auto mass = c.array<float>(masses);
  EXPECT_EQ(mass[0], 1);
  EXPECT_EQ(std::ranges::count(mass, 0.0f), 336);
  EXPECT_LT(*std::max_element(mass.begin() + 1, mass.end()), 0.001f);
}

TEST(nbody_problem, bodies_differ_and_follow_from_the_seed_alone) {
  for (const char* data : kinds_of_data) {
    problem_call a(*problem, of(1009, 1, data), 3), b(*problem, of(1009, 1, data), 3),
        other(*problem, of(1009, 1, data), 4);
    for (const array input : {positions, velocities, masses}) {
      EXPECT_EQ(a.bytes(input), b.bytes(input));
      EXPECT_NE(a.bytes(input), other.bytes(input));
    }
    const auto v = a.array<float>(velocities);
    EXPECT_GT(std::set<float>(v.begin(), v.end()).size(), 1900u) << data;
  }
}

TEST(nbody_problem, refuses_what_it_does_not_know) {
  EXPECT_EQ(refusal([] { problem->plan(of(3, 1, "ring")); }),
            "a call with bodies 3, steps 1, ring: the task has no data \"ring\"; name one of cluster, pairs, disk in "
            "task.json");
  EXPECT_EQ(refusal([] { problem->plan(of(5'004, 1, "disk")); }),
            "a call with 5004 bodies: A4 promises 0 to 5003; change \"bodies\" in task.json");
  EXPECT_EQ(refusal([] { problem->plan(of(3, 17, "disk")); }),
            "a call of 17 steps: after more than 16 float32 is too far from float64; change \"steps\" in task.json");
}

}  // namespace nbody_problem_test
