#pragma once
// The loop of a generalised ufunc: F(a[i], b[i], ..., out[i]) where each operand is a small array, its core.

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/array/view.h"
#include "runtime/core/config.h"
#include "runtime/ufunc/broadcast.h"
#include "runtime/ufunc/elementwise.h"

namespace gs::inline GS_FLAVOUR {

/// What one call of the function sees of an operand: elements of type T with the layout's dimensions D.
template <class T, std::size_t... D>
struct core {
  using value_type = T;
  static constexpr std::size_t rank = sizeof...(D);

  template <class Extents>
  static GS_FN std::size_t size(const Extents& extents) {
    return (std::size_t{1} * ... * extents.template get<D>());
  }
  /// The function's argument: a value for an input of rank 0, a reference for such an output, else a view.
  template <class Extents>
  static GS_FN auto input(const T* at, const Extents& extents) {
    if constexpr (rank == 0)
      return *at;
    else
      return view<const T, rank>(at, {extents.template get<D>()...});
  }
  template <class Extents>
  static GS_FN decltype(auto) output(T* at, const Extents& extents) {
    if constexpr (rank == 0)
      return (*at);
    else
      return view<T, rank>(at, {extents.template get<D>()...});
  }
};

/// The extents of a layout's dimensions; Fixed are those that it gives as numbers, 0 for the others.
template <std::size_t... Fixed>
struct core_extents {
  static constexpr std::size_t count = sizeof...(Fixed);
  static constexpr std::array<std::size_t, count + 1> fixed{Fixed..., 0};
  static constexpr bool has_names = ((Fixed == 0) || ...);

  template <std::size_t D>
  GS_FN std::size_t get() const {
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
  /// Calls below which a second core doesn't pay; a call's work is taken as the product of its extents.
  std::size_t grain() const {
    const std::size_t work = [&]<std::size_t... D>(std::index_sequence<D...>) {
      return (std::size_t{1} * ... * std::max<std::size_t>(extents_.template get<D>(), 1));
    }
    (std::make_index_sequence<Extents::count>{});
    return std::max<std::size_t>(1, (std::size_t{1} << 14) / work);
  }

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
  static constexpr std::size_t arrays = (0 + ... + (is_array_operand<Operand> ? 1 : 0));
  using every_input = std::index_sequence_for<In...>;
  using every_output = std::index_sequence_for<Out...>;
  template <std::size_t K>
  using input = std::tuple_element_t<K, std::tuple<In...>>;
  template <std::size_t K>
  using operand = std::tuple_element_t<K, std::tuple<Operand...>>;

  // Which core of operand K belongs to call `i`.
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
      choose_steps<0>(begin, count, extents);
      begin += count;
      column = 0;
    }
  }

  // How a row of calls reads an operand: one core after another, always the same one, or a value.
  template <class Core, class Moves>
  struct read_cores {
    const typename Core::value_type* first;
    Moves moves;
    template <class E>
    auto get(std::size_t i, const E& extents) const {
      return Core::input(first + (moves ? i * Core::size(extents) : 0), extents);
    }
  };
  template <class T>
  struct read_given {
    T value;
    template <class E>
    T get(std::size_t, const E&) const {
      return value;
    }
  };

  // Up to two arrays, every combination of those that move along the row gets a loop of its own; with more arrays one
  // loop serves all combinations.
  template <std::size_t K, class E, class... Read>
  void choose_steps(std::size_t begin, std::size_t count, const E& extents, Read... read) const {
    if constexpr (K == operands) {
      run_calls(begin, count, extents, every_output(), read...);
    } else if constexpr (!is_array_operand<operand<K>>) {
      using T = typename input<K>::value_type;
      choose_steps<K + 1>(begin, count, extents, read..., read_given<T>{std::get<K>(operand_).value});
    } else {
      const auto* first = std::get<K>(operand_).data + position<K>(begin) * input<K>::size(extents);
      const auto go_on = [&](auto moves) {
        choose_steps<K + 1>(begin, count, extents, read..., read_cores<input<K>, decltype(moves)>{first, moves});
      };
      if constexpr (arrays > 2)
        go_on(loop_.moves(K));
      else if (loop_.moves(K))
        go_on(std::true_type());
      else
        go_on(std::false_type());
    }
  }

  template <class E, std::size_t... J, class... Read>
  void run_calls(std::size_t begin, std::size_t count, const E& extents, std::index_sequence<J...>,
                 Read... read) const {
    run_calls_into(count, extents, std::tuple(read...), std::make_index_sequence<operands>(),
                   std::get<J>(out_) + begin * Out::size(extents)...);
  }
  // Outputs overlap no input: see run_gufunc.
  template <class E, class Reads, std::size_t... K>
  static void run_calls_into(std::size_t count, E extents, Reads read, std::index_sequence<K...>,
                             typename Out::value_type*... out) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i)
      F(std::get<K>(read).get(i, extents)..., Out::output(out + i * Out::size(extents), extents)...);
  }

  pointers out_;
  broadcast_loop<operands> loop_;
  Extents extents_;
  std::tuple<Operand...> operand_;
};

}  // namespace gs::inline GS_FLAVOUR
