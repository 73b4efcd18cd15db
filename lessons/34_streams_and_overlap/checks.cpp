// What exercise 34 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <array>
#include <string>
#include <vector>

namespace {

std::vector<stage> stages_of(std::size_t count, std::size_t piece) {
  std::vector<stage> stages;
  for (std::size_t k = 0; k < count; ++k)
    stages.push_back({.stream = gs::stream(), .buffer = gs::device_array<float>(piece)});
  return stages;
}

gs::pinned_array<float> numbers(std::size_t n) {
  gs::pinned_array<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 0.25f + static_cast<float>(i);
  return x;
}

// Right, and without races, as seen by the instruments.
bool halves(std::size_t n, std::size_t count, std::size_t piece, workbook::report& report) {
  const std::string name =
      std::to_string(n) + " numbers, " + std::to_string(count) + " stages of " + std::to_string(piece) + ": halves";
  const gs::pinned_array<float> x = numbers(n);
  gs::pinned_array<float> y(n, -1.0f);
  auto stages = stages_of(count, piece);
  const gs::ledger_scope scope;
  const auto seen = gs::inspect([&] {
    halves_in_pieces(x, y, stages);
    gs::synchronize();  // for the instruments: what is checked here is what was queued
  });
  if (!is_clean(seen, report)) return false;
  const gs::ledger copied = scope.account();
  if (!report.check_equal(name + ", bytes copied in", copied.bytes_to_device, n * sizeof(float)) ||
      !report.check_equal(name + ", bytes copied out", copied.bytes_to_host, n * sizeof(float)))
    return false;
  for (std::size_t i = 0; i < n; ++i)
    if (y[i] != 0.5f * x[i]) return report.check_equal(name + ", number " + std::to_string(i), y[i], 0.5f * x[i]);
  return report.check(name, true);
}

// Each piece on its stage's stream, in the order in, kernel, out; by what the device has recorded.
bool queued_in_turn(workbook::report& report) {
  constexpr std::size_t pieces = 7, count = 3, piece = 33;  // a multiple of 3, which tells a piece from its beginning
  const gs::pinned_array<float> x = numbers(pieces * piece - 5);
  gs::pinned_array<float> y(x.size());
  auto stages = stages_of(count, piece);
  std::array<std::string, count> expected;
  const std::string of_a_piece = "copy to the device, launch, copy to the host; ";
  for (std::size_t k = 0; k < pieces; ++k) expected[k % count] += of_a_piece;
  std::vector<std::string> done;
  const gs::ledger_scope scope;
  std::uint64_t waits = 0;
  {
    const gs::timeline_recording recording;
    halves_in_pieces(x, y, stages);
    waits = scope.account().synchronizations;
    for (const gs::timeline_entry& e : recording.entries()) {
      if (e.kind == gs::timeline_kind::wait) continue;
      if (e.stream >= done.size()) done.resize(e.stream + 1);
      done[e.stream] += to_string(e.kind) + (e.kind == gs::timeline_kind::copy_to_host ? "; " : ", ");
    }
  }
  if (!report.check_equal("7 pieces and 3 stages: streams that were used", done.size(), count)) return false;
  for (std::size_t s = 0; s < count; ++s)
    if (!report.check_equal("7 pieces and 3 stages: stream " + std::to_string(s), done[s], expected[s])) return false;
  return report.check_at_most("7 pieces and 3 stages: how often the host waits", waits, count);
}

GS_FN void take_long(gs::thread t, gs::view<unsigned> x, unsigned rounds) {
  unsigned value = x[t.grid()];
  for (unsigned k = 0; k < rounds; ++k) value = 1'664'525u * value + 1'013'904'223u;
  x[t.grid()] = value;
}

// One stage has a long kernel before it. Whoever has returned without waiting for it has returned too early.
bool waits_for_all(workbook::report& report) {
  constexpr std::size_t count = 3, piece = 32;
  const gs::pinned_array<float> x = numbers(count * piece);
  for (std::size_t slow = 0; slow < count; ++slow) {
    gs::pinned_array<float> y(x.size(), -1.0f);
    auto stages = stages_of(count, piece);
    const auto value = gs::to_device(std::vector<unsigned>(1, 1u));
    gs::launch<take_long>({.stream = stages[slow].stream}, value, 100'000'000u);
    halves_in_pieces(x, y, stages);
    const bool is_done = stages[slow].stream.idle();
    gs::synchronize();
    if (!report.check("the result has come when the function returns, stage " + std::to_string(slow), is_done))
      return false;
  }
  return true;
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 34,
          .name = "streams_and_overlap",
          .task = "a pipeline in pieces, over several streams",
          .check = [](workbook::report& report) {
            if (!halves(96, 3, 32, report)) return;
            for (const std::size_t n : {33, 31, 1, 0, 1009})
              if (!halves(n, 3, 32, report)) return;
            if (!halves(1009, 1, 100, report) || !halves(70, 4, 33, report)) return;
            if (!queued_in_turn(report)) return;
            waits_for_all(report);
          }};
}
