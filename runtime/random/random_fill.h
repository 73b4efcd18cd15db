#pragma once
// The loop behind gs::uniform and its like: which state draws which element, on one core, on all, or on a GPU.

#include <algorithm>
#include <cstddef>

#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/host/streaming_store.h"
#include "runtime/observe/observe.h"
#include "runtime/random/random_lanes.h"
#include "runtime/random/random_state.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Which state draws which element of an array: pieces of 32 x 512 elements belong to 32 states, which take turns.
/// Element e is draw e / 32 % 512 of state e / 16384 * 32 + e % 32. So each core and each warp can begin at its own
/// piece, neighbouring lanes write neighbouring elements, and a shorter array is the beginning of a longer one.
struct random_layout {
  static constexpr unsigned lanes = 32;
  static constexpr std::size_t draws = 512, piece = lanes * draws;

  /// The number of states that draw n elements.
  static std::size_t states(std::size_t n) { return n / piece * lanes + std::min<std::size_t>(n % piece, lanes); }
  /// The first element of a state; the others follow at every 32nd place.
  GS_FN static std::size_t first_element(std::size_t state) { return state / lanes * piece + state % lanes; }
};

/// out[e] = draw(state) for the n elements of an array; Draw is `T operator()(random_state&) const`. Work for an
/// executor, one item per state.
template <class T, class Draw>
class random_fill {
 public:
  random_fill(T* out, std::size_t n, const random_state* states, Draw draw)
      : out_(out), n_(n), states_(states), state_count_(random_layout::states(n)), draw_(draw) {}

  GS_FN std::size_t size() const { return state_count_; }
  std::size_t grain() const { return random_layout::lanes; }

  GS_FN void at(std::size_t i) const {
    random_state state = states_[i];
    const std::size_t first = random_layout::first_element(i);
    const std::size_t end = first + random_layout::piece < n_ ? first + random_layout::piece : n_;
    for (std::size_t e = first; e < end; e += random_layout::lanes) out_[e] = draw_(state);
  }

  /// `begin` is a multiple of the grain.
  void run(std::size_t begin, std::size_t end) const {
    const bool streaming = is_streamed(n_ * sizeof(T));
    for (std::size_t i = begin; i < end; i += random_layout::lanes) run_piece(i, streaming);
    if (streaming) streaming_fence();
  }

 private:
  static constexpr unsigned lanes = random_layout::lanes;
  static constexpr std::size_t rows = 8;  // drawn into a buffer, which is then copied: 1 KiB of float32

  void run_piece(std::size_t i, bool streaming) const {
    const view<const random_state> states(states_, state_count_);
    random_lanes<lanes> random(states, i, std::min<std::size_t>(lanes, state_count_ - i));
    const std::size_t first = random_layout::first_element(i), last = std::min(n_, first + random_layout::piece);
    alignas(64) T buffer[rows * lanes];
    for (std::size_t e = first; e < last; e += rows * lanes) {
      // All lanes draw, also where the array ends: the same vector code computes each element, whatever the length.
      const std::size_t count = std::min<std::size_t>(rows * lanes, last - e);
      for (std::size_t row = 0; row * lanes < count; ++row) draw_row(random, buffer + row * lanes);
      if (streaming)
        stream_bytes(out_ + e, buffer, count * sizeof(T));
      else
        std::copy_n(buffer, count, out_ + e);
      instruments::note_written(out_ + e, count * sizeof(T));
    }
  }
  void draw_row(random_lanes<lanes>& random, T* row) const {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      random_state state = random.get(lane);
      row[lane] = draw_(state);
      random.set(lane, state);
    }
  }

  T* out_;
  std::size_t n_;
  const random_state* states_;
  std::size_t state_count_;
  Draw draw_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
