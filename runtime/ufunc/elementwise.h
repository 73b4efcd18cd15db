#pragma once
// The loop of a ufunc: out[i] = F(a[i], b[i], ...) over broadcast operands.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/engine/streaming_store.h"
#include "runtime/ufunc/broadcast.h"

namespace gs::inline GS_FLAVOUR {

/// An operand that is an array, and one that is a single value.
template <class T>
struct array_operand {
  using value_type = T;
  const T* data;
};
template <class T>
struct value_operand {
  using value_type = T;
  T value;
};

template <class Operand>
inline constexpr bool is_array_operand = requires(Operand o) {
  o.data;
};

// How the innermost loop reads an operand: along a row, always the same value, or by a stride known when it runs.
template <class T>
struct read_row {
  const T* from;
  GS_FN T operator[](std::size_t i) const { return from[i]; }
};
template <class T>
struct read_value {
  T value;
  GS_FN T operator[](std::size_t) const { return value; }
};
template <class T>
struct read_stride {
  const T* from;
  std::size_t stride;
  GS_FN T operator[](std::size_t i) const { return from[i * stride]; }
};

/// One call of a ufunc, ready to run: any part of [0, size()) on any thread, or single elements in a GPU's threads.
/// R is the result's type; the operands are array_operand or value_operand.
template <auto F, class R, class... Operand>
class elementwise {
 public:
  static constexpr std::size_t operands = sizeof...(Operand);

  /// Each operand's shape broadcasts to `result`; a value's is ().
  elementwise(R* out, const shape& result, const std::array<const shape*, operands>& shapes, Operand... operand)
      : out_(out), operand_(operand...) {
    fill_broadcast_loop(loop_, result, shapes, {is_array_operand<Operand>...});
  }

  GS_FN std::size_t size() const { return loop_.size; }
  /// Elements below which handing work to another core costs more than it saves.
  std::size_t grain() const { return std::size_t{1} << 14; }

  GS_FN void at(std::size_t i) const { at_operands(i, std::make_index_sequence<operands>{}); }

  void run(std::size_t begin, std::size_t end) const {
    if (begin == end) return;
    const std::size_t row = loop_.row();
    std::size_t column = begin == 0 ? 0 : begin % row;
    const bool streaming = is_streamed(loop_.size * sizeof(R)) && row * sizeof(R) >= long_row_bytes;
    while (begin < end) {
      const std::size_t count = std::min(row - column, end - begin);
      run_row(begin, count, streaming, std::make_index_sequence<operands>{});
      begin += count;
      column = 0;
    }
    if (streaming) streaming_fence();
  }

 private:
  static constexpr std::size_t line_bytes = 64, buffer_bytes = 1024, long_row_bytes = 65536;
  static constexpr std::size_t buffered = std::max<std::size_t>(buffer_bytes / sizeof(R), 1);
  static constexpr std::size_t arrays = (0 + ... + (is_array_operand<Operand> ? 1 : 0));

  template <std::size_t K>
  GS_FN auto read_at(std::size_t i) const {
    const auto& operand = std::get<K>(operand_);
    if constexpr (is_array_operand<std::remove_cvref_t<decltype(operand)>>) {
      return operand.data[loop_.rank <= 1 ? (loop_.moves(K) ? i : 0) : loop_.offset(K, i)];
    } else {
      return operand.value;
    }
  }
  template <std::size_t... K>
  GS_FN void at_operands(std::size_t i, std::index_sequence<K...>) const {
    out_[i] = F(read_at<K>(i)...);
  }

  // `count` elements from `begin`, all in one row of the innermost dimension. Which operands move along the row is
  // decided here, once: every combination gets a loop of its own, in which the others are constants in registers.
  // Beyond three arrays there would be too many combinations, and a stride of 0 or 1 is multiplied instead.
  template <std::size_t... K>
  void run_row(std::size_t begin, std::size_t count, bool streaming, std::index_sequence<K...>) const {
    const auto loop = [&](auto... read) { run_loop(out_ + begin, count, streaming, read...); };
    if constexpr (arrays <= 3) {
      choose_reads<0>(begin, loop);
    } else {
      if (((!is_array_operand<Operand> || loop_.moves(K)) && ...))
        loop(read_along_row<K>(begin)...);
      else
        loop(read_strided<K>(begin)...);
    }
  }

  template <std::size_t K, class Loop, class... Read>
  void choose_reads(std::size_t begin, const Loop& loop, Read... read) const {
    if constexpr (K == operands) {
      loop(read...);
    } else {
      using operand = std::tuple_element_t<K, std::tuple<Operand...>>;
      using T = typename operand::value_type;
      if constexpr (is_array_operand<operand>) {
        if (loop_.moves(K))
          choose_reads<K + 1>(begin, loop, read..., read_row<T>{address<K>(begin)});
        else
          choose_reads<K + 1>(begin, loop, read..., read_value<T>{*address<K>(begin)});
      } else {
        choose_reads<K + 1>(begin, loop, read..., read_value<T>{std::get<K>(operand_).value});
      }
    }
  }

  // Where array operand K lies for element `begin`.
  template <std::size_t K>
  auto address(std::size_t begin) const {
    return std::get<K>(operand_).data + (loop_.rank <= 1 ? (loop_.moves(K) ? begin : 0) : loop_.offset(K, begin));
  }
  template <std::size_t K>
  auto read_along_row(std::size_t begin) const {
    using operand = std::tuple_element_t<K, std::tuple<Operand...>>;
    using T = typename operand::value_type;
    if constexpr (is_array_operand<operand>)
      return read_row<T>{address<K>(begin)};
    else
      return read_value<T>{std::get<K>(operand_).value};
  }
  template <std::size_t K>
  auto read_strided(std::size_t begin) const {
    using operand = std::tuple_element_t<K, std::tuple<Operand...>>;
    using T = typename operand::value_type;
    if constexpr (is_array_operand<operand>)
      return read_stride<T>{address<K>(begin), loop_.moves(K) ? std::size_t{1} : std::size_t{0}};
    else
      return read_value<T>{std::get<K>(operand_).value};
  }

  // A result that doesn't fit the caches is computed into a small buffer that does, and streamed from there.
  template <class... Read>
  static void run_loop(R* out, std::size_t count, bool streaming, Read... read) {
    if (!streaming) return compute(out, 0, count, read...);
    // Only whole cache lines are streamed: a line that is written in parts, some of them past the cache, costs more
    // than one that isn't streamed at all.
    const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(out) % line_bytes;
    std::size_t done = misaligned == 0 ? 0 : std::min(count, (line_bytes - misaligned) / sizeof(R));
    compute(out, 0, done, read...);
    alignas(line_bytes) R buffer[buffered];
    for (; count - done >= buffered; done += buffered) {
      compute(buffer, done, buffered, read...);
      stream_bytes(out + done, buffer, sizeof buffer);
    }
    compute(out + done, done, count - done, read...);
  }

  // An output that is exactly an input is fine here: each element is read before it is written. Inlined into its three
  // callers, these loops would be most of what the compiler has to do for a ufunc.
  template <class... Read>
  [[gnu::noinline, gnu::noclone]] static void compute(R* out, std::size_t first, std::size_t count, Read... read) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i) out[i] = F(read[first + i]...);
  }

  R* out_;
  broadcast_loop<operands> loop_;
  std::tuple<Operand...> operand_;
};

}  // namespace gs::inline GS_FLAVOUR
