// The sentences of racecheck's findings.

#include "runtime/instruments/checks/racecheck.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/core/source_notes.h"
#include "runtime/instruments/results/finding_words.h"

namespace gs::inline GS_FLAVOUR {
namespace finding_words {
namespace {

// "thread 4 of block 2 writes x[5] (line 12) and thread 5 of block 2 reads it (line 14)"
std::string both_accesses(const finding& found, std::string_view first, std::string_view second) {
  return fmt::format("{} {} ({}) and {} {} ({})", first, does(earlier_of(found).kind, element_of(found)),
                     line_of(found, earlier_of(found).where), second, does(found.access.kind, "it"),
                     line_of(found, found.access.where));
}

std::string both_threads(const finding& found) {
  return capitalized(both_accesses(found, thread_and_block(found, earlier_of(found)), thread_and_block(found)));
}

std::string same_value_text(const finding& found) { return found.same_value ? "; both write the same value" : ""; }

// What to do where no order of the two would be right; empty where one would.
std::string unordered_hint(const finding& found) {
  const finding_access &first = earlier_of(found), &second = found.access;
  if (found.same_value)
    return "No result depends on which of the writes comes last; still, let one thread do it where you can.";
  const bool one_is_atomic = (first.kind == access_kind::atomic) != (second.kind == access_kind::atomic);
  const bool is_update =
      first.where == second.where || (first.kind == access_kind::write && second.kind == access_kind::write);
  if (!one_is_atomic && !is_update) return "";
  const std::string element = found.takes_atomics.value_or(false) && !written_access(found, second.where).object.empty()
                                  ? detail::text_of_access(second.where)
                                  : "";
  if (one_is_atomic)
    return fmt::format("An atomic access orders nothing against a plain one: make both atomic, {}.",
                       element.empty() ? "by gs::atomic_ref of the same element" : "gs::atomic_ref(" + element + ")");
  if (!element.empty())
    return fmt::format(
        "Give every thread an element of its own, or make the update atomic: gs::atomic_ref({}).fetch_add(...).",
        element);
  if (found.takes_atomics.value_or(true))
    return "Give every thread an element of its own, or make the update atomic by gs::atomic_ref, if it is a number of "
           "4 or 8 bytes and no bit field.";
  return "Give every thread an element of its own: gs::atomic_ref takes numbers of 4 or 8 bytes, and this is none. "
         "Where threads must share one, let it be an unsigned or a float.";
}

// Which of two threads came first says nothing of the lines: the engine runs one as far as its barrier, then the next.
std::string missing_barrier_hint(const finding& found) {
  const source_place &one = earlier_of(found).where, &other = found.access.where;
  const auto notes = detail::source_notes::of_loaded_code();
  if (one.file != other.file || notes->empty())
    return "Put t.sync() between the two, where every thread of the block reaches it.";
  const unsigned above = std::min(one.line, other.line), below = std::max(one.line, other.line);
  std::string hint;
  if (notes->is_in_block_style(one.file, above))
    hint = "Give each of the two a block.each of its own: what ends one of them is the barrier.";
  else if (above == below)
    hint = "Read into a variable, then t.sync(), then write; in a loop, t.sync() once more before the next round.";
  else if (notes->has_barrier(one.file, above, below))
    hint = fmt::format(
        "Between line {} and line {} of the next round there is no barrier: t.sync() once more, at the end of the "
        "loop.",
        below, above);
  else
    hint = fmt::format("Put t.sync() between line {} and line {}, where every thread of the block reaches it.", above,
                       below);
  if (found.space == memory_space::global)
    hint += " In a grid of several blocks even that is not enough: write to a second array.";
  return hint;
}

void describe_race_in_block(finding& found) {
  found.meaning = fmt::format("{}, with no barrier between{}.", both_threads(found), same_value_text(found));
  const source_place &first = earlier_of(found).where, &second = found.access.where;
  const bool one_is_atomic =
      (earlier_of(found).kind == access_kind::atomic) != (found.access.kind == access_kind::atomic);
  // A block's own counters that are added up before all have counted: atomic reads would hide it and count as wrongly.
  const bool wants_a_barrier = one_is_atomic && !found.same_value && first != second;
  if (!wants_a_barrier) found.hint = unordered_hint(found);
  if (!found.hint.empty()) return;
  found.hint = missing_barrier_hint(found);
}

void describe_race_between_blocks(finding& found) {
  found.meaning =
      fmt::format("{}, in one launch, whose blocks run in any order{}.", both_threads(found), same_value_text(found));
  found.hint = unordered_hint(found);
  if (found.hint.empty())
    found.hint =
        "t.sync() orders only the threads of one block: write to a second array, or do what comes later in a "
        "launch of its own.";
}

void describe_race_between_streams(finding& found) {
  found.meaning =
      fmt::format("{}, on two streams that no event orders{}.",
                  both_accesses(found, kernel_of(earlier_of(found)), kernel_of(found.access)), same_value_text(found));
  found.hint =
      "Let the second stream wait for the first (gs::event e; e.record(first); second.wait(e);), or put both on "
      "one stream.";
}

void describe_race_with_host(finding& found) {
  const finding_access& work = earlier_of(found);
  found.meaning =
      fmt::format("Code of the host {} {} while {} ({}) may still {} it: nothing has waited for that.",
                  found.access.kind == access_kind::read ? "reads" : "writes", made_array(found), kernel_of(work),
                  line_of(found, work.where), work.kind == access_kind::read ? "read" : "write");
  found.hint =
      "Wait before: gs::synchronize(), synchronize() of the stream, or of an event that was recorded behind the work.";
}

void describe_outside_each(finding& found) {
  found.meaning =
      fmt::format("Block {} {} outside of block.each: on a GPU each of its threads does.",
                  position(found.access.block, found.access.block), does(found.access.kind, element_of(found)));
  found.hint = "Do it in a block.each, if (t.rank() == 0) where one thread is enough.";
}

constexpr detail::finding_description racecheck_findings[] = {
    {finding_kind::race_in_block, "race_in_block", describe_race_in_block},
    {finding_kind::race_between_blocks, "race_between_blocks", describe_race_between_blocks},
    {finding_kind::race_between_streams, "race_between_streams", describe_race_between_streams},
    {finding_kind::outside_each, "outside_each", describe_outside_each},
    {finding_kind::race_with_host, "race_with_host", describe_race_with_host},
};

}  // namespace
}  // namespace finding_words

namespace detail {

constinit const instrument_description racecheck_description{instrument::racecheck, "racecheck",
                                                             finding_words::racecheck_findings};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
