#pragma once
// The criterion "correctness": right answers in every case, called twice with other inputs in between.

#include <string>
#include <vector>

#include "assessments/grader/verdict/grading.h"

namespace grader {

class correctness {
 public:
  /// With `until_first_wrong`, there are no more calls after one that went wrong.
  explicit correctness(const task& t, bool until_first_wrong = false);

  /// The public cases, then the hidden ones. After the second time-out, or the fourth call that ran out of memory, the
  /// rest isn't called: it counts as not right.
  void first_round(grading& g);
  /// The hidden cases once more with fresh inputs, from last to first: an answer kept from the first
  /// round, or from the call before, is wrong now.
  void second_round(grading& g);
  /// A call made by another criterion, speed. The second round calls its case, too.
  void count(grading& g, const test_case& c, const call_result& r);

  bool all_right() const;  ///< so far
  bool gave_up() const { return !given_up_after().empty(); }
  std::string given_up_after() const;  ///< "two time-outs", or empty
  /// Points in proportion to the cases whose calls were all right; none where less than half of them are: an empty
  /// array's answer is always right.
  criterion_result result(const criterion& c) const;

 private:
  struct tally {
    test_case test;
    bool fits = true;
    std::uint64_t calls = 0, wrong = 0;
  };
  void call(grading& g, tally& t, std::uint64_t seed);
  void note(grading& g, tally& t, const call_result& r);

  const criterion* criterion_ = nullptr;
  std::vector<tally> cases_;
  std::size_t public_cases_ = 0;
  bool until_first_wrong_;
  std::uint64_t timed_out_ = 0, out_of_memory_ = 0, shown_ = 0;
};

}  // namespace grader
