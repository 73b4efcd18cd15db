#pragma once
// A call of CUB for the whole device, as work on a stream. It is called twice: without temporary storage it says how
// many bytes are wanted, with it it is queued (CUB, "Device-wide primitives"). The storage itself isn't used: what is
// computed in between lies in memory of the host.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dialect/cub/operators.h"
#include "dialect/libraries/queued_call.h"
#include "dialect/runtime/memory.h"

namespace cub::detail {

constexpr std::size_t temporary_bytes = 256, grain = 4096;

/// For one array of a call: that the device has it, and what the work reads or writes. An iterator that is no pointer
/// is taken as it is.
template <class Iterator>
struct operand {
  const char* name;
  Iterator first;
  std::size_t count;
  bool is_written;

  bool is_usable() const {
    if constexpr (std::is_pointer_v<Iterator>)
      return count == 0 || dialect::device_may_use(first);
    else
      return true;
  }
  void note() const {
    if constexpr (std::is_pointer_v<Iterator>)
      (is_written ? gs::instruments::note_written : gs::instruments::note_read)(first, count * sizeof *first);
  }
};
template <class Iterator, class Count>
operand<Iterator> reads(const char* name, Iterator first, Count count) {
  return {name, first, static_cast<std::size_t>(std::max<Count>(count, 0)), false};
}
template <class Iterator, class Count>
operand<Iterator> writes(const char* name, Iterator first, Count count) {
  return {name, first, static_cast<std::size_t>(std::max<Count>(count, 0)), true};
}

/// Says on standard error what is wrong with a call, and returns cudaErrorInvalidValue.
cudaError_t refuse_call(const char* call, const std::string& why);
std::string host_memory_text(const char* array);
std::string few_bytes_text(std::size_t given, std::size_t wanted);

class device_call {
 public:
  device_call(const char* name, void* temporary, std::size_t& bytes, cudaStream_t stream)
      : name_(name), asks_for_bytes_(temporary == nullptr), stream_(stream) {
    if (asks_for_bytes_)
      bytes = temporary_bytes;
    else if (bytes < temporary_bytes)
      refuse(few_bytes_text(bytes, temporary_bytes));
    else
      check(writes("d_temp_storage", static_cast<char*>(temporary), 1));
  }

  /// Queues `work(spread)`, whose operands these are. What it writes fewer elements of than the operand has, it notes
  /// itself.
  template <class Work, class... Iterators>
  cudaError_t queue(Work work, operand<Iterators>... operands) {
    if (asks_for_bytes_) return cudaSuccess;
    (check(operands), ...);
    if (code_ != cudaSuccess) return code_;
    return dialect::queue_call(stream_, name_, [=](gs::detail::spread_function spread) {
      (operands.note(), ...);
      const gs::instruments::trap_pause looking;
      work(spread);
    });
  }

 private:
  template <class Iterator>
  void check(const operand<Iterator>& o) {
    if (!asks_for_bytes_ && !o.is_usable()) refuse(host_memory_text(o.name));
  }
  void refuse(const std::string& why) {
    if (code_ == cudaSuccess) code_ = refuse_call(name_, why);
  }

  const char* name_;
  bool asks_for_bytes_;
  cudaStream_t stream_;
  cudaError_t code_ = cudaSuccess;
};

template <class Iterator>
using value_of = typename std::iterator_traits<Iterator>::value_type;
/// What an operation makes of values of an array, as CUB adds them up.
template <class Operation, class Iterator>
using accumulator = std::decay_t<std::invoke_result_t<Operation, value_of<Iterator>, value_of<Iterator>>>;

/// Calls `piece(number, begin, end)` for pieces of [0, n) of `grain` elements, on all cores; returns how many.
template <class Piece>
std::size_t for_pieces(std::size_t n, gs::detail::spread_function spread, Piece piece) {
  const std::size_t pieces = (n + grain - 1) / grain;
  spread(pieces, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) piece(p, p * grain, std::min(n, (p + 1) * grain));
  });
  return pieces;
}
constexpr std::size_t pieces_of(std::size_t n) { return (n + grain - 1) / grain; }

/// The elements [begin, end), at least one, taken together from the left.
template <class Accumulator, class Iterator, class Operation>
Accumulator folded(Iterator in, std::size_t begin, std::size_t end, Operation operation) {
  auto sum = static_cast<Accumulator>(in[begin]);
  for (std::size_t i = begin + 1; i < end; ++i) sum = operation(sum, in[i]);
  return sum;
}

/// The same of each piece.
template <class Accumulator, class Iterator, class Operation>
std::vector<Accumulator> folded_pieces(Iterator in, std::size_t n, Operation operation,
                                       gs::detail::spread_function spread) {
  std::vector<Accumulator> sums(pieces_of(n));
  for_pieces(n, spread, [&](std::size_t p, std::size_t begin, std::size_t end) {
    sums[p] = folded<Accumulator>(in, begin, end, operation);
  });
  return sums;
}

}  // namespace cub::detail
