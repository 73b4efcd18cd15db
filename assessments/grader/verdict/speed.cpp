#include "assessments/grader/verdict/speed.h"

#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "workbook/number_text.h"

namespace grader {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Ends a comparison in the middle.
struct wrong_timed_call {};
struct baseline_failed {
  mishap why;
};

std::string times_text(const criterion& c, const speed_measurement& m) {
  if (!c.share_of.empty())
    return fmt::format("{:.0f} % of the bandwidth of {} (95 %: {:.0f} to {:.0f} %, {} pairs, {} and {})", 100 * m.ratio,
                       c.share_of, 100 * m.low, 100 * m.high, m.pairs, workbook::to_text(workbook::seconds(m.seconds)),
                       workbook::to_text(workbook::seconds(m.baseline_seconds)));
  return fmt::format("{:.2f} times as fast as the baseline (95 %: {:.2f} to {:.2f}, {} pairs, {} and {})", m.ratio,
                     m.low, m.high, m.pairs, workbook::to_text(workbook::seconds(m.seconds)),
                     workbook::to_text(workbook::seconds(m.baseline_seconds)));
}

class comparison {
 public:
  comparison(grading& g, correctness& answers, const test_case& test) : g_(g), answers_(answers), test_(test) {}

  speed_measurement measure(const speed_rules& rules) {
    baseline(0);
    submission(0);
    const std::vector<time_pair> pairs = measure_pairs([&](std::uint64_t k) { return baseline(k + 1); },
                                                       [&](std::uint64_t k) { return submission(k + 1); }, now, rules);
    const ratio_estimate ratio = estimate_ratio(pairs);
    std::vector<double> ours, theirs;
    for (const time_pair& p : pairs) {
      ours.push_back(p.submission);
      theirs.push_back(p.baseline);
    }
    return {.ratio = ratio.median,
            .low = ratio.low,
            .high = ratio.high,
            .seconds = median_of(ours),
            .baseline_seconds = median_of(theirs),
            .pairs = pairs.size(),
            .graded = true,
            .call = to_string(test_)};
  }

 private:
  std::uint64_t seed(std::uint64_t pair) {
    while (seeds_.size() <= pair) seeds_.push_back(g_.seeds.fresh());
    return seeds_[pair];
  }

  double submission(std::uint64_t pair) {
    const call_result r = g_.call(test_, seed(pair));
    answers_.count(g_, test_, r);
    if (r.went_wrong) throw wrong_timed_call{};
    return r.seconds;
  }

  double baseline(std::uint64_t pair) {
    const call_result r = g_.baseline(test_, seed(pair));
    if (r.went_wrong && r.went_wrong->kind != mishap_kind::wrong_answer) throw baseline_failed{*r.went_wrong};
    return r.seconds;
  }

  grading& g_;
  correctness& answers_;
  const test_case& test_;
  std::vector<std::uint64_t> seeds_;
};

mishap too_slow(const criterion& c, const speed_measurement& m) {
  mishap slow;
  slow.kind = mishap_kind::too_slow;
  slow.text = c.share_of.empty() ? fmt::format("{}; points begin at {:.2f}.", times_text(c, m), c.at_least)
                                 : fmt::format("{}; points begin at {:.0f} %.", times_text(c, m), 100 * c.at_least);
  slow.text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(slow.text[0])));
  return slow;
}

}  // namespace

criterion_result grade_speed(grading& g, const criterion& c, correctness& answers, const speed_rules& rules) {
  criterion_result r = unknown_result(c);
  double share = 0;
  std::uint64_t graded = 0;
  std::vector<std::string> comparisons;
  for (const test_case& test : c.cases) {
    if (!g.fits(test)) continue;
    try {
      speed_measurement m = comparison(g, answers, test).measure(rules);
      const ratio_estimate ratio{m.ratio, m.low, m.high};
      m.graded = is_certain(ratio, c.at_least, c.full, rules);
      g.result.speed.push_back(m);
      comparisons.push_back(times_text(c, m));
      if (!m.graded) {
        comparisons.back() += "; not graded for speed here: this machine's times vary too much";
        continue;
      }
      ++graded;
      if (c.points == 0) continue;
      const double earned = share_of_points(ratio, c.at_least, c.full);
      if (earned == 0) g.add(too_slow(c, m), c, &test);
      share += earned;
    } catch (const wrong_timed_call&) {
      award(r, c, 0);
      r.summary = "a timed call went wrong";
      return r;
    } catch (const baseline_failed& failed) {
      comparisons.push_back(
          fmt::format("not graded for speed here: the baseline did not run ({})", to_string(failed.why.kind)));
    }
  }
  if (graded == 0) {
    not_graded_here(r, comparisons.empty() ? "no case fits into this machine's memory" : "");
  } else {
    award(r, c, c.points > 0 ? share / static_cast<double>(graded) : 1);
  }
  if (!comparisons.empty())
    r.summary = fmt::format("{}{}", fmt::join(comparisons, "; "), c.points == 0 ? " (shown, not graded)" : "");
  return r;
}

}  // namespace grader
