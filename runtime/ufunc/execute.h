#pragma once
// The executor: runs a piece of array work on one core, on all cores, or in a device's queue.
//
// Work is an object with
//   size()           how many items there are
//   at(i)            does item i; this is what a thread of a GPU runs
//   run(begin, end)  does a range of items on one core, as fast as it can
//   grain()          with fewer items a second core doesn't pay
// and perhaps, for a GPU,
//   in_blocks()      whether a block of threads does an item together
//   tree(i)          item i as a tree of neighbours that they fold: its result's place, its elements and their number
// and perhaps, if it calls a function of the user's,
//   scalar_function()  its name
//   may_repeat()       whether a range can be done twice
//   operands_at(i)     the function's arguments for item i, as text
// It is copied bit by bit and owns nothing.

#include <string_view>
#include <type_traits>

#include "runtime/core/config.h"
#include "runtime/core/ledger.h"
#include "runtime/device/stream.h"
#include "runtime/device/target.h"
#include "runtime/device/timeline.h"
#include "runtime/engine/division_fault.h"
#include "runtime/host/cores.h"
#include "runtime/launch/dispatch.h"
#include "runtime/ufunc/refuse_division.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A target and, if that is the device, the stream to queue on.
class executor {
 public:
  executor(target chosen, const stream* device_stream) : target_(chosen), stream_(nullptr) {
    if (chosen != target::device) return;
    stream_ = device_stream ? device_stream : &default_stream();
    check_stream(*stream_);
  }

  bool on_device() const { return target_ == target::device; }
  bool on_one_core() const { return target_ == target::cpu; }

  /// Runs `work`, or queues it on the device and returns. Memory that it points to must live until it has run; device
  /// memory does so by itself.
  template <class Work>
  void operator()(const Work& work) const {
    static_assert(std::is_trivially_destructible_v<Work>);
    switch (target_) {
      case target::cpu:
        return run_piece(work, 0, work.size());
      case target::parallel:
        return spread(work);
      case target::device:
        return queue_on_device(work);
    }
  }

 private:
  template <class Work>
  static constexpr std::string_view name_of() {
    if constexpr (requires { Work::scalar_function(); })
      return Work::scalar_function();
    else
      return "a ufunc";
  }
  // Compiled once for all targets: for the compiler, a ufunc's loops are most of the work.
  template <class Work>
  [[gnu::noinline, gnu::noclone]] static void run_piece(const Work& work, std::size_t begin, std::size_t end) {
    if constexpr (requires { Work::scalar_function(); }) {
      const auto divides = [&](std::size_t first, std::size_t last) {
        return !without_division_fault([&] { work.run(first, last); });
      };
      if (divides(begin, end)) refuse_division_before(work, end, divides);
    } else {
      work.run(begin, end);
    }
  }
  // Finds the first item whose division stops the processor, by bisection from the beginning: several cores may meet
  // one in their pieces, and all name the same.
  template <class Work, class Divides>
  [[gnu::cold, gnu::noinline, noreturn]] static void refuse_division_before(const Work& work, std::size_t end,
                                                                            const Divides& divides) {
    if constexpr (requires { work.operands_at(end); }) {
      if (work.may_repeat()) {
        std::size_t begin = 0;
        while (end - begin > 1) {
          const std::size_t middle = begin + (end - begin) / 2;
          (divides(begin, middle) ? end : begin) = middle;
        }
        refuse_division(Work::scalar_function(), work.operands_at(begin), begin);
      }
    }
    refuse_division(Work::scalar_function());
  }
  template <class Work>
  static void spread(const Work& work) {
    for_pieces(work.size(), work.grain(), [&](std::size_t begin, std::size_t end) { run_piece(work, begin, end); });
  }
  template <class Work>
  void queue_on_device(const Work& work) const {
    ledger_entry::launch();
    if (work.size() == 0) return;
    const timeline_mark recorded(*stream_, timeline_kind::launch, name_of<Work>());
    execute_on_device(*stream_, name_of<Work>(), work,
                      [](const Work& w, std::size_t begin, std::size_t end) { run_piece(w, begin, end); });
  }

  target target_;
  const stream* stream_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
