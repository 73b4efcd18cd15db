#pragma once
// Block style: a kernel that says what all threads of a block do between two barriers. The block's shape is part of its
// type. On a GPU `each` is its body in every thread, then a barrier; on the engine it is a loop the compiler
// vectorises.
//
//   template <unsigned T> struct tiles { gs::tile<float, T, T> a, b; };
//   GS_FN void kernel(gs::block<16, 16> block, gs::shared<tiles<16>> s, gs::view<const float, 2> x) {
//     gs::per_thread sum(block, 0.0f);
//     block.each([&](auto t) { s->a(t.y, t.x) = x(t.grid_y(), t.grid_x()); });
//     block.each([&](auto t) { sum[t] += s->a(t.x, t.y); });
//   }

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "runtime/array/fixed_array.h"
#include "runtime/array/index.h"
#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/core/index3.h"
#include "runtime/host/streaming_store.h"
#include "runtime/observe/chosen_thread.h"
#include "runtime/observe/observe.h"
#include "runtime/threads/replay_marks.h"

namespace gs::inline GS_FLAVOUR {

template <unsigned X, unsigned Y = 1, unsigned Z = 1>
class block;

namespace detail {

/// One thread inside block.each.
template <class Block>
struct block_thread {
  unsigned x, y, z;  ///< its position in the block
  index3 block_idx;  ///< the block's position in the grid

  GS_FN unsigned rank() const { return x + Block::extent_x * (y + Block::extent_y * z); }  ///< its number in the block
  /// Its position in the whole grid.
  ///@{
  GS_FN std::size_t grid_x() const { return std::size_t{block_idx.x} * Block::extent_x + x; }
  GS_FN std::size_t grid_y() const { return std::size_t{block_idx.y} * Block::extent_y + y; }
  GS_FN std::size_t grid_z() const { return std::size_t{block_idx.z} * Block::extent_z + z; }
  ///@}
};

}  // namespace detail

/// A block of X x Y x Z threads, the first parameter of a kernel in block style. Code outside `each` runs once
/// for the block, on a GPU in each of its threads, and must not write to memory. Inside, threads must not depend on
/// each other: what one of them writes, the others read in the next `each`.
template <unsigned X, unsigned Y, unsigned Z>
class block {
  static_assert(X >= 1 && Y >= 1 && Z >= 1 && Z <= 64 && X * Y * Z <= detail::most_threads_per_block,
                "gs::block<X, Y, Z>: 1 to 1024 threads, and Z at most 64");

 public:
  static constexpr unsigned extent_x = X, extent_y = Y, extent_z = Z;  ///< threads along each dimension
  static constexpr unsigned threads = X * Y * Z;                       ///< in all

  /// For launches: a block of a grid.
  GS_FN block(index3 block_idx, index3 grid_dim) : block_idx_(block_idx), grid_dim_(grid_dim) {}

  GS_FN index3 block_idx() const { return block_idx_; }  ///< this block in the grid
  GS_FN index3 grid_dim() const { return grid_dim_; }    ///< blocks in the grid
  /// This block's number in the grid; x runs fastest.
  GS_FN std::size_t block_rank() const { return block_idx_.linear_in(grid_dim_); }

  /// Calls body(t) for every thread of the block, then waits for all of them.
  template <class Body>
  GS_FN void each(const Body& body) const {
#if defined(__CUDA_ARCH__)
    body(detail::block_thread<block>{threadIdx.x, threadIdx.y, threadIdx.z, block_idx_});
    __syncthreads();
#elif GRIDSTRIDE_CHECKED
    for (unsigned turn = 0; turn < threads; ++turn) {
      const index3 position = instruments::position_in_turn(turn, {X, Y, Z});
      enter(position.x + X * (position.y + Y * position.z));
      body(detail::block_thread<block>{position.x, position.y, position.z, block_idx_});
    }
    meet();
#else
    for (unsigned z = 0; z < Z; ++z)
      for (unsigned y = 0; y < Y; ++y) {
        GS_INDEPENDENT_TURNS
        for (unsigned x = 0; x < X; ++x) {
          detail::mark_thread(thread_at(x, y, z).rank());
          body(thread_at(x, y, z));
        }
      }
    detail::mark_no_thread();
#endif
  }

  /// Calls body(i) for every i in [0, n), shared out among the threads of the block, then waits for all of them: a loop
  /// `for (i = t.rank(); i < n; i += threads)` on a GPU.
  template <class Body>
  GS_FN void each_of(std::size_t n, const Body& body) const {
#if defined(__CUDA_ARCH__)
    const detail::block_thread<block> t{threadIdx.x, threadIdx.y, threadIdx.z, block_idx_};
    for (std::size_t i = t.rank(); i < n; i += threads) body(i);
    __syncthreads();
#elif GRIDSTRIDE_CHECKED
    for (std::size_t turn = 0; turn < n; ++turn) {
      const std::size_t i = instruments::whose_turn(turn, n);
      enter(thread_of(i));
      body(i);
    }
    meet();
#else
    GS_INDEPENDENT_TURNS
    for (std::size_t turn = 0; turn < n; ++turn) {
      const std::size_t i = detail::marked_turn(turn, n);
      detail::mark_thread(thread_of(i));
      body(i);
    }
    detail::mark_no_thread();
#endif
  }

  /// Calls body(row, column) for every cell of rows x columns, shared out among the threads of the block, then waits
  /// for all of them. On a GPU thread (x, y) takes the columns x, x + X, ... of the rows y, y + Y, ...
  template <class Body>
  GS_FN void each_of(std::size_t rows, std::size_t columns, const Body& body) const {
#if defined(__CUDA_ARCH__)
    for (std::size_t row = threadIdx.y + Y * threadIdx.z; row < rows; row += Y * Z)
      for (std::size_t column = threadIdx.x; column < columns; column += X) body(row, column);
    __syncthreads();
#elif GRIDSTRIDE_CHECKED
    for (std::size_t turn = 0; turn < rows * columns; ++turn) {
      const std::size_t cell = instruments::whose_turn(turn, rows * columns), row = cell / columns,
                        column = cell % columns;
      enter(thread_of(row, column));
      body(row, column);
    }
    meet();
#else
    for (std::size_t y = 0; y < rows; ++y) {
      GS_INDEPENDENT_TURNS
      for (std::size_t x = 0; x < columns; ++x) {
        const std::size_t row = detail::marked_turn(y, rows), column = detail::marked_turn(x, columns);
        detail::mark_thread(thread_of(row, column));
        body(row, column);
      }
    }
    detail::mark_no_thread();
#endif
  }

  /// out(top + row, left + column) = value(row, column) for every cell of rows x columns that lies inside `out`,
  /// shared out among the threads of the block as by each_of; then waits for all of them. The engine writes whole
  /// cache lines of a large `out` past its caches (streaming_store.h), which for a kernel that does little else takes
  /// half the time.
  template <class T, class Value>
  GS_FN void store(const view<T, 2>& out, std::size_t top, std::size_t left, std::size_t rows, std::size_t columns,
                   const Value& value, detail::access_place place = detail::access_place::current()) const {
    const std::size_t height = inside(top, rows, out.extent(0)), width = inside(left, columns, out.extent(1));
#if !defined(__CUDA_ARCH__) && !GRIDSTRIDE_CHECKED
    if (height > 0 && in_whole_lines(out, left, width)) {
      // Mostly the kernel has named `columns` as a constant, and the loop over it needs no remainder.
      const auto stream = [&](std::size_t n) { stream_rows(&out(top, left), out.extent(1), height, n, value); };
      return width == columns ? stream(columns) : stream(width);
    }
#endif
    each_of(height, width, [&](std::size_t row, std::size_t column) {
      out(detail::index(top + row, place), left + column) = value(row, column);
    });
  }

 private:
  // The thread whose turn it is. Built anew for the mark and for the body: a variable, or a copy, costs g++ the
  // registers of what does not change from thread to thread.
  detail::block_thread<block> thread_at(unsigned x, unsigned y, unsigned z) const {
    return {detail::marked_turn(x, X), detail::marked_turn(y, Y), detail::marked_turn(z, Z), block_idx_};
  }

  // The thread that gets an element, and a cell, of each_of.
  GS_FN static unsigned thread_of(std::size_t i) { return static_cast<unsigned>(i % threads); }
  GS_FN static unsigned thread_of(std::size_t row, std::size_t column) {
    return static_cast<unsigned>(column % X + X * (row % (Y * Z)));
  }

  // How many of the n numbers from `first` on lie in [0, end).
  GS_FN static std::size_t inside(std::size_t first, std::size_t n, std::size_t end) {
    if (first >= end) return 0;
    return n < end - first ? n : end - first;
  }

#if !defined(__CUDA_ARCH__) && !GRIDSTRIDE_CHECKED
  static constexpr std::size_t line_bytes = 64;

  // Whether to stream: a line that is written in parts, some of them past the cache, costs more than a plain store.
  template <class T>
  static bool in_whole_lines(const view<T, 2>& out, std::size_t left, std::size_t width) {
    const std::size_t not_whole =
        out.extent(1) * sizeof(T) | left * sizeof(T) | width * sizeof(T) | reinterpret_cast<std::uintptr_t>(out.data());
    return not_whole % line_bytes == 0 && detail::is_streamed(out.size() * sizeof(T));
  }

  // A part of a row is computed into a buffer that stays in the L1 cache, and streamed from there. The fence at
  // the end of a launch makes it visible to others.
  template <class T, class Value>
  [[gnu::always_inline]] static void stream_rows(T* out, std::size_t pitch, std::size_t rows, std::size_t columns,
                                                 const Value& value) {
    constexpr std::size_t part = 1024 / sizeof(T);
    alignas(line_bytes) T buffer[part];
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t first = 0; first < columns; first += part) {
        const std::size_t n = columns - first < part ? columns - first : part;
        GS_INDEPENDENT_TURNS
        for (std::size_t i = 0; i < n; ++i) {
          detail::mark_thread(thread_of(row, first + i));
          buffer[i] = value(row, first + i);
        }
        detail::mark_no_thread();
        detail::stream_bytes(out + row * pitch + first, buffer, n * sizeof(T));
      }
  }
#endif

#if GRIDSTRIDE_CHECKED
  [[gnu::always_inline]] static void enter(unsigned thread) {
    instruments::enter_thread(thread);
    detail::mark_thread(thread);
    instruments::stop_at_chosen_thread(thread);
  }
  static void meet() {
    detail::mark_no_thread();
    instruments::block_has_met();
    instruments::enter_all_threads(threads);
  }
#endif

  index3 block_idx_, grid_dim_;
};

namespace detail {

#if GRIDSTRIDE_CHECKED && !defined(__CUDACC__)
// The first member of a class that keeps a value for each thread: tells the instruments how much of it is one thread's.
template <std::size_t Bytes, unsigned Threads>
struct side_by_side {
  side_by_side() { instruments::note_side_by_side(this, Bytes, Threads); }
  side_by_side(const side_by_side&) : side_by_side() {}
  side_by_side& operator=(const side_by_side&) = default;
};
#endif

}  // namespace detail

/// A variable of each thread of a block, kept from one `each` to the next: sum[t]. A register on a GPU.
template <class T, class Block>
class per_thread {
 public:
  /// A variable for each thread, with the value `initial`.
  GS_FN per_thread(const Block& b, T initial) {
#if defined(__CUDA_ARCH__)
    (void)b;
    value_[0] = initial;
#else
    (void)b;
    for (T& value : value_) value = initial;
#endif
  }
  /// The variable of thread `t`.
  GS_FN T& operator[](const detail::block_thread<Block>& t) {
#if defined(__CUDA_ARCH__)
    (void)t;
    return value_[0];
#else
    return value_[t.rank()];
#endif
  }

 private:
#if GRIDSTRIDE_CHECKED && !defined(__CUDACC__)
  [[no_unique_address]] detail::side_by_side<sizeof(T) * Block::threads, Block::threads> noted_;
#endif
#if defined(__CUDA_ARCH__)
  T value_[1];
#else
  alignas(64) T value_[Block::threads];
#endif
};
/// An array of each thread of a block, read and written as a whole:
///   gs::local_array<float, 4, 4> mine = sum[t];  // in registers from here ...
///   sum[t] = mine;                               // ... to here
/// On the engine element 0 of all threads comes first, then element 1, ...: neighbouring threads' elements are
/// adjacent.
template <class T, std::size_t... Extents, class Block>
class per_thread<detail::fixed_array<T, Extents...>, Block> {
  using array = detail::fixed_array<T, Extents...>;

 public:
  /// An array for each thread, with the elements of `initial`.
  GS_FN per_thread(const Block&, const array& initial) {
#if defined(__CUDA_ARCH__)
    value_ = initial;
#else
    for (std::size_t i = 0; i < array::size(); ++i)
      for (T& value : value_[i]) value = initial.elements[i];
#endif
  }

#if defined(__CUDA_ARCH__)
  GS_FN array& operator[](const detail::block_thread<Block>&) { return value_; }

 private:
  array value_;
#else
  /// The array of one thread, to be read or written as a whole.
  class reference {
   public:
    GS_FN explicit reference(T* first) : first_(first) {}  ///< for per_thread
    /// The array's elements.
    GS_FN operator array() const {  // NOLINT: converts as a reference does
      array values;
      for (std::size_t i = 0; i < array::size(); ++i) values.elements[i] = first_[i * Block::threads];
      return values;
    }
    /// Writes all of them.
    GS_FN const reference& operator=(const array& values) const {
      for (std::size_t i = 0; i < array::size(); ++i) first_[i * Block::threads] = values.elements[i];
      return *this;
    }

   private:
    T* first_;
  };
  /// That of thread `t`.
  GS_FN reference operator[](const detail::block_thread<Block>& t) { return reference(&value_[0][t.rank()]); }

 private:
#if GRIDSTRIDE_CHECKED && !defined(__CUDACC__)
  [[no_unique_address]] detail::side_by_side<sizeof(array) * Block::threads, Block::threads> noted_;
#endif
  alignas(64) T value_[array::size()][Block::threads];
#endif
};
/// The type follows from the block and the value.
template <class T, unsigned X, unsigned Y, unsigned Z>
per_thread(const block<X, Y, Z>&, T) -> per_thread<T, block<X, Y, Z>>;

}  // namespace gs::inline GS_FLAVOUR
