#pragma once
// gs::taped: gradients of functions of device arrays, by a tape of what was called (reverse mode; A. Griewank and A.
// Walther, "Evaluating Derivatives", 2nd edition, 2008, chapter 3). Between arrays a call is recorded, and inside a
// ufunc dual numbers differentiate it (mixed mode: J. Revels et al., "Dynamic Automatic Differentiation of GPU
// Broadcast Kernels", 2018).

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/grad/array_adjoints.h"
#include "runtime/grad/grad.h"
#include "runtime/grad/tape_errors.h"
#include "runtime/libraries/gemm.h"
#include "runtime/numpy/numpy.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

/// An array that shares `x`'s memory.
template <class T>
device_array<T> shared_array(const device_array<T>& x) {
  return x.reshape(x.shape());
}

/// An array as a recorded call has read it: it must hold the same elements when the gradient is computed.
template <class T>
class kept_array {
 public:
  kept_array(const device_array<T>& x, const std::source_location& place)
      : array_(std::make_shared<device_array<T>>(shared_array(x))), writes_(x.memory()->writes()), place_(place) {}

  const gs::shape& shape() const { return array_->shape(); }
  const device_array<T>& get() const {
    if (array_->memory()->writes() != writes_) refuse_overwritten(place_, array_->shape());
    return *array_;
  }

 private:
  std::shared_ptr<device_array<T>> array_;
  std::uint64_t writes_;
  std::source_location place_;
};

}  // namespace detail

class tape;

/// An array whose history a tape keeps: an argument of a taped function, or what was computed from it. Copies are the
/// same variable.
template <class T>
class variable {
 public:
  using value_type = T;  ///< float or double
  struct state {
    device_array<T> value;
    std::optional<device_array<T>> gradient;
  };
  /// For the tape: a new variable of its own.
  variable(tape& on, device_array<T> value)
      : tape_(&on), state_(std::make_shared<state>(state{std::move(value), std::nullopt})) {}

  /// The array itself, for an `if` on its elements or a print; what is computed from it is a constant to the tape.
  const device_array<T>& value() const { return state_->value; }
  const gs::shape& shape() const { return state_->value.shape(); }  ///< that of the array
  tape& recorder() const { return *tape_; }                         ///< the tape that keeps its history
  const std::shared_ptr<state>& node() const { return state_; }     ///< for the tape

  /// The same elements in another shape, as of a device_array; recorded.
  variable reshape(std::initializer_list<std::ptrdiff_t> extents) const;
  /// Elements [begin, end) along the first dimension, as of a device_array; recorded.
  variable slice(std::size_t begin, std::size_t end) const;

  /// An operand of an operator: a variable, an array or a number, and the line that the operator stands in.
  class operand {
   public:
    /// From what stands beside the operator.
    ///@{
    operand(const variable& x, const std::source_location& place = std::source_location::current())  // NOLINT
        : tracked(x), place(place) {}
    operand(const device_array<T>& x, const std::source_location& place = std::source_location::current())  // NOLINT
        : constant(detail::shared_array(x)), place(place) {}
    operand(std::same_as<T> auto x, const std::source_location& place = std::source_location::current())  // NOLINT
        : number(x), place(place) {}
    ///@}
    std::optional<variable> tracked;  ///< set, if it is a variable
    device_array<T> constant;         ///< the array, if it is one
    std::optional<T> number;          ///< set, if it is a number
    std::source_location place;       ///< of the operator
  };
  /// Arithmetic, element by element, broadcast as NumPy does; recorded.
  ///@{
  friend variable operator+(const operand& a, const operand& b) { return infix<scalar_functions::add{}>(a, b); }
  friend variable operator-(const operand& a, const operand& b) { return infix<scalar_functions::subtract{}>(a, b); }
  friend variable operator*(const operand& a, const operand& b) { return infix<scalar_functions::multiply{}>(a, b); }
  friend variable operator/(const operand& a, const operand& b) { return infix<scalar_functions::divide{}>(a, b); }
  friend variable operator-(const operand& x) { return prefix<scalar_functions::negative{}>(x); }
  ///@}

 private:
  template <auto F>
  static variable infix(const operand& a, const operand& b);
  template <auto F>
  static variable prefix(const operand& x);

  tape* tape_;
  std::shared_ptr<state> state_;
};

namespace detail {

template <class A>
struct is_variable : std::false_type {};
template <class T>
struct is_variable<variable<T>> : std::true_type {};
template <class A>
concept any_variable = is_variable<std::remove_cvref_t<A>>::value;
template <class A>
concept array_or_variable = any_device_array<A> || any_variable<A>;

// A number, an array or a variable, as a ufunc takes it.
template <class A>
decltype(auto) untracked(const A& x) {
  if constexpr (any_variable<A>)
    return x.value();
  else
    return (x);
}
// What a recorded call keeps of an argument, and how it is read again.
template <class A>
auto keep(const A& x, const std::source_location& place) {
  if constexpr (any_variable<A>)
    return kept_array<typename A::value_type>(x.value(), place);
  else if constexpr (any_device_array<A>)
    return kept_array<typename A::value_type>(x, place);
  else
    return x;
}
template <class T>
const device_array<T>& read_again(const kept_array<T>& x) {
  return x.get();
}
template <scalar T>
T read_again(T x) {
  return x;
}

}  // namespace detail

// g times the derivative of F by its argument K.
namespace scalar_functions {
template <auto F, std::size_t K>
struct pulled_back {
  template <class T, class... X>
  GS_FN T operator()(T gradient, X... x) const {
    return gradient * detail::derivative<F, K>()(x...);
  }
};
}  // namespace scalar_functions

/// Records calls on device arrays, so that their adjoints can run in reverse. Variables join in arithmetic by
/// operators; the rest are functions of the tape:
///
///   tape(gs::tanh, x)                  any ufunc made of an object with a templated call, of up to three arguments
///   tape.sum(x), tape.mean(x), tape.max(x), tape.min(x), tape.prod(x), tape.sum(x, gs::axis(0)), ...
///   tape.cumsum(x), tape.cumsum(x, gs::axis(0))
///   tape.gemm(a, b)
///   x.reshape({2, 3}), x.slice(0, 5), tape.transpose(x), tape.take(x, positions, gs::axis(0))
///   tape.concatenate(a, b), tape.concatenate(gs::axis(1), a, b), tape.stack(a, b)
///   tape.call(forward, adjoint, a, b)  everything else: a gufunc, kernels
///
/// Arrays and numbers among the arguments, arrays of random numbers for example, are constants. Each call runs at once,
/// in one loop, as without a tape; its result and the arrays that it read live until the tape is gone.
class tape {
 public:
  tape() = default;
  tape(const tape&) = delete;
  tape& operator=(const tape&) = delete;

  /// A ufunc's result, recorded.
  ///@{
  template <auto F, class A>
  auto operator()(const ufunc<F>&, const A& a, const std::source_location& place = std::source_location::current()) {
    return record<F>(place, a);
  }
  template <auto F, class A, class B>
  requires(!std::is_same_v<B, std::source_location>)
  auto operator()(const ufunc<F>&, const A& a, const B& b,
                  const std::source_location& place = std::source_location::current()) {
    return record<F>(place, a, b);
  }
  template <auto F, class A, class B, class C>
  requires(!std::is_same_v<C, std::source_location>)
  auto operator()(const ufunc<F>&, const A& a, const B& b, const C& c,
                  const std::source_location& place = std::source_location::current()) {
    return record<F>(place, a, b, c);
  }
  ///@}
  /// Says what to write instead: a gufunc's function isn't one that dual numbers can be given to.
  template <detail::layout_text L, auto... F, class A, class... More>
  A operator()(const gufunc<L, F...>&, const A& a, const More&...) {
    static_assert(sizeof...(F) == 0, "tape: a gufunc has no adjoint: give one, tape.call(gufunc, adjoint, x)");
    return a;
  }

  /// The sum of all elements, or along an axis, as gs::sum.
  ///@{
  template <class T>
  variable<T> sum(const variable<T>& x) {
    variable<T> result(*this, gs::sum(x.value()));
    adjoints_.push_back([this, x, result] {
      if (const auto* g = gradient(result)) add_to(x, detail::spread_to(*g, x.value()));
    });
    return result;
  }
  template <class T>
  variable<T> sum(const variable<T>& x, axis along) {
    variable<T> result(*this, gs::sum(x.value(), along));
    adjoints_.push_back([this, x, result, along] {
      if (const auto* g = gradient(result))
        add_to(x, detail::spread_to(g->reshape(detail::kept_shape(x.shape(), along)), x.value()));
    });
    return result;
  }
  ///@}
  /// The mean of all elements, or along an axis, as gs::mean.
  ///@{
  template <class T>
  variable<T> mean(const variable<T>& x) {
    return sum(x) * (T(1) / static_cast<T>(x.shape().size()));
  }
  template <class T>
  variable<T> mean(const variable<T>& x, axis along) {
    return sum(x, along) * (T(1) / static_cast<T>(detail::split_at(x.shape(), along).length));
  }
  ///@}

  /// The largest and the smallest element, or along an axis, as gs::max and gs::min. Elements that are equal share the
  /// gradient evenly; where one is NaN all have the gradient NaN.
  ///@{
  template <class T>
  variable<T> max(const variable<T>& x, const std::source_location& place = std::source_location::current()) {
    return choice(place, x, gs::max(x.value()), gs::shape());
  }
  template <class T>
  variable<T> max(const variable<T>& x, axis along,
                  const std::source_location& place = std::source_location::current()) {
    return choice(place, x, gs::max(x.value(), along), detail::kept_shape(x.shape(), along));
  }
  template <class T>
  variable<T> min(const variable<T>& x, const std::source_location& place = std::source_location::current()) {
    return choice(place, x, gs::min(x.value()), gs::shape());
  }
  template <class T>
  variable<T> min(const variable<T>& x, axis along,
                  const std::source_location& place = std::source_location::current()) {
    return choice(place, x, gs::min(x.value(), along), detail::kept_shape(x.shape(), along));
  }
  ///@}
  /// The product of all elements, or along an axis, as gs::prod. Right where elements are 0, too.
  ///@{
  template <class T>
  variable<T> prod(const variable<T>& x, const std::source_location& place = std::source_location::current()) {
    return prod(flat(x), axis(0), place);
  }
  template <class T>
  variable<T> prod(const variable<T>& x, axis along,
                   const std::source_location& place = std::source_location::current()) {
    variable<T> result(*this, gs::prod(x.value(), along));
    adjoints_.push_back([this, x, result, along, read = detail::keep(x, place)] {
      if (const auto* g = gradient(result))
        add_to(x, detail::adjoint_of_prod(g->reshape(detail::kept_shape(x.shape(), along)), read.get(), along));
    });
    return result;
  }
  ///@}
  /// Running sums of all elements in row-major order, or along an axis, as gs::cumsum.
  ///@{
  template <class T>
  variable<T> cumsum(const variable<T>& x) {
    return cumsum(flat(x), axis(0));
  }
  template <class T>
  variable<T> cumsum(const variable<T>& x, axis along) {
    variable<T> result(*this, gs::cumsum(x.value(), along));
    adjoints_.push_back([this, x, result, along] {
      if (const auto* g = gradient(result)) add_to(x, detail::adjoint_of_cumsum(*g, along));
    });
    return result;
  }
  ///@}

  /// The elements at some positions, an array of integers, in row-major order or along an axis, as gs::take. An element
  /// that was taken several times has the sum of the gradients, added in the positions' order and in double.
  ///@{
  template <class T, any_device_array I>
  variable<T> take(const variable<T>& x, const I& positions,
                   const std::source_location& place = std::source_location::current()) {
    return take(flat(x), positions, axis(0), place);
  }
  template <class T, any_device_array I>
  variable<T> take(const variable<T>& x, const I& positions, axis along,
                   const std::source_location& place = std::source_location::current()) {
    variable<T> result(*this, gs::take(x.value(), positions, along));
    adjoints_.push_back([this, x, result, along, read = detail::keep(positions, place)] {
      if (const auto* g = gradient(result)) add_to(x, detail::adjoint_of_take(*g, read.get(), x.shape(), along));
    });
    return result;
  }
  ///@}
  /// Variables and arrays one after the other, along the first axis or another, as gs::concatenate.
  ///@{
  template <detail::array_or_variable... A>
  auto concatenate(axis along, const A&... array) {
    static_assert((detail::any_variable<A> || ...),
                  "tape.concatenate and tape.stack take a variable or more: call gs::concatenate or gs::stack");
    auto value = gs::concatenate(along, detail::untracked(array)...);
    variable<typename decltype(value)::value_type> result(*this, std::move(value));
    const std::size_t number = detail::split_at(result.shape(), along).number;
    adjoints_.push_back([this, along, result, extents = std::array{array.shape()[number]...},
                         variables = std::tuple(argument(array)...)] {
      const auto* const g = gradient(result);
      if (!g) return;
      std::size_t k = 0, begin = 0;
      const auto add_part = [&](const auto& x) {
        const std::size_t end = begin + extents[k++];
        if constexpr (detail::any_variable<decltype(x)>) add_to(x, detail::part_of(*g, along, begin, end));
        begin = end;
      };
      std::apply([&](const auto&... x) { (add_part(x), ...); }, variables);
    });
    return result;
  }
  template <detail::array_or_variable... A>
  auto concatenate(const A&... array) {
    return concatenate(axis(0), array...);
  }
  ///@}
  /// Variables and arrays of one shape side by side along a new first axis, as gs::stack.
  template <detail::array_or_variable A, detail::array_or_variable... More>
  auto stack(const A& first, const More&... more) {
    std::size_t number = 1;
    (detail::check_stacked(first.shape(), more.shape(), ++number), ...);
    const auto layer = [&](const auto& x) {
      if constexpr (detail::any_variable<decltype(x)>)
        return reshape(x, detail::layer_shape(x.shape()));
      else
        return x.reshape(detail::layer_shape(x.shape()));
    };
    return concatenate(axis(0), layer(first), layer(more)...);
  }
  /// The axes reversed, or in the given order, as gs::transpose.
  template <class T>
  variable<T> transpose(const variable<T>& x, std::initializer_list<std::size_t> axes = {}) {
    const std::vector<std::size_t> order = detail::checked_order(x.shape(), axes);
    variable<T> result(*this, detail::permuted(x.value(), order));
    adjoints_.push_back([this, x, result, order] {
      if (const auto* g = gradient(result)) add_to(x, detail::adjoint_of_permuted(*g, order));
    });
    return result;
  }

  /// The product of two matrices, of which one or both are variables.
  template <class A, class B>
  auto gemm(const A& a, const B& b, const std::source_location& place = std::source_location::current()) {
    using T = typename A::value_type;
    variable<T> result(*this, gs::gemm(detail::untracked(a), detail::untracked(b)));
    adjoints_.push_back(
        [this, a = argument(a), b = argument(b), x = detail::keep(a, place), y = detail::keep(b, place), result] {
          const auto* const g = gradient(result);
          if (!g) return;
          if constexpr (detail::any_variable<A>) add_to(a, gs::gemm(*g, y.get(), {.transpose_b = true}));
          if constexpr (detail::any_variable<B>) add_to(b, gs::gemm(x.get(), *g, {.transpose_a = true}));
        });
    return result;
  }

  /// Any call: `forward(arrays...)` gives the result, and `adjoint(gradient, arrays...)` a std::tuple of gradients, one
  /// for each variable, in their order and shapes; `gradient` has the result's shape. Of one to three variables.
  ///@{
  template <class Forward, class Adjoint, class A>
  auto call(const Forward& forward, const Adjoint& adjoint, const variable<A>& a,
            const std::source_location& place = std::source_location::current()) {
    return call_at(place, forward, adjoint, a);
  }
  template <class Forward, class Adjoint, class A, class B>
  auto call(const Forward& forward, const Adjoint& adjoint, const variable<A>& a, const variable<B>& b,
            const std::source_location& place = std::source_location::current()) {
    return call_at(place, forward, adjoint, a, b);
  }
  template <class Forward, class Adjoint, class A, class B, class C>
  auto call(const Forward& forward, const Adjoint& adjoint, const variable<A>& a, const variable<B>& b,
            const variable<C>& c, const std::source_location& place = std::source_location::current()) {
    return call_at(place, forward, adjoint, a, b, c);
  }
  ///@}

  /// What variable::reshape calls.
  template <class T>
  variable<T> reshape(const variable<T>& x, const shape& extents) {
    variable<T> result(*this, x.value().reshape(extents));
    adjoints_.push_back([this, x, result] {
      if (const auto* g = gradient(result)) add_to(x, g->reshape(x.shape()));
    });
    return result;
  }
  /// What variable::slice calls.
  template <class T>
  variable<T> slice(const variable<T>& x, std::size_t begin, std::size_t end) {
    variable<T> result(*this, x.value().slice(begin, end));
    adjoints_.push_back([this, x, result, begin, end] {
      const auto* const g = gradient(result);
      if (!g) return;
      device_array<T> whole = zeros<T>(x.shape());
      device_array<T> part = whole.slice(begin, end);
      positive(*g, out(part));
      add_to(x, std::move(whole));
    });
    return result;
  }

  /// Runs the adjoints, last call first, from the result's gradient.
  template <class T>
  void run_back(const variable<T>& result, device_array<T> gradient) {
    add_to(result, std::move(gradient));
    for (auto adjoint = adjoints_.rbegin(); adjoint != adjoints_.rend(); ++adjoint) (*adjoint)();
  }

  /// What has come together for a variable; zeros if the result doesn't depend on it.
  template <class T>
  static device_array<T> gradient_of(const variable<T>& x) {
    return x.node()->gradient ? std::move(*x.node()->gradient) : zeros<T>(x.shape());
  }

  /// What operators and calls of ufuncs have in common: f of these arguments, recorded.
  template <auto F, class... A>
  auto record(const std::source_location& place, const A&... argument) {
    static_assert((detail::any_variable<A> || ...), "a tape records calls with variables: call the ufunc itself");
    constexpr auto f = vectorize<F>;
    using T = detail::element_t<std::remove_cvref_t<decltype(f(detail::untracked(argument)...))>>;
    static_assert(std::is_floating_point_v<T>, "a tape records floats and doubles: other numbers have no derivative");
    variable<T> result(*this, f(detail::untracked(argument)...));
    adjoints_.push_back([this, place, kept = std::tuple(detail::keep(argument, place)...),
                         variables = std::tuple(tape::argument(argument)...), result] {
      const auto* const g = gradient(result);
      if (!g) return;
      [&]<std::size_t... K>(std::index_sequence<K...>) {
        const auto pull_back = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
          if constexpr (detail::any_variable<std::tuple_element_t<J, std::tuple<A...>>>) {
            constexpr auto adjoint = vectorize<scalar_functions::pulled_back<F, J>{}>;
            const auto& x = std::get<J>(variables);
            add_to(x, detail::sum_to(adjoint(*g, detail::read_again(std::get<K>(kept))...), x.shape()));
          }
        };
        (pull_back(std::integral_constant<std::size_t, K>()), ...);
      }(std::index_sequence_for<A...>());
    });
    return result;
  }

 private:
  template <class Forward, class Adjoint, class T, class... More>
  auto call_at(const std::source_location& place, const Forward& forward, const Adjoint& adjoint, const variable<T>& x,
               const variable<More>&... more) {
    variable<T> result(*this, forward(x.value(), more.value()...));
    adjoints_.push_back(
        [this, adjoint, x, more..., kept = std::tuple(detail::keep(x, place), detail::keep(more, place)...), result] {
          const auto* const g = gradient(result);
          if (!g) return;
          auto gradients = std::apply([&](const auto&... array) { return adjoint(*g, array.get()...); }, kept);
          const auto variables = std::tie(x, more...);
          [&]<std::size_t... K>(std::index_sequence<K...>) {
            static_assert(std::tuple_size_v<decltype(gradients)> == 1 + sizeof...(More),
                          "tape.call: the adjoint returns a std::tuple with one gradient for each variable");
            (add_checked(std::get<K>(variables), std::move(std::get<K>(gradients))), ...);
          }(std::make_index_sequence<1 + sizeof...(More)>());
        });
    return result;
  }

  // The largest or smallest elements, `value`, which has that shape where the reduced axes are kept.
  template <class T>
  variable<T> choice(const std::source_location& place, const variable<T>& x, device_array<T> value,
                     const gs::shape& kept) {
    variable<T> result(*this, std::move(value));
    adjoints_.push_back([this, x, result, kept, read = detail::keep(x, place), chosen = detail::keep(result, place)] {
      if (const auto* g = gradient(result))
        add_to(x, detail::adjoint_of_choice(g->reshape(kept), read.get(), chosen.get().reshape(kept)));
    });
    return result;
  }

  // All elements in row-major order.
  template <class T>
  variable<T> flat(const variable<T>& x) {
    return reshape(x, gs::shape(x.shape().size()));
  }
  // A variable, or nothing for a constant.
  template <class A>
  static auto argument(const A& x) {
    if constexpr (detail::any_variable<A>)
      return x;
    else
      return std::tuple<>();
  }
  template <class T>
  static const device_array<T>* gradient(const variable<T>& x) {
    return x.node()->gradient ? &*x.node()->gradient : nullptr;
  }
  // In a new array: gradients may share memory.
  template <class T>
  static void add_to(const variable<T>& x, device_array<T> more) {
    auto& gradient = x.node()->gradient;
    if (gradient)
      gradient = add(*gradient, more);
    else
      gradient = std::move(more);
  }
  template <class T>
  static void add_checked(const variable<T>& x, device_array<T> more) {
    if (more.shape() != x.shape()) detail::refuse_gradient_shape(more.shape(), x.shape());
    add_to(x, std::move(more));
  }

  std::vector<std::function<void()>> adjoints_;
};

template <class T>
variable<T> variable<T>::reshape(std::initializer_list<std::ptrdiff_t> extents) const {
  return tape_->reshape(*this, state_->value.reshape(extents).shape());
}
template <class T>
variable<T> variable<T>::slice(std::size_t begin, std::size_t end) const {
  return tape_->slice(*this, begin, end);
}
template <class T>
template <auto F>
variable<T> variable<T>::infix(const operand& a, const operand& b) {
  if (a.tracked && b.tracked) return a.tracked->tape_->template record<F>(a.place, *a.tracked, *b.tracked);
  if (a.tracked && b.number) return a.tracked->tape_->template record<F>(a.place, *a.tracked, *b.number);
  if (a.tracked) return a.tracked->tape_->template record<F>(a.place, *a.tracked, b.constant);
  if (a.number) return b.tracked->tape_->template record<F>(a.place, *a.number, *b.tracked);
  return b.tracked->tape_->template record<F>(a.place, a.constant, *b.tracked);
}
template <class T>
template <auto F>
variable<T> variable<T>::prefix(const operand& x) {
  return x.tracked->tape_->template record<F>(x.place, *x.tracked);
}

namespace detail {

// Copies an array that shares its memory: with an argument that a function returned as it came, for example. (In one
// loop, queued; device_array::copy waits.)
template <class T>
void own_memory(device_array<T>& x) {
  if (x.memory().use_count() > 1) x = positive(x);
}

/// A function of device arrays that can be differentiated; made by gs::taped. What it returns are arrays of their own,
/// which share no memory with an argument or with each other.
template <class Function>
class taped_function {
 public:
  /// What gs::taped calls.
  explicit taped_function(Function function) : function_(std::move(function)) {}

  /// The function's value, without a gradient.
  template <class... T>
  auto operator()(const device_array<T>&... x) const {
    auto value = value_alone(x...);
    own_memory(value);
    return value;
  }
  /// The function's value, and its gradient by each argument, in the arguments' shapes: auto [loss, by_w, by_b] =
  /// model.value_and_grad(w, b). The value has one element. The arguments are device arrays of float or of double, and
  /// aren't changed. Everything is queued; nothing is copied to the host. Throws gs::error, naming the line, if an
  /// array that a recorded call has read was overwritten before the gradient was computed.
  template <class... T>
  auto value_and_grad(const device_array<T>&... x) const {
    return run(
        [](const auto& result) {
          if (result.size() != 1) refuse_result_shape(result.shape());
          return ones_like(result);
        },
        x...);
  }
  /// The gradients alone; of one argument an array, else a std::tuple.
  template <class... T>
  auto grad(const device_array<T>&... x) const {
    return std::apply(
        [](auto&&, auto&&... gradient) {
          if constexpr (sizeof...(gradient) == 1)
            return std::get<0>(std::tuple(std::move(gradient)...));
          else
            return std::tuple(std::move(gradient)...);
        },
        value_and_grad(x...));
  }
  /// Of a function whose result is an array: its value, and the gradients of the sum of gradient * result (the vector
  /// times the Jacobian matrix). With ones for `gradient` that is the gradient of the result's sum.
  template <class R, class... T>
  auto vjp(const device_array<R>& gradient, const device_array<T>&... x) const {
    return run(
        [&](const auto& result) {
          if (gradient.shape() != result.shape()) refuse_gradient_shape(gradient.shape(), result.shape());
          return shared_array(gradient);
        },
        x...);
  }

 private:
  template <class... T>
  auto recorded(tape& recorder, const std::tuple<variable<T>...>& variables) const {
    static_assert((std::is_floating_point_v<T> && ...),
                  "taped: an argument is an array of integers, which has no gradient: capture it in the function");
    auto result = std::apply([&](const auto&... v) { return function_(recorder, v...); }, variables);
    static_assert(any_variable<decltype(result)>, "taped: the function returns a variable of its tape");
    return result;
  }
  // These may share memory, which is seen when the tape is gone.
  template <class... T>
  auto value_alone(const device_array<T>&... x) const {
    tape recorder;
    return shared_array(recorded(recorder, std::make_tuple(variable<T>(recorder, shared_array(x))...)).value());
  }
  template <class Seed, class... T>
  auto value_and_gradients(const Seed& seed, const device_array<T>&... x) const {
    tape recorder;
    const auto variables = std::make_tuple(variable<T>(recorder, shared_array(x))...);
    const auto result = recorded(recorder, variables);
    recorder.run_back(result, seed(result.value()));
    return std::apply(
        [&](const auto&... v) { return std::tuple(shared_array(result.value()), tape::gradient_of(v)...); }, variables);
  }
  template <class Seed, class... T>
  auto run(const Seed& seed, const device_array<T>&... x) const {
    auto arrays = value_and_gradients(seed, x...);
    std::apply([](auto&... array) { (own_memory(array), ...); }, arrays);
    return arrays;
  }

  Function function_;
};

}  // namespace detail

/// A function of a tape and of variables that can be differentiated by these:
///
///   const auto loss = gs::taped([&](auto& tape, auto w, auto b) {
///     const auto hidden = tape(gs::tanh, tape.gemm(images, w) + b);
///     return tape.mean(hidden * hidden);
///   });
///   auto [value, by_w, by_b] = loss.value_and_grad(w, b);
///
/// The function is run each time, so that an `if` takes the way that it takes. gs::grad is for functions of numbers.
template <class Function>
detail::taped_function<Function> taped(Function function) {
  return detail::taped_function<Function>(std::move(function));
}

}  // namespace gs::inline GS_FLAVOUR
