// sort on the engine: radix sort, stable throughout.
//
// All cores together split the keys by their most significant digit. Each core counts the digits of its own piece; from
// the counts of all pieces follows where each of them writes each digit, so pieces are moved in parallel, and the
// order of equal digits is kept (M. Zagha and G. E. Blelloch, "Radix sort for vector multiprocessors", 1991). Parts
// that don't fit a core's cache are split again. The others are sorted by one core each, least significant digit
// first, with all digits counted in one pass (D. E. Knuth, The Art of Computer Programming, volume 3, 5.2.5).
// Digits begin at the highest bit in which keys differ.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/host/cores.h"
#include "runtime/libraries/sort_call.h"
#include "runtime/libraries/sort_order.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

struct no_value {};

// std::bit_width, as an int.
int bits_of(std::uint64_t n) { return 64 - std::countl_zero(n); }

template <class K, class V>
class radix_sort {
 public:
  explicit radix_sort(const sort_call& call)
      : size_(call.size),
        largest_of_one_core_(std::clamp<std::size_t>(size_ / (4 * core_count()), 1 << 12, cache_bytes / element_bytes)),
        in_{static_cast<const K*>(call.keys), static_cast<const V*>(call.values)},
        out_{static_cast<K*>(call.keys_out), static_cast<V*>(call.values_out)},
        temporary_{static_cast<K*>(call.keys_temporary), static_cast<V*>(call.values_temporary)} {}

  void run() {
    std::vector<part> large{{0, size_, in_}}, small;
    while (!large.empty()) {
      const part next = large.back();
      large.pop_back();
      if (next.size() > largest_of_one_core_)
        split(next, large);
      else
        small.push_back(next);
    }
    for_pieces(small.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) sort_alone(small[i]);
    });
  }

 private:
  static constexpr bool has_values = !std::is_same_v<V, no_value>;
  static constexpr std::size_t element_bytes = sizeof(K) + (has_values ? sizeof(V) : 0);
  static constexpr std::size_t cache_bytes = 512 * 1024;  // of a core's own, for elements to sort
  static constexpr std::size_t smallest_piece = 1 << 12;
  static constexpr int max_bits = 11;  // of a digit
  using number = ordinal_t<K>;

  struct source {
    const K* keys;
    const V* values;
  };
  struct target {
    K* keys;
    V* values;
    operator source() const { return {keys, values}; }
  };
  // Elements that belong to [begin, end) of the output, but aren't in order there yet. They are in `from`.
  struct part {
    std::size_t begin, end;
    source from;
    std::size_t size() const { return end - begin; }
  };
  struct digit {
    int shift, bits;
    std::size_t values() const { return std::size_t{1} << bits; }
    std::size_t of(K key) const { return static_cast<std::size_t>(number_of(key) >> shift) & (values() - 1); }
  };

  static number number_of(K key) { return ordinal(without_negative_zero(key)); }

  // The bits in which keys differ from the first.
  static number difference(const K* keys, std::size_t begin, std::size_t end) {
    const number first = number_of(keys[begin]);
    number bits = 0;
    for (std::size_t i = begin; i < end; ++i) bits = static_cast<number>(bits | (number_of(keys[i]) ^ first));
    return bits;
  }

  // The arrays to which the next pass moves the elements of `from`.
  target other_arrays(const source& from) const { return from.keys == temporary_.keys ? out_ : temporary_; }

  static void move_element(const source& from, std::size_t i, const target& to, std::size_t place) {
    to.keys[place] = from.keys[i];
    if constexpr (has_values) to.values[place] = from.values[i];
  }
  void copy_to_output(const part& p) const {
    if (p.from.keys != out_.keys) std::copy(p.from.keys + p.begin, p.from.keys + p.end, out_.keys + p.begin);
    if constexpr (has_values)
      if (p.from.values != out_.values)
        std::copy(p.from.values + p.begin, p.from.values + p.end, out_.values + p.begin);
  }

  // By all cores: one part for each value of the most significant digit, appended to `parts`.
  void split(const part& p, std::vector<part>& parts) const {
    const std::size_t pieces = std::clamp<std::size_t>(p.size() / smallest_piece, 1, 4 * core_count());
    const auto begin_of = [&](std::size_t piece) {
      return p.begin + p.size() / pieces * piece + std::min(piece, p.size() % pieces);
    };
    const auto for_each_piece = [&](const auto& f) {
      for_pieces(pieces, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t piece = begin; piece < end; ++piece) f(piece, begin_of(piece), begin_of(piece + 1));
      });
    };

    std::vector<number> differences(pieces);
    const K common = p.from.keys[p.begin];
    for_each_piece([&](std::size_t piece, std::size_t begin, std::size_t end) {
      differences[piece] = static_cast<number>(difference(p.from.keys, begin, end) |
                                               (number_of(p.from.keys[begin]) ^ number_of(common)));
    });
    number differing = 0;
    for (const number bits : differences) differing = static_cast<number>(differing | bits);
    if (differing == 0)
      return for_each_piece(
          [&](std::size_t, std::size_t begin, std::size_t end) { copy_to_output({begin, end, p.from}); });

    // So many that the parts have some hundred elements each, if all digits are equally frequent.
    const int highest = bits_of(differing), bits = std::clamp(bits_of(p.size()) - 8, 1, max_bits);
    const digit d{std::max(highest - bits, 0), std::min(bits, highest)};
    std::vector<std::vector<std::size_t>> places(pieces);  // where each piece writes its next element with each digit
    for_each_piece([&](std::size_t piece, std::size_t begin, std::size_t end) {
      std::vector<std::size_t> found(d.values());
      for (std::size_t i = begin; i < end; ++i) ++found[d.of(p.from.keys[i])];
      places[piece] = std::move(found);
    });
    const target to = other_arrays(p.from);
    std::size_t before = p.begin;
    for (std::size_t value = 0; value < d.values(); ++value) {
      const std::size_t first = before;
      for (auto& piece : places) before += std::exchange(piece[value], before);
      if (before > first) parts.push_back({first, before, to});
    }
    for_each_piece([&](std::size_t piece, std::size_t begin, std::size_t end) {
      std::size_t* const next = places[piece].data();
      for (std::size_t i = begin; i < end; ++i) move_element(p.from, i, to, next[d.of(p.from.keys[i])]++);
    });
  }

  // By one core.
  void sort_alone(part p) const {
    if (p.size() <= 32) return insert_in_order(p);
    const int bits_that_differ = bits_of(difference(p.from.keys, p.begin, p.end));
    if (bits_that_differ == 0) return copy_to_output(p);
    // Few elements are counted in few counters.
    const int digit_bits = std::clamp(bits_of(p.size()) - 1, 4, max_bits);
    const int passes = (bits_that_differ + digit_bits - 1) / digit_bits,
              bits = (bits_that_differ + passes - 1) / passes;
    const std::size_t values = std::size_t{1} << bits;
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(passes) << bits);  // of the digits, one after the other
    for (std::size_t i = p.begin; i < p.end; ++i) {
      const number n = number_of(p.from.keys[i]);
      for (int pass = 0; pass < passes; ++pass)
        ++counts[values * static_cast<std::size_t>(pass) + ((n >> pass * bits) & (values - 1))];
    }
    for (int pass = 0; pass < passes; ++pass) {
      std::uint32_t* const next = counts.data() + values * static_cast<std::size_t>(pass);
      const digit d{pass * bits, bits};
      if (next[d.of(p.from.keys[p.begin])] == p.size()) continue;  // all share it
      std::uint32_t before = 0;
      for (std::size_t value = 0; value < values; ++value) before += std::exchange(next[value], before);
      const target to = other_arrays(p.from);
      for (std::size_t i = p.begin; i < p.end; ++i) move_element(p.from, i, to, p.begin + next[d.of(p.from.keys[i])]++);
      p.from = to;
    }
    copy_to_output(p);
  }

  void insert_in_order(const part& p) const {
    for (std::size_t i = p.begin; i < p.end; ++i) {
      const K key = p.from.keys[i];
      [[maybe_unused]] V value;
      if constexpr (has_values) value = p.from.values[i];
      std::size_t place = i;
      for (; place > p.begin && number_of(out_.keys[place - 1]) > number_of(key); --place)
        move_element(out_, place - 1, out_, place);
      out_.keys[place] = key;
      if constexpr (has_values) out_.values[place] = value;
    }
  }

  std::size_t size_, largest_of_one_core_;
  source in_;
  target out_, temporary_;
};

void note_accesses(const sort_call& call) {
  const std::size_t keys = call.size * call.types.key_bytes, values = call.size * call.types.value_bytes;
  instruments::name_work(values == 0 ? "sort" : "sort_by_key");
  instruments::note_read(call.keys, keys);
  instruments::note_read(call.values, values);
  instruments::note_written(call.keys_out, keys);
  instruments::note_written(call.values_out, values);
}

}  // namespace

void run_on_engine(const sort_call& call) {
  note_accesses(call);
  with_key_type(call.types, [&]<class K>() {
    if (call.types.value_bytes == 0) return radix_sort<K, no_value>(call).run();
    with_value_type(call.types.value_bytes, [&]<class V>() { radix_sort<K, V>(call).run(); });
  });
}

}  // namespace gs::inline GS_FLAVOUR::detail
