#pragma once
// ufunc.reduce: a fold whose grouping depends on the shape alone.
//
// Contiguous elements are folded as a tree of neighbours (pairwise summation, N. J. Higham, "The accuracy of floating
// point summation", 1993): the order of operands is kept, and the error grows with the logarithm of the size. The tree
// is folded in chunks of a power of two, whose results are an axis again, until one result remains; the size of a chunk
// doesn't change the tree. Across rows a chunk is folded row by row. Every target does exactly this, so every target
// gives the same bits.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/ufunc/axis.h"
#include "runtime/ufunc/lanes.h"
#include "runtime/ufunc/result.h"
#include "runtime/ufunc/ufunc_call.h"

namespace gs::inline GS_FLAVOUR::detail {

/// One pass: (outer, length, inner) elements to (outer, chunks, inner).
template <auto F, class T>
class reduce_pass {
 public:
  static constexpr std::size_t tree_chunk = 8192, row_chunk = 1024;

  reduce_pass(T* out, const T* in, const axis_split& from)
      : out_(out),
        in_(in),
        outer_(from.outer),
        length_(from.length),
        inner_(from.inner),
        chunk_(chunk_of(from)),
        chunks_(chunks_of(from)) {}

  /// The number of elements along the axis that are folded into one, and of such chunks.
  static std::size_t chunk_of(const axis_split& from) { return from.inner == 1 ? tree_chunk : row_chunk; }
  static std::size_t chunks_of(const axis_split& from) { return (from.length + chunk_of(from) - 1) / chunk_of(from); }

  static std::string_view scalar_function() { return signature<F>::name(); }
  GS_FN std::size_t size() const { return outer_ * chunks_ * inner_; }
  std::size_t grain() const { return std::max<std::size_t>(1, (std::size_t{1} << 14) / std::min(chunk_, length_)); }

  GS_FN void at(std::size_t i) const {
    const T* from = start(i);
    out_[i] = inner_ == 1 ? fold_tree(from, count(i)) : fold_column(from, count(i));
  }

  /// Long stretches of contiguous elements are folded by a block of threads each.
  bool in_blocks() const { return inner_ == 1 && length_ > 64; }
  struct tree_item {
    T* out;
    const T* from;
    std::size_t count;  ///< 1 to tree_chunk
  };
  static constexpr auto function = F;
  GS_FN tree_item tree(std::size_t i) const { return {out_ + i, start(i), count(i)}; }

  void run(std::size_t begin, std::size_t end) const {
    if (inner_ == 1) {
      for (std::size_t i = begin; i < end; ++i) out_[i] = fold_tree_in_blocks(start(i), count(i));
      return;
    }
    // Row by row, as far as the columns lie in [begin, end): the first position takes a division, the following ones
    // are counted.
    std::size_t column = begin % inner_, chunk = chunk_number(begin);
    const T* row = start(begin) - column;
    while (begin < end) {
      const std::size_t columns = std::min(inner_ - column, end - begin);
      const std::size_t n = std::min(chunk_, length_ - chunk * chunk_);
      fold_columns(out_ + begin, row + column, n, columns);
      begin += columns;
      column = 0;
      row += n * inner_;
      chunk = chunk + 1 < chunks_ ? chunk + 1 : 0;
    }
  }

 private:
  // Item i is column i % inner of chunk i / inner % chunks of the outer part i / inner / chunks.
  GS_FN std::size_t chunk_number(std::size_t i) const { return i / inner_ % chunks_; }
  GS_FN const T* start(std::size_t i) const {
    const std::size_t row = i / inner_ / chunks_ * length_ + chunk_number(i) * chunk_;
    return in_ + row * inner_ + i % inner_;
  }
  GS_FN std::size_t count(std::size_t i) const {
    const std::size_t remaining = length_ - chunk_number(i) * chunk_;
    return remaining < chunk_ ? remaining : chunk_;
  }

  GS_FN T fold_column(const T* from, std::size_t n) const {
    T value = from[0];
    for (std::size_t k = 1; k < n; ++k) value = F(value, from[k * inner_]);
    return value;
  }

  // Every column is folded by the same code, whatever stands beside it: see lanes.h. Columns that don't fill a group of
  // lanes are folded together with columns before them, once more, or with copies of the last one.
  static constexpr std::size_t lanes = lane_count<T>, groups_at_once = 4, rows_at_once = 16;

  // Folds n rows.
  void fold_columns(T* out, const T* from, std::size_t n, std::size_t columns) const {
    if (columns < lanes) return fold_few(out, from, n, columns);
    // Some wide rows at a time, so that memory is read in long stretches.
    const std::size_t rows = columns > groups_at_once * lanes ? rows_at_once : n;
    const std::size_t whole = columns / lanes * lanes, rest = columns - whole;
    lane_buffer<T, lanes> last;
    std::copy_n(from, whole, out);
    std::copy_n(from + columns - lanes, lanes, last.values);
    for (std::size_t row = 1; row < n; row += rows) {
      const std::size_t row_count = std::min(rows, n - row);
      const T* const first = from + row * inner_;
      std::size_t column = 0;
      for (; column + groups_at_once * lanes <= whole; column += groups_at_once * lanes)
        fold_lanes<groups_at_once>(out + column, first + column, row_count, inner_);
      for (; column < whole; column += lanes) fold_lanes<1>(out + column, first + column, row_count, inner_);
      if (rest > 0) fold_lanes<1>(last.values, first + columns - lanes, row_count, inner_);
    }
    if (rest > 0) std::copy_n(last.values + lanes - rest, rest, out + whole);
  }
  void fold_few(T* out, const T* from, std::size_t n, std::size_t columns) const {
    lane_buffer<T, lanes> folded;
    lane_buffer<T, rows_at_once * lanes> rows;
    copy_few<lanes>(folded.values, from, columns, from[columns - 1]);
    for (std::size_t row = 1; row < n; row += rows_at_once) {
      const std::size_t row_count = std::min(rows_at_once, n - row);
      for (std::size_t k = 0; k < row_count; ++k) {
        from += inner_;
        copy_few<lanes>(rows.values + k * lanes, from, columns, from[columns - 1]);
        one_by_one();
      }
      fold_lanes<1>(folded.values, rows.values, row_count, lanes);
    }
    copy_few_back<lanes>(out, folded.values, columns);
  }
  // Folds some more rows into `out`, in groups of lanes that stay in registers meanwhile.
  template <std::size_t Groups>
  [[gnu::noinline, gnu::noclone]] static void fold_lanes(T* out, const T* from, std::size_t rows,
                                                         std::size_t row_size) {
    T folded[Groups * lanes];
    std::copy_n(out, Groups * lanes, folded);
    for (std::size_t k = 0; k < rows; ++k, from += row_size) fold_row(folded, from, std::make_index_sequence<Groups>());
    std::copy_n(folded, Groups * lanes, out);
  }
  template <std::size_t... Group>
  [[gnu::always_inline]] static void fold_row(T* folded, const T* row, std::index_sequence<Group...>) {
    (fold_group(folded + Group * lanes, row + Group * lanes), ...);
  }
  [[gnu::always_inline]] static void fold_group(T* folded, const T* row) {
    GS_LANES
    for (std::size_t lane = 0; lane < lanes; ++lane) folded[lane] = F(folded[lane], row[lane]);
  }

  // The tree of neighbours, with one value per finished level, like the carries of a binary counter.
  static GS_FN T fold_tree(const T* from, std::size_t n) {
    T level[14];
    std::size_t filled = 0;
    for (std::size_t k = 0; k < n; ++k) {
      T value = from[k];
      for (std::size_t carry = k; carry & 1; carry >>= 1) value = F(level[--filled], value);
      level[filled++] = value;
    }
    T value = level[--filled];
    while (filled > 0) value = F(level[--filled], value);
    return value;
  }
  // The same tree, its lower levels block by block, in loops over pairs whose lengths the compiler knows and turns into
  // a few instructions between registers; its upper levels one by one. An odd element at the end of a level moves up
  // unchanged.
  static constexpr std::size_t block = 512, block_results = 32, blocks_ahead = 8;
  static T fold_tree_in_blocks(const T* from, std::size_t n) {
    if (n == 1) return from[0];
    T partial[tree_chunk / block * block_results];
    std::size_t filled = n < block ? fold_pairs(partial, from, n) : fold_blocks(partial, from, n);
    while (filled > 1) filled = fold_pairs(partial, partial, filled);
    return partial[0];
  }
  // Returns the number of elements that remain, one level of the tree.
  static std::size_t fold_blocks(T* partial, const T* from, std::size_t n) {
    const std::size_t blocks = n / block, rest = n % block;
    for (std::size_t b = 0; b < blocks; ++b) {
      fetch_block(from + (b + blocks_ahead) * block);
      fold_block(partial + b * block_results, from + b * block);
    }
    std::size_t filled = blocks * block_results;
    if (rest > 0) filled += fold_rest(partial + filled, from + blocks * block, rest);
    if (filled < block) return filled;
    fold_block(partial, partial);
    return block_results;
  }
  // Fetches a block some blocks ahead, since memory would idle while the core folds: into the second-level cache, which
  // keeps more requests in flight than the first. Past the end of an array this does nothing.
  static void fetch_block(const T* from) {
    constexpr std::size_t line = 64;
    const auto address = reinterpret_cast<std::uintptr_t>(from);
    for (std::size_t offset = 0; offset < block * sizeof(T); offset += line)
      __builtin_prefetch(reinterpret_cast<const void*>(address + offset), 0, 2);
  }
  // Folds one block to `block_results` elements; `to` may be `from`.
  [[gnu::noinline]] static void fold_block(T* to, const T* from) {
    T half[block / 2], quarter[block / 4], eighth[block / 8];
    fold_pairs<block / 2>(half, from);
    fold_pairs<block / 4>(quarter, half);
    fold_pairs<block / 8>(eighth, quarter);
    fold_pairs<block / 16>(to, eighth);
  }
  // Folds as many levels of a shorter block; returns the number of elements that remain.
  static std::size_t fold_rest(T* to, const T* from, std::size_t n) {
    T level[block / 2];
    n = fold_pairs(level, from, n);
    for (std::size_t width = 4; width < block / block_results; width *= 2) n = fold_pairs(level, level, n);
    return fold_pairs(to, level, n);
  }
  template <std::size_t Pairs>
  static void fold_pairs(T* out, const T* in) {
    for (std::size_t k = 0; k < Pairs; ++k) out[k] = F(in[2 * k], in[2 * k + 1]);
  }
  // In place is fine: a pair is read before its place is written, and later pairs come after it. (Inlined everywhere,
  // this and fold_block would take the compiler longer than everything else.)
  [[gnu::noinline]] static std::size_t fold_pairs(T* out, const T* in, std::size_t n) {
#if !defined(__SANITIZE_ADDRESS__)  // g++ warns that it ignores this where the sanitizers' checks stand in the loop
    GS_INDEPENDENT_TURNS
#endif
    for (std::size_t k = 0; k < n / 2; ++k) out[k] = F(in[2 * k], in[2 * k + 1]);
    if (n % 2 == 1) out[n / 2] = in[n - 1];
    return (n + 1) / 2;
  }

  T* out_;
  const T* in_;
  std::size_t outer_, length_, inner_, chunk_, chunks_;
};

/// Work that fills an array: a reduction of no elements gives the value that it starts with.
template <class T>
struct fill_work {
  T* out;
  std::size_t count;
  T value;
  GS_FN std::size_t size() const { return count; }
  std::size_t grain() const { return std::size_t{1} << 14; }
  GS_FN void at(std::size_t i) const { out[i] = value; }
  void run(std::size_t begin, std::size_t end) const { std::fill(out + begin, out + end, value); }
};

/// Folds `in` along the axis into `out`, outer * inner elements.
template <auto F, class T>
void run_reduction(const executor& run, T* out, const T* in, axis_split from, std::optional<T> start) {
  const std::size_t results = from.outer * from.inner;
  if (results == 0) return run(copy_work<T>{out, out, 0});
  if (from.length > 0) {
    std::optional<scratch<T>> previous;
    while (from.length > reduce_pass<F, T>::chunk_of(from)) {
      const std::size_t chunks = reduce_pass<F, T>::chunks_of(from);
      scratch<T> next(run, from.outer * chunks * from.inner);
      run(reduce_pass<F, T>(next.data(), in, from));
      in = next.data();
      from.length = chunks;
      previous.emplace(std::move(next));
    }
    run(reduce_pass<F, T>(out, in, from));
  }
  if (!start) return;
  if (from.length == 0) return run(fill_work<T>{out, results, *start});
  const shape flat(results);
  run(elementwise<F, T, value_operand<T>, array_operand<T>>(out, flat, {&shape_of_a_value, &flat}, {*start}, {out}));
}

template <auto F, class A, class T = element_t<A>>
auto reduce_all(const target_request& request, const A& array, std::optional<T> start) {
  const shape extents = argument_shape(array);
  const axis_split whole_array{1, extents.size(), 1, 0};
  if (whole_array.length == 0 && !start) refuse_empty_reduction(extents);
  const executor run(choose_target(request, any_device_array<A>), request.on_stream);
  const auto input = place_input(array, run);
  const auto compute = [&](T* out) { run_reduction<F>(run, out, input.data, whole_array, start); };
  if constexpr (any_device_array<A>) {
    return make_result<T, device_array<T>>(run, shape(), compute);
  } else {
    return make_result<T, std::vector<T>>(run, shape(1), compute)[0];
  }
}

// The same into an array of one element.
template <auto F, class Out, class A, class T = element_t<A>>
void reduce_all_into(const target_request& request, Out& out, const A& array, std::optional<T> start) {
  const shape extents = argument_shape(array);
  const axis_split whole_array{1, extents.size(), 1, 0};
  check_reduced_output(argument_shape(out));
  if (whole_array.length == 0 && !start) refuse_empty_reduction(extents);
  const executor run(choose_target(request, any_device_array<Out> || any_device_array<A>), request.on_stream);
  write_result<T>(run, out, [&](T* to) {
    const auto input = place_input(array, run);
    const scratch<T> result(run, 1);  // `to` may be one of the elements of the input
    run_reduction<F>(run, result.data(), input.data, whole_array, start);
    run(copy_work<T>{to, result.data(), 1});
  });
}

template <auto F, class A, class T = element_t<A>>
auto reduce_axis(const target_request& request, const A& array, axis along, std::optional<T> start) {
  const shape extents = argument_shape(array);
  const axis_split from = split_at(extents, along);
  const shape result = extents.without(from.number);
  if (from.length == 0 && result.size() > 0 && !start) refuse_empty_reduction(extents);
  const executor run(choose_target(request, any_device_array<A>), request.on_stream);
  const auto input = place_input(array, run);
  constexpr int rank = static_rank<A>() == dynamic_rank ? dynamic_rank : static_rank<A>() - 1;
  return make_result<T, result_array<T, rank, A>>(run, result,
                                                  [&](T* out) { run_reduction<F>(run, out, input.data, from, start); });
}

}  // namespace gs::inline GS_FLAVOUR::detail
