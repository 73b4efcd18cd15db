#pragma once
// The loop of a generalised ufunc: F(a[i], b[i], ..., out[i]) where each operand is a small array, its core.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/core/signature.h"
#include "runtime/observe/observe.h"
#include "runtime/ufunc/broadcast.h"
#include "runtime/ufunc/elementwise.h"
#include "runtime/ufunc/lanes.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The part of an operand that one call of the function gets: elements of type T with the layout's dimensions D.
template <class T, std::size_t... D>
struct core {
  using value_type = T;
  static constexpr std::size_t rank = sizeof...(D);

  template <class Extents>
  static GS_FN constexpr std::size_t size(const Extents& extents) {
    return (std::size_t{1} * ... * extents.template get<D>());
  }
  /// The function's argument: a value for an input of rank 0, a reference for such an output, else a view.
  template <class Extents>
  static GS_FN auto input(const T* data, const Extents& extents) {
    if constexpr (rank == 0)
      return *data;
    else
      return view<const T, rank>(data, {extents.template get<D>()...});
  }
  template <class Extents>
  static GS_FN decltype(auto) output(T* data, const Extents& extents) {
    if constexpr (rank == 0)
      return (*data);
    else
      return view<T, rank>(data, {extents.template get<D>()...});
  }
};

/// The extents of a layout's dimensions; Fixed are those that the layout fixes as numbers, 0 for named dimensions.
template <std::size_t... Fixed>
struct core_extents {
  static constexpr std::size_t count = sizeof...(Fixed);
  static constexpr std::array<std::size_t, count + 1> fixed{Fixed..., 0};
  static constexpr bool has_names = ((Fixed == 0) || ...);

  template <std::size_t D>
  GS_FN constexpr std::size_t get() const {
    constexpr std::size_t known = fixed[D];
    if constexpr (known > 0)
      return known;
    else
      return extents[D];
  }
  /// Whether every dimension that has a name has the extent k.
  bool all_are(std::size_t k) const {
    std::size_t d = 0;
    return ((Fixed > 0 ? ++d > 0 : extents[d++] == k) && ...);
  }

  std::array<std::size_t, count + 1> extents;
};
/// The same where every dimension that has a name has the extent K: the compiler sees all extents, unrolls the
/// function's own loops, and vectorises over calls.
template <class Extents, std::size_t K>
struct known_extents {
  template <std::size_t D>
  static GS_FN constexpr std::size_t get() {
    return Extents::fixed[D] > 0 ? Extents::fixed[D] : K;
  }
};

/// One call of a generalised ufunc, ready to run. Inputs and Outputs are std::tuple<core<...>...>; the operands are
/// array_operand or value_operand. A GPU runs one thread per element of the loop.
template <auto F, class Extents, class Inputs, class Outputs, class... Operand>
class gufunc_loop;

template <auto F, class Extents, class... In, class... Out, class... Operand>
class gufunc_loop<F, Extents, std::tuple<In...>, std::tuple<Out...>, Operand...> {
 public:
  static constexpr std::size_t operands = sizeof...(Operand);
  using pointers = std::tuple<typename Out::value_type*...>;

  /// The shapes are those of the inputs' outer dimensions, and broadcast to `loop`.
  gufunc_loop(const pointers& out, const shape& loop, const Extents& extents,
              const std::array<const shape*, operands>& shapes, Operand... operand)
      : out_(out), extents_(extents), operand_(operand...) {
    fill_broadcast_loop(loop_, loop, shapes, {is_array_operand<Operand>...});
  }

  GS_FN std::size_t size() const { return loop_.size; }
  /// With fewer calls a second core doesn't pay; a call's work is taken to be the product of its extents.
  std::size_t grain() const {
    const std::size_t work = [&]<std::size_t... D>(std::index_sequence<D...>) {
      return (std::size_t{1} * ... * std::max<std::size_t>(extents_.template get<D>(), 1));
    }(std::make_index_sequence<Extents::count>{});
    return std::max<std::size_t>(1, (std::size_t{1} << 14) / work);
  }

  static std::string_view scalar_function() { return signature<F>::name(); }

  GS_FN void at(std::size_t i) const { at_operands(i, every_input(), every_output()); }

  void run(std::size_t begin, std::size_t end) const {
    if constexpr (Extents::has_names) {
      if (extents_.all_are(2)) return run_rows(begin, end, known_extents<Extents, 2>());
      if (extents_.all_are(3)) return run_rows(begin, end, known_extents<Extents, 3>());
      if (extents_.all_are(4)) return run_rows(begin, end, known_extents<Extents, 4>());
    }
    run_rows(begin, end, extents_);
  }

 private:
  using every_input = std::index_sequence_for<In...>;
  using every_output = std::index_sequence_for<Out...>;
  template <std::size_t K>
  using input = std::tuple_element_t<K, std::tuple<In...>>;
  template <std::size_t K>
  using operand = std::tuple_element_t<K, std::tuple<Operand...>>;

  // The number of operand K's core in call `i`.
  template <std::size_t K>
  GS_FN std::size_t position(std::size_t i) const {
    return loop_.rank <= 1 ? (loop_.moves(K) ? i : 0) : loop_.offset(K, i);
  }

  template <std::size_t K>
  GS_FN auto input_at(std::size_t i) const {
    if constexpr (is_array_operand<operand<K>>)
      return input<K>::input(std::get<K>(operand_).data + position<K>(i) * input<K>::size(extents_), extents_);
    else
      return std::get<K>(operand_).value;
  }
  template <std::size_t... K, std::size_t... J>
  GS_FN void at_operands(std::size_t i, std::index_sequence<K...>, std::index_sequence<J...>) const {
    F(input_at<K>(i)..., Out::output(std::get<J>(out_) + i * Out::size(extents_), extents_)...);
  }

  template <class E>
  void run_rows(std::size_t begin, std::size_t end, const E& extents) const {
    if (begin == end) return;
    const std::size_t row = loop_.row();
    std::size_t column = begin % row;
    while (begin < end) {
      const std::size_t count = std::min(row - column, end - begin);
      if constexpr (in_lanes<E>())
        choose_sources<0, E>(begin, count);
      else
        call_one_by_one(begin, count, extents, every_input(), every_output());
      begin += count;
      column = 0;
    }
  }

  // The address of operand K's core in call `i`.
  template <std::size_t K>
  auto core_address(std::size_t i) const {
    if constexpr (is_array_operand<operand<K>>)
      return std::get<K>(operand_).data + position<K>(i) * input<K>::size(extents_);
    else
      return &std::get<K>(operand_).value;
  }

  template <class E, std::size_t... K, std::size_t... J>
  void call_one_by_one(std::size_t begin, std::size_t count, const E& extents, std::index_sequence<K...>,
                       std::index_sequence<J...>) const {
    call_each(count, extents, every_input(),
              std::tuple(stepping_core{core_address<K>(begin), loop_.moves(K) ? input<K>::size(extents) : 0}...),
              (std::get<J>(out_) + begin * Out::size(extents))...);
  }
  template <class T>
  struct stepping_core {
    const T* data;
    std::size_t step;
  };
  // Outputs overlap no input: see run_gufunc. The compiler has to know: a loop of F that it vectorises only where it
  // finds that the output lies far enough from an input would have other last bits where they are neighbours.
  template <class E, class Sources, std::size_t... K>
  [[gnu::noinline, gnu::noclone]] static void call_each(std::size_t count, E extents, std::index_sequence<K...>,
                                                        Sources in, typename Out::value_type* __restrict... out) {
    for (std::size_t i = 0; i < count; ++i) {
      F(In::input(std::get<K>(in).data, extents)..., Out::output(out, extents)...);
      ((std::get<K>(in).data += std::get<K>(in).step), ...);
      ((out += Out::size(extents)), ...);
      one_by_one();
    }
  }

  // Calls in lanes (lanes.h), where the compiler sees all extents and vectorises over calls: the cores are small.
  static constexpr std::size_t lanes = lane_count<typename In::value_type..., typename Out::value_type...>;
  template <class E>
  static constexpr bool in_lanes() {
    if constexpr (std::is_same_v<E, Extents> && Extents::has_names) {
      return false;
    } else {
      constexpr std::size_t limit = 16;  // elements of a core
      return ((In::size(E{}) <= limit) && ...) && ((Out::size(E{}) <= limit) && ...);
    }
  }

  // A core for each lane: neighbouring cores, or copies of one core if it is a single element.
  template <class Core, class E>
  struct core_per_lane {
    static constexpr std::size_t size = Core::size(E{});
    using buffer = lane_buffer<typename Core::value_type, lanes * size>;

    auto get(std::size_t lane) const { return Core::input(data + lane * size, E{}); }
    void advance(std::size_t calls) { data += moves ? calls * size : 0; }
    core_per_lane rest(std::size_t count, buffer& copy) const {
      if (!moves) return *this;
      copy_cores<size>(copy.values, data, count);
      return {copy.values, true};
    }

    const typename Core::value_type* data;
    bool moves;
  };
  // One larger core for all lanes, which g++ keeps in registers.
  template <class Core, class E>
  struct core_for_all_lanes {
    struct buffer {};
    auto get(std::size_t) const { return Core::input(data, E{}); }
    void advance(std::size_t) {}
    core_for_all_lanes rest(std::size_t, buffer&) const { return *this; }

    const typename Core::value_type* data;
  };

  template <std::size_t K, class E, class... Source>
  void choose_sources(std::size_t begin, std::size_t count, Source... source) const {
    if constexpr (K == operands) {
      call_in_lanes<E>(begin, count, std::index_sequence_for<Source...>(), every_output(), source...);
    } else {
      using T = typename input<K>::value_type;
      using per_lane = core_per_lane<input<K>, E>;
      const T* const first = core_address<K>(begin);
      if (is_array_operand<operand<K>> && loop_.moves(K)) {
        choose_sources<K + 1, E>(begin, count, source..., per_lane{first, true});
      } else if constexpr (per_lane::size == 1) {
        lane_buffer<T, lanes> same;
        fill_lanes<lanes>(same.values, *first);
        choose_sources<K + 1, E>(begin, count, source..., per_lane{same.values, false});
      } else {
        choose_sources<K + 1, E>(begin, count, source..., core_for_all_lanes<input<K>, E>{first});
      }
    }
  }

  template <class E, std::size_t... K, std::size_t... J, class... Source>
  void call_in_lanes(std::size_t begin, std::size_t count, std::index_sequence<K...>, std::index_sequence<J...>,
                     Source... in) const {
    const std::size_t groups = count / lanes, rest = count % lanes, last = begin + groups * lanes;
    call_groups<E>(groups, std::tuple(in...), every_input(), (std::get<J>(out_) + begin * Out::size(E{}))...);
    if (rest == 0) return;
    (in.advance(groups * lanes), ...);
    std::tuple<typename Source::buffer...> copies;
    std::tuple<lane_buffer<typename Out::value_type, lanes * Out::size(E{})>...> out;
    // Elements that the function doesn't write stay as they are.
    (copy_outputs<Out::size(E{})>(std::get<J>(out).values, std::get<J>(out_) + last * Out::size(E{}), rest), ...);
    call_groups<E>(1, std::tuple(in.rest(rest, std::get<K>(copies))...), every_input(), std::get<J>(out).values...);
    (copy_cores_back<Out::size(E{})>(std::get<J>(out_) + last * Out::size(E{}), std::get<J>(out).values, rest), ...);
  }
  template <std::size_t Size, class T>
  GS_UNOBSERVED static void copy_outputs(T* to, const T* from, std::size_t count) {
#if GRIDSTRIDE_CHECKED  // no call makes these reads: they are inlined here, where the instruments don't see them
    const instruments::trap_pause open;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      for (std::size_t i = 0; i < Size; ++i) to[lane * Size + i] = from[std::min(lane, count - 1) * Size + i];
#else
    copy_cores<Size>(to, from, count);
#endif
  }
  // Copies the cores of `count` calls, and the last one again for the remaining lanes; and back.
  template <std::size_t Size, class T>
  static void copy_cores(T* to, const T* from, std::size_t count) {
    if constexpr (Size == 1)
      copy_few<lanes>(to, from, count, from[count - 1]);
    else
      for (std::size_t lane = 0; lane < lanes; ++lane)
        copy_lanes(to + lane * Size, from + std::min(lane, count - 1) * Size, Size);
  }
  template <std::size_t Size, class T>
  static void copy_cores_back(T* to, const T* from, std::size_t count) {
    if constexpr (Size == 1)
      copy_few_back<lanes>(to, from, count);
    else
      copy_lanes(to, from, count * Size);
  }
  template <class E, class Sources, std::size_t... K>
  [[gnu::noinline, gnu::noclone]] static void call_groups(std::size_t groups, Sources in, std::index_sequence<K...>,
                                                          typename Out::value_type* __restrict... out) {
    for (std::size_t group = 0; group < groups; ++group) {
      GS_LANES
      for (std::size_t lane = 0; lane < lanes; ++lane)
        F(std::get<K>(in).get(lane)..., Out::output(out + lane * Out::size(E{}), E{})...);
      (std::get<K>(in).advance(lanes), ...);
      ((out += lanes * Out::size(E{})), ...);
    }
  }

  pointers out_;
  broadcast_loop<operands> loop_;
  Extents extents_;
  std::tuple<Operand...> operand_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
