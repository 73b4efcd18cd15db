#pragma once
// The loop of a ufunc: out[i] = F(a[i], b[i], ...) over broadcast operands.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/signature.h"
#include "runtime/host/streaming_store.h"
#include "runtime/ufunc/broadcast.h"
#include "runtime/ufunc/lanes.h"
#include "runtime/ufunc/refuse_division.h"

namespace gs::inline GS_FLAVOUR::detail {

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
inline constexpr bool is_array_operand = requires(Operand o) { o.data; };

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
  /// With fewer elements, handing work to another core costs more than it saves.
  std::size_t grain() const { return std::size_t{1} << 14; }

  static std::string_view scalar_function() { return signature<F>::name(); }
  /// No if the output is also an input: it holds results after the first run.
  bool may_repeat() const { return !is_in_place(std::make_index_sequence<operands>{}); }
  std::string operands_at(std::size_t i) const {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return operands_text(read_at<K>(i)...);
    }(std::make_index_sequence<operands>{});
  }

  GS_FN void at(std::size_t i) const { at_operands(i, std::make_index_sequence<operands>{}); }

  void run(std::size_t begin, std::size_t end) const {
    if (begin >= end) return;
    constexpr std::make_index_sequence<operands> operand_indices{};
    const bool streaming = loop_.row() * sizeof(R) >= long_row_bytes && is_streamed(loop_.size * sizeof(R));
    if (loop_.rank <= 1 && !streaming)
      run_one_row(begin, end - begin, operand_indices);
    else
      run_rows(begin, end, streaming, operand_indices);
  }

 private:
  static constexpr std::size_t lanes = lane_count<R, typename Operand::value_type...>;
  static constexpr std::size_t line_bytes = 64, buffer_bytes = 1024, long_row_bytes = 65536;
  static constexpr std::size_t buffered = lanes * std::max<std::size_t>(buffer_bytes / (lanes * sizeof(R)), 1);

  // A group of lanes for each array: a repeated element, or copies of elements that don't fill a group in the array.
  // (Twice as long, since rows are copied next to each other, each as a whole group.)
  template <class AnOperand>
  using group_of = std::conditional_t<is_array_operand<AnOperand>,
                                      lane_buffer<typename AnOperand::value_type, 2 * lanes>, std::tuple<>>;
  using groups = std::tuple<group_of<Operand>...>;
  template <class AnOperand>
  using source_of = std::conditional_t<is_array_operand<AnOperand>, lane_source<typename AnOperand::value_type>,
                                       lane_value<typename AnOperand::value_type>>;
  using sources = std::tuple<source_of<Operand>...>;

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

  // Most calls: operands are repeated throughout or not at all, and the result fits the caches.
  template <std::size_t... K>
  void run_one_row(std::size_t begin, std::size_t count, std::index_sequence<K...> operand_indices) const {
    groups group_buffers;
    if (count >= lanes) {
      const std::size_t done = count_in_groups(count, operand_indices);
      compute_lanes<F>(out_ + begin, done, source_along_row<K>(0, begin, group_buffers)...);
      begin += done;
      count -= done;
    }
    if (count > 0) run_few(begin, count, 0, begin, group_buffers, operand_indices);
  }

  template <std::size_t... K>
  [[gnu::noinline]] void run_rows(std::size_t begin, std::size_t end, bool streaming,
                                  std::index_sequence<K...> operand_indices) const {
    groups group_buffers;
    const std::size_t row_size = loop_.row();
    std::size_t row = begin == 0 ? 0 : begin / row_size, column = begin - row * row_size;
    while (begin < end) {
      const std::size_t remaining = end - begin, in_row = std::min(row_size - column, remaining);
      // Only whole cache lines are streamed: a line that is written in parts, some of them past the cache, costs more
      // than one that isn't streamed at all.
      const std::size_t to_line = streaming ? elements_to_line(out_ + begin) : 0;
      std::size_t done;
      if (to_line > 0 || in_row < lanes) {
        done = std::min(to_line > 0 ? to_line : lanes, remaining);
        run_few(begin, done, row, column, group_buffers, operand_indices);
      } else {
        done = count_in_groups(in_row, operand_indices);
        run_along_row(out_ + begin, done, streaming, sources(source_along_row<K>(row, column, group_buffers)...),
                      operand_indices);
      }
      begin += done;
      for (column += done; column >= row_size; column -= row_size) ++row;
    }
    if (streaming) streaming_fence();
  }

  // How many of `count` elements are computed in groups. A last group that isn't full recomputes elements before it,
  // unless their inputs have been overwritten.
  template <std::size_t... K>
  std::size_t count_in_groups(std::size_t count, std::index_sequence<K...> operand_indices) const {
    return is_in_place(operand_indices) ? count / lanes * lanes : count;
  }

  static std::size_t elements_to_line(const R* address) {
    return (line_bytes - reinterpret_cast<std::uintptr_t>(address) % line_bytes) % line_bytes / sizeof(R);
  }

  template <std::size_t K>
  using operand = std::tuple_element_t<K, std::tuple<Operand...>>;
  template <std::size_t K>
  const typename operand<K>::value_type* address(std::size_t row, std::size_t column) const {
    return std::get<K>(operand_).data + loop_.row_offset(K, row) + (loop_.moves(K) ? column : 0);
  }

  template <std::size_t... K>
  bool is_in_place(std::index_sequence<K...>) const {
    return (writes_over<K>() || ...);
  }
  template <std::size_t K>
  bool writes_over() const {
    if constexpr (is_array_operand<operand<K>>)
      return static_cast<const void*>(std::get<K>(operand_).data) == out_;
    else
      return false;
  }

  template <std::size_t K>
  auto source_along_row(std::size_t row, std::size_t column, groups& group_buffers) const {
    if constexpr (is_array_operand<operand<K>>) {
      const auto* const from = address<K>(row, column);
      if (loop_.moves(K)) return source_of<operand<K>>{from, lane_steps::along_row};
      fill_lanes<lanes>(std::get<K>(group_buffers).values, *from);
      return source_of<operand<K>>{std::get<K>(group_buffers).values, lane_steps::none};
    } else {
      return source_of<operand<K>>{std::get<K>(operand_).value};
    }
  }

  // At most a group of elements, which may belong to several rows.
  template <std::size_t... K>
  void run_few(std::size_t begin, std::size_t count, std::size_t row, std::size_t column, groups& group_buffers,
               std::index_sequence<K...>) const {
    for (std::size_t filled = 0; filled < count; ++row, column = 0) {
      const std::size_t in_row = std::min(loop_.row() - column, count - filled);
      (fill_group<K>(group_buffers, filled, in_row, row, column), ...);
      filled += in_row;
    }
    lane_buffer<R, lanes> last;
    compute_lanes<F>(last.values, lanes, source_of_group<K>(group_buffers)...);
    copy_few_back<lanes>(out_ + begin, last.values, count);
  }
  // The lanes after these elements hold copies of the last one.
  template <std::size_t K>
  void fill_group(groups& group_buffers, std::size_t first, std::size_t count, std::size_t row,
                  std::size_t column) const {
    if constexpr (is_array_operand<operand<K>>) {
      auto* const to = std::get<K>(group_buffers).values + first;
      const auto* const from = address<K>(row, column);
      if (loop_.moves(K))
        copy_few<lanes>(to, from, count, from[count - 1]);
      else
        fill_lanes<lanes>(to, *from);
    }
  }
  template <std::size_t K>
  auto source_of_group(const groups& group_buffers) const {
    if constexpr (is_array_operand<operand<K>>)
      return source_of<operand<K>>{std::get<K>(group_buffers).values, lane_steps::none};
    else
      return source_of<operand<K>>{std::get<K>(operand_).value};
  }

  // At least a group of elements. A result that doesn't fit the caches is computed into a small buffer that does, and
  // streamed from there.
  template <std::size_t... K>
  static void run_along_row(R* out, std::size_t count, bool streaming, sources in, std::index_sequence<K...>) {
    if (streaming) {
      lane_buffer<R, buffered> buffer;
      for (; count >= buffered + lanes; count -= buffered, out += buffered) {
        compute_lanes<F>(buffer.values, buffered, std::get<K>(in)...);
        stream_bytes(out, buffer.values, sizeof buffer);
        (std::get<K>(in).advance(buffered), ...);
      }
    }
    compute_lanes<F>(out, count, std::get<K>(in)...);
  }

  R* out_;
  broadcast_loop<operands> loop_;
  std::tuple<Operand...> operand_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
