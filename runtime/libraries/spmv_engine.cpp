// A sparse product on the engine. Rows may be of very different lengths, so pieces are equal in work rather than in
// rows: the work of a row is the number of its elements, plus one.
#include <algorithm>
#include <cstddef>

#include "runtime/host/cores.h"
#include "runtime/libraries/spmv_call.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t work_of_a_piece = 16384;  // that a core does at a time

// The first row before which there is at least this much work.
template <class T>
std::size_t row_at(const spmv_call<T>& c, std::size_t work) {
  const int* const first = std::ranges::partition_point(c.starts, c.starts + c.rows, [&](const int& start) {
    return static_cast<std::size_t>(start) + static_cast<std::size_t>(&start - c.starts) < work;
  });
  return static_cast<std::size_t>(first - c.starts);
}

template <class T>
T row_sum(const spmv_call<T>& c, std::size_t row) {
  const int end = c.starts[row + 1];
  int k = c.starts[row];
  T sum = 0;
  if (end - k >= 32) {  // four sums, so that a long row's additions don't wait for each other
    T sums[4] = {};
    for (; k + 4 <= end; k += 4)
      for (int lane = 0; lane < 4; ++lane) sums[lane] += c.values[k + lane] * c.x[c.column_of[k + lane]];
    sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  for (; k < end; ++k) sum += c.values[k] * c.x[c.column_of[k]];
  return sum;
}

template <class T>
void note_accesses(const spmv_call<T>& c) {
  if (!instruments::watching()) return;
  instruments::name_work("spmv");
  instruments::note_read(c.starts, (c.rows + 1) * sizeof(int));
  if (c.alpha != T{0}) {
    instruments::note_read(c.column_of, c.stored * sizeof(int));
    instruments::note_read(c.values, c.stored * sizeof(T));
    for (std::size_t k = 0; k < c.stored; ++k) instruments::note_read(c.x + c.column_of[k], sizeof(T));
  }
  if (c.beta != T{0}) instruments::note_read(c.y, c.rows * sizeof(T));
  instruments::note_written(c.y, c.rows * sizeof(T));
}

template <class T>
void multiply(const spmv_call<T>& c) {
  note_accesses(c);
  const std::size_t pieces = (c.stored + c.rows + work_of_a_piece - 1) / work_of_a_piece;
  for_pieces(pieces, 1, [&](std::size_t first, std::size_t last) {
    const std::size_t end = last == pieces ? c.rows : row_at(c, last * work_of_a_piece);
    for (std::size_t row = row_at(c, first * work_of_a_piece); row < end; ++row) {
      const T product = c.alpha == T{0} ? T{0} : c.alpha * row_sum(c, row);
      c.y[row] = c.beta == T{0} ? product : product + c.beta * c.y[row];
    }
  });
}

}  // namespace

void run_on_engine(const spmv_call<float>& call) { multiply(call); }
void run_on_engine(const spmv_call<double>& call) { multiply(call); }

}  // namespace gs::inline GS_FLAVOUR::detail
