// The sentences of synccheck's findings.

#include "runtime/instruments/checks/synccheck.h"

#include <fmt/format.h>

#include "runtime/instruments/results/finding_words.h"

namespace gs::inline GS_FLAVOUR {
namespace finding_words {
namespace {

void describe_lanes_that_never_come(finding& found) {
  found.meaning = fmt::format("{} waits in {} for lanes of its warp that never get there.",
                              capitalized(thread_and_block(found)), line_of(found, found.access.where));
  found.hint =
      "Let all lanes of the warp make the call, outside of any if or loop that they decide differently, or name in the "
      "mask only those that do.";
}

void describe_divergent_lanes(finding& found) {
  if (!found.other) return describe_lanes_that_never_come(found);
  found.meaning = fmt::format(
      "{} exchanges values with its warp in {} and {} in {}: a GPU may run the two one after the other, each without "
      "the "
      "other's values.",
      capitalized(thread_and_block(found)), line_of(found, found.access.where), thread_of(found, earlier_of(found)),
      line_of(found, earlier_of(found).where));
  found.hint =
      "Choose the value in the if and let all lanes make the same call after it, or name in the mask only the lanes of "
      "the branch.";
}

void describe_divergent_barrier(finding& found) {
  const source_place &one = found.access.where, &other = earlier_of(found).where;
  const bool same_line = found.other && one.line == other.line && one.file == other.file && one.line != 0;
  const auto barrier = [&](const source_place& where) {
    return line_of(found, where) + (same_line ? fmt::format(", column {}", where.column) : "");
  };
  found.meaning =
      fmt::format("{} waits at the barrier of {}, ", capitalized(thread_and_block(found)), barrier(one)) +
      (found.other ? fmt::format("but {} waits at that of {}.", thread_of(found, *found.other), barrier(other))
                   : "which other threads of the block never reach.");
  found.hint = "Move the barrier out of the if or the loop, so that all threads of the block reach the same one.";
}

void describe_exited_lane(finding& found) {
  found.meaning = fmt::format(
      "{} takes a value from a lane of its warp that has returned or isn't in the mask: CUDA leaves undefined what it "
      "gets.",
      capitalized(thread_and_block(found)));
  found.hint =
      "Let all lanes of the warp come here, with an if around the work instead of a return, or name in the mask "
      "those that do.";
}

void describe_exit_before_grid_sync(finding& found) {
  found.meaning = fmt::format("{} returns before a barrier of the whole grid, where the others wait for it.",
                              capitalized(thread_and_block(found)));
  found.hint = "Put the work in an if instead of returning early, so that every thread reaches each grid_sync().";
}

void describe_plain_spin(finding& found) {
  found.meaning = fmt::format(
      "{} reads {} again and again until another thread changes it. These are plain reads: a compiler may make one of "
      "them all, and then the loop never ends.",
      capitalized(thread_and_block(found)), found.array.empty() ? "the same element" : "an element of " + found.array);
  found.hint = "Read it with gs::atomic_ref(x).load(), and let the other thread write it with store().";
}

constexpr detail::finding_description synccheck_findings[] = {
    {finding_kind::divergent_barrier, "divergent_barrier", describe_divergent_barrier},
    {finding_kind::exited_lane, "exited_lane", describe_exited_lane},
    {finding_kind::divergent_lanes, "divergent_lanes", describe_divergent_lanes},
    {finding_kind::exit_before_grid_sync, "exit_before_grid_sync", describe_exit_before_grid_sync},
    {finding_kind::plain_spin, "plain_spin", describe_plain_spin},
};

}  // namespace
}  // namespace finding_words

namespace detail {

constinit const instrument_description synccheck_description{instrument::synccheck, "synccheck",
                                                             finding_words::synccheck_findings};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
