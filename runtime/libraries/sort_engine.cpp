// sort on the engine: radix sort by digits of 8 bits, least significant first. Each core counts the digits of its own
// piece; from the counts of all pieces follows where each of them writes each digit, so pieces are moved side by side
// and the order of equal digits is kept. (M. Zagha and G. E. Blelloch, "Radix sort for vector multiprocessors", 1991.)
#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/engine/cores.h"
#include "runtime/instruments/observe.h"
#include "runtime/libraries/sort_call.h"
#include "runtime/libraries/sort_order.h"

namespace gs::inline GS_FLAVOUR {
namespace {

constexpr std::size_t digit_bits = 8, digits = std::size_t{1} << digit_bits;
using digit_counts = std::array<std::size_t, digits>;

struct no_value {};

template <class K, class V>
class radix_sort {
 public:
  explicit radix_sort(const sort_call& call)
      : size_(call.size),
        pieces_(std::clamp<std::size_t>(size_ / smallest_piece, 1, 4 * core_count())),
        counts_(pieces_),
        in_{static_cast<const K*>(call.keys), static_cast<const V*>(call.values)},
        out_{static_cast<K*>(call.keys_out), static_cast<V*>(call.values_out)},
        temporary_{static_cast<K*>(call.keys_temporary), static_cast<V*>(call.values_temporary)} {}

  void run() {
    // From the input to the temporary arrays and to the outputs by turns: an even number of passes ends in the
    // outputs. A digit that all keys share needs no pass.
    source from = in_;
    for (std::size_t digit = 0; digit < sizeof(K); ++digit) {
      const int shift = static_cast<int>(digit * digit_bits);
      if (!count(from.keys, shift)) continue;
      const target to = from.keys == temporary_.keys ? out_ : temporary_;
      move(from, to, shift);
      from = {to.keys, to.values};
    }
    if (from.keys != out_.keys) copy(from.keys, out_.keys);
    if constexpr (has_values)
      if (from.values != out_.values) copy(from.values, out_.values);
  }

 private:
  static constexpr bool has_values = !std::is_same_v<V, no_value>;
  static constexpr std::size_t smallest_piece = 1 << 14;
  struct source {
    const K* keys;
    const V* values;
  };
  struct target {
    K* keys;
    V* values;
  };

  std::size_t begin_of(std::size_t piece) const { return size_ / pieces_ * piece + std::min(piece, size_ % pieces_); }
  template <class F>
  void for_each_piece(const F& f) const {
    for_pieces(pieces_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t piece = begin; piece < end; ++piece) f(piece, begin_of(piece), begin_of(piece + 1));
    });
  }

  // Where each piece writes its first element with each digit; false if all elements share the digit.
  bool count(const K* keys, int shift) {
    for_each_piece([&](std::size_t piece, std::size_t begin, std::size_t end) {
      digit_counts found{};
      for (std::size_t i = begin; i < end; ++i) ++found[digit_of(keys[i], shift)];
      counts_[piece] = found;
    });
    std::size_t before = 0;
    for (std::size_t digit = 0; digit < digits; ++digit) {
      const std::size_t first = before;
      for (digit_counts& piece : counts_) before += std::exchange(piece[digit], before);
      if (before - first == size_) return false;
    }
    return true;
  }
  void move(const source& from, const target& to, int shift) {
    for_each_piece([&](std::size_t piece, std::size_t begin, std::size_t end) {
      digit_counts next = counts_[piece];
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t at = next[digit_of(from.keys[i], shift)]++;
        to.keys[at] = from.keys[i];
        if constexpr (has_values) to.values[at] = from.values[i];
      }
    });
  }
  template <class T>
  void copy(const T* from, T* to) const {
    for_each_piece(
        [&](std::size_t, std::size_t begin, std::size_t end) { std::copy(from + begin, from + end, to + begin); });
  }
  static std::size_t digit_of(K key, int shift) {
    return static_cast<std::size_t>(ordinal(without_negative_zero(key)) >> shift) & (digits - 1);
  }

  std::size_t size_, pieces_;
  std::vector<digit_counts> counts_;
  source in_;
  target out_, temporary_;
};

#if GRIDSTRIDE_CHECKED
void note_accesses(const sort_call& call) {
  const std::size_t keys = call.size * call.types.key_bytes, values = call.size * call.types.value_bytes;
  instruments::name_work(values == 0 ? "sort" : "sort_by_key");
  instruments::note_read(call.keys, keys);
  instruments::note_read(call.values, values);
  instruments::note_written(call.keys_out, keys);
  instruments::note_written(call.values_out, values);
}
#endif

}  // namespace

void run_on_engine(const sort_call& call) {
#if GRIDSTRIDE_CHECKED
  note_accesses(call);
#endif
  with_key_type(call.types, [&]<class K>() {
    if (call.types.value_bytes == 0) return radix_sort<K, no_value>(call).run();
    with_value_type(call.types.value_bytes, [&]<class V>() { radix_sort<K, V>(call).run(); });
  });
}

}  // namespace gs::inline GS_FLAVOUR
