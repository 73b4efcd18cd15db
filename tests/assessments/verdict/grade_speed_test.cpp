// Grading by speed: pairs of calls, the baseline's and the submission's.

#include <algorithm>
#include <map>

#include "tests/assessments/verdict/grading_fixture.h"

namespace grade_test {

TEST_F(grading, compares_speed_with_the_baseline) {
  grader::criterion& c = add(criterion_kind::speed, "speed", 60);
  c.at_least = 1;
  c.full = 2;
  double factor = 1.5;
  std::map<std::uint64_t, int> same_inputs;
  fake.call = [&](const test_case& k, std::uint64_t seed, bool, bool baseline) {
    call_result r;
    r.seconds = baseline ? 0.001 * factor : 0.001;
    if (k.sizes.at("values") == 1000) ++same_inputs[seed];
    return r;
  };
  verdict v = grade();
  EXPECT_TRUE(v.passed);
  EXPECT_DOUBLE_EQ(v.points, 40 + 45);
  EXPECT_EQ(result(v, "speed").state, criterion_state::partly);
  ASSERT_EQ(v.speed.size(), 1u);
  EXPECT_DOUBLE_EQ(v.speed[0].ratio, 1.5);
  EXPECT_EQ(v.speed[0].pairs, 6u);
  // Six pairs and the one that warms up; then the timed case is called once more, as a hidden one.
  EXPECT_EQ(same_inputs.size(), 8u);
  EXPECT_EQ(std::ranges::count_if(same_inputs, [](const auto& seed) { return seed.second == 2; }), 7);
  factor = 3;
  EXPECT_EQ(grade().points, 100);
  factor = 0.5;
  v = grade();
  EXPECT_EQ(v.points, 40);
  ASSERT_EQ(v.mishaps.size(), 1u);
  EXPECT_EQ(v.mishaps[0].kind, mishap_kind::too_slow);
  EXPECT_EQ(v.mishaps[0].text,
            "0.50 times as fast as the baseline (95 %: 0.50 to 0.50, 6 pairs, 1 ms and 500 µs); points begin at 1.00.");
}

TEST_F(grading, does_not_grade_speed_where_times_vary) {
  grader::criterion& c = add(criterion_kind::speed, "speed", 60);
  c.at_least = 1;
  c.full = 20;
  int call = 0;
  fake.call = [&](const test_case&, std::uint64_t, bool, bool) {
    call_result r;
    r.seconds = ++call % 3 == 0 ? 0.001 : 0.01;
    return r;
  };
  const verdict v = grade();
  EXPECT_TRUE(v.passed) << "what can't be graded here counts neither way";
  EXPECT_EQ(v.points, 40);
  EXPECT_EQ(v.possible, 40);
  EXPECT_EQ(result(v, "speed").state, criterion_state::not_run);
  EXPECT_NE(result(v, "speed").summary.find("not graded for speed here: this machine's times vary too much"),
            std::string::npos);
}

TEST_F(grading, does_not_grade_speed_where_the_baseline_fails) {
  add(criterion_kind::speed, "speed", 60);
  mishap_kind kind = mishap_kind::crashed;
  fake.call = [&](const test_case&, std::uint64_t, bool, bool baseline) {
    call_result r = baseline ? wrong(kind) : call_result{};
    r.seconds = 0.001;
    return r;
  };
  verdict v = grade();
  EXPECT_EQ(result(v, "speed").summary, "not graded for speed here: the baseline did not run (crash)");
  EXPECT_EQ(v.possible, 40);
  kind = mishap_kind::wrong_answer;  // a plain copy beside a transpose
  v = grade();
  EXPECT_EQ(v.points, 100);
}

TEST_F(grading, checks_the_answers_of_timed_calls) {
  add(criterion_kind::speed, "speed", 60);
  int timed = 0;
  fake.call = [&](const test_case& c, std::uint64_t, bool, bool baseline) {
    call_result r;
    r.seconds = 0.001;
    if (c.sizes.at("values") == 1000 && !baseline && ++timed == 4)
      r.went_wrong = wrong(mishap_kind::wrong_answer).went_wrong;
    return r;
  };
  const verdict v = grade();
  EXPECT_FALSE(v.passed);
  EXPECT_EQ(result(v, "speed").state, criterion_state::failed);
  EXPECT_EQ(result(v, "speed").summary, "a timed call went wrong");
  EXPECT_NE(result(v, "right").state, criterion_state::passed);
  EXPECT_EQ(v.mishaps.at(0).call, "values 1,000, normal");
}

TEST_F(grading, does_not_time_wrong_answers) {
  add(criterion_kind::speed, "speed", 60);
  fake.call = [](const test_case& c, std::uint64_t, bool, bool baseline) {
    EXPECT_FALSE(baseline);
    return c.sizes.at("values") == 1 ? wrong(mishap_kind::wrong_answer) : call_result{};
  };
  const verdict v = grade();
  EXPECT_EQ(result(v, "speed").state, criterion_state::not_run);
  EXPECT_EQ(result(v, "speed").summary, "not run: the answers are wrong");
  EXPECT_EQ(v.possible, 100) << "it could have been earned";
}

TEST_F(grading, shows_a_speed_without_points) {
  add(criterion_kind::speed, "speed", 0);
  fake.call = [](const test_case&, std::uint64_t, bool, bool baseline) {
    call_result r;
    r.seconds = baseline ? 0.001 : 0.002;
    return r;
  };
  task.pass_points = 40;
  verdict v = grade();
  EXPECT_TRUE(v.passed);
  EXPECT_TRUE(v.mishaps.empty());
  EXPECT_NE(result(v, "speed").summary.find("(shown, not graded)"), std::string::npos);
  task.criteria.back().share_of = "a copy";
  v = grade();
  EXPECT_EQ(result(v, "speed").summary,
            "50 % of the bandwidth of a copy (95 %: 50 to 50 %, 6 pairs, 2 ms and 1 ms) (shown, not graded)");
  v = grade({.measure_what_earns_nothing = false});
  EXPECT_EQ(result(v, "speed").summary, "not measured: it earns no points");
  EXPECT_TRUE(v.speed.empty());
}

}  // namespace grade_test
