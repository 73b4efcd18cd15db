#pragma once
// ufunc.reduce: a fold whose grouping depends on the shape alone.
//
// The axis is cut into chunks. Along contiguous elements a chunk is folded as a tree of neighbours (pairwise summation,
// N. J. Higham, "The accuracy of floating point summation", 1993): the order of operands is kept, and the error grows
// with the logarithm of the size. Across rows a chunk is folded row by row. The chunks' results are an axis again, and
// so on until one is left. Every target does exactly this, so every target gives the same bits.

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/ufunc/axis.h"
#include "runtime/ufunc/result.h"
#include "runtime/ufunc/ufunc_call.h"

namespace gs::inline GS_FLAVOUR {

/// One pass: (outer, length, inner) elements to (outer, chunks, inner).
template <auto F, class T>
class reduce_pass {
 public:
  static constexpr std::size_t chunk = 1024;

  reduce_pass(T* out, const T* in, const axis_split& from)
      : out_(out),
        in_(in),
        outer_(from.outer),
        length_(from.length),
        inner_(from.inner),
        chunks_(chunks_of(from.length)) {}

  static GS_FN std::size_t chunks_of(std::size_t length) { return (length + chunk - 1) / chunk; }

  GS_FN std::size_t size() const { return outer_ * chunks_ * inner_; }
  std::size_t grain() const { return std::max<std::size_t>(1, (std::size_t{1} << 14) / std::min(chunk, length_)); }

  GS_FN void at(std::size_t i) const {
    const T* from = start(i);
    out_[i] = inner_ == 1 ? fold_tree(from, count(i)) : fold_column(from, count(i));
  }

  void run(std::size_t begin, std::size_t end) const {
    if (inner_ == 1) {
      for (std::size_t i = begin; i < end; ++i) out_[i] = fold_tree_vectorised(start(i), count(i));
      return;
    }
    while (begin < end) {  // the part of a row of columns that lies in [begin, end)
      const std::size_t columns = std::min(inner_ - begin % inner_, end - begin);
      fold_rows(out_ + begin, start(begin), count(begin), columns);
      begin += columns;
    }
  }

 private:
  // Item i is column i % inner of chunk i / inner % chunks of the outer part i / inner / chunks.
  GS_FN std::size_t chunk_of(std::size_t i) const { return i / inner_ % chunks_; }
  GS_FN const T* start(std::size_t i) const {
    const std::size_t row = i / inner_ / chunks_ * length_ + chunk_of(i) * chunk;
    return in_ + row * inner_ + i % inner_;
  }
  GS_FN std::size_t count(std::size_t i) const {
    const std::size_t left = length_ - chunk_of(i) * chunk;
    return left < chunk ? left : chunk;
  }

  GS_FN T fold_column(const T* from, std::size_t n) const {
    T value = from[0];
    for (std::size_t k = 1; k < n; ++k) value = F(value, from[k * inner_]);
    return value;
  }
  void fold_rows(T* out, const T* from, std::size_t n, std::size_t columns) const {
    std::copy_n(from, columns, out);
    for (std::size_t k = 1; k < n; ++k) {
      const T* row = from + k * inner_;
#pragma GCC ivdep
      for (std::size_t c = 0; c < columns; ++c) out[c] = F(out[c], row[c]);
    }
  }

  // The tree of neighbours with one value per finished level: as a binary counter carries.
  static GS_FN T fold_tree(const T* from, std::size_t n) {
    T level[12];
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
  // The same tree level by level, each level a loop over pairs. An odd element at the end moves up as it is.
  static T fold_tree_vectorised(const T* from, std::size_t n) {
    if (n == 1) return from[0];
    T level[chunk / 2 + 1];
    fold_pairs(level, from, n);
    for (n = (n + 1) / 2; n > 1; n = (n + 1) / 2) fold_pairs(level, level, n);
    return level[0];
  }
  // In place is fine: a pair is read before its place is written, and later pairs lie behind it.
  static void fold_pairs(T* out, const T* in, std::size_t n) {
#if !defined(__SANITIZE_ADDRESS__)  // g++ warns that it ignores this where the sanitizers' checks stand in the loop
#pragma GCC ivdep
#endif
    for (std::size_t k = 0; k < n / 2; ++k) out[k] = F(in[2 * k], in[2 * k + 1]);
    if (n % 2 == 1) out[n / 2] = in[n - 1];
  }

  T* out_;
  const T* in_;
  std::size_t outer_, length_, inner_, chunks_;
};

/// The last step of a reduction that starts with a value: out[i] = F(start, in[i]); or just the start for 0 elements.
template <auto F, class T>
struct start_pass {
  T* out;
  std::size_t count;
  T start;
  bool empty;
  GS_FN std::size_t size() const { return count; }
  std::size_t grain() const { return std::size_t{1} << 14; }
  GS_FN void at(std::size_t i) const { out[i] = empty ? start : F(start, out[i]); }
  void run(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) at(i);
  }
};

/// Folds `in` along the axis into `out`, outer * inner elements.
template <auto F, class T>
void run_reduction(const executor& run, T* out, const T* in, axis_split from, std::optional<T> start) {
  const std::size_t results = from.outer * from.inner;
  if (results == 0) return run(copy_work<T>{out, out, 0});
  if (from.length > 0) {
    std::optional<scratch<T>> held;
    while (from.length > reduce_pass<F, T>::chunk) {
      const std::size_t chunks = reduce_pass<F, T>::chunks_of(from.length);
      scratch<T> next(run, from.outer * chunks * from.inner);
      run(reduce_pass<F, T>(next.data(), in, from));
      in = next.data();
      from.length = chunks;
      held.emplace(std::move(next));
    }
    run(reduce_pass<F, T>(out, in, from));
  }
  if (start) run(start_pass<F, T>{out, results, *start, from.length == 0});
}

template <auto F, class A, class T = element_t<A>>
auto reduce_all(const target_request& request, const A& array, std::optional<T> start) {
  const shape extents = argument_shape(array);
  const axis_split all{1, extents.size(), 1, 0};
  if (all.length == 0 && !start) refuse_empty_reduction(extents);
  const executor run(choose_target(request, any_device_array<A>), request.on);
  const auto input = place_input(array, run.on_device());
  const auto compute = [&](T* out) { run_reduction<F>(run, out, input.data, all, start); };
  if constexpr (any_device_array<A>) {
    return make_result<T, device_array<T>>(run, shape(), compute);
  } else {
    return make_result<T, std::vector<T>>(run, shape(1), compute)[0];
  }
}

template <auto F, class A, class T = element_t<A>>
auto reduce_axis(const target_request& request, const A& array, axis along, std::optional<T> start) {
  const shape extents = argument_shape(array);
  const axis_split from = split_at(extents, along);
  const shape result = extents.without(from.number);
  if (from.length == 0 && result.size() > 0 && !start) refuse_empty_reduction(extents);
  const executor run(choose_target(request, any_device_array<A>), request.on);
  const auto input = place_input(array, run.on_device());
  constexpr int rank = static_rank<A>() == dynamic_rank ? dynamic_rank : static_rank<A>() - 1;
  return make_result<T, result_array<T, rank, A>>(run, result,
                                                  [&](T* out) { run_reduction<F>(run, out, input.data, from, start); });
}

}  // namespace gs::inline GS_FLAVOUR
