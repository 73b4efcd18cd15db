#include "assessments/grader/verdict/correctness.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace grader {
namespace {

constexpr std::uint64_t most_time_outs = 2, most_out_of_memory = 4, most_shown = 3;

}  // namespace

correctness::correctness(const task& t, bool until_first_wrong)
    : public_cases_(t.public_cases.size()), until_first_wrong_(until_first_wrong) {
  criterion_ = &*std::ranges::find(t.criteria, criterion_kind::correctness, &criterion::kind);
  for (const auto* cases : {&t.public_cases, &t.hidden_cases})
    for (const test_case& c : *cases) cases_.push_back({.test = c});
}

void correctness::first_round(grading& g) {
  for (std::size_t k = 0; k < cases_.size(); ++k) {
    tally& t = cases_[k];
    t.fits = g.fits(t.test);
    call(g, t, k < public_cases_ ? case_seeds::fixed(t.test) : g.seeds.fresh());
  }
}

void correctness::second_round(grading& g) {
  for (tally& t : cases_ | std::views::drop(public_cases_) | std::views::reverse) call(g, t, g.seeds.fresh());
}

void correctness::count(grading& g, const test_case& c, const call_result& r) {
  const std::string text = to_string(c);
  for (tally& t : cases_)
    if (to_string(t.test) == text) return note(g, t, r);
  note(g, cases_.emplace_back(tally{.test = c}), r);
}

void correctness::call(grading& g, tally& t, std::uint64_t seed) {
  const bool goes_on = !gave_up() && !(until_first_wrong_ && shown_ > 0);
  if (t.fits && goes_on) note(g, t, g.call(t.test, seed));
}

void correctness::note(grading& g, tally& t, const call_result& r) {
  ++t.calls;
  if (!r.went_wrong) return;
  ++t.wrong;
  timed_out_ += r.went_wrong->kind == mishap_kind::timed_out;
  out_of_memory_ += r.went_wrong->kind == mishap_kind::out_of_memory;
  if (shown_++ < most_shown) g.add(*r.went_wrong, *criterion_, &t.test);
}

std::string correctness::given_up_after() const {
  if (timed_out_ >= most_time_outs) return "two time-outs";
  return out_of_memory_ >= most_out_of_memory ? "four calls that ran out of memory" : "";
}

bool correctness::all_right() const {
  return std::ranges::all_of(cases_, [](const tally& t) { return !t.fits || (t.calls > 0 && t.wrong == 0); });
}

criterion_result correctness::result(const criterion& c) const {
  criterion_result r = unknown_result(c);
  std::uint64_t cases = 0, right = 0, calls = 0, wrong_calls = 0, not_called = 0;
  std::string first_wrong;
  for (const tally& t : cases_) {
    if (!t.fits) continue;
    ++cases;
    calls += t.calls;
    wrong_calls += t.wrong;
    not_called += t.calls == 0;
    right += t.calls > 0 && t.wrong == 0;
    if (t.wrong > 0 && first_wrong.empty()) first_wrong = to_string(t.test);
  }
  if (cases == 0) {
    not_graded_here(r, "no case fits into this machine's memory");
    return r;
  }
  const double share = static_cast<double>(right) / static_cast<double>(cases);
  award(r, c, share < 0.5 ? 0 : share);
  r.summary = fmt::format("{} of {} calls right", calls - wrong_calls, calls);
  if (!first_wrong.empty()) r.summary += "; the first wrong one: " + first_wrong;
  if (not_called > 0)
    r.summary += fmt::format("; {} not called after {}",
                             not_called == 1 ? "1 case was" : fmt::format("{} cases were", not_called),
                             until_first_wrong_ ? "it" : given_up_after());
  return r;
}

}  // namespace grader
