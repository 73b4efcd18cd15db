#pragma once
// task_function: functions that ranks hand to each other by name. Addresses differ from process to process, names
// don't.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/signature.h"
#include "runtime/world/task_bytes.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A function that this program submits somewhere. There is one of these for each, made when the program is loaded.
class task_function {
 public:
  /// Unpacks the arguments, calls the function, and packs its result. Throws what the function throws.
  using caller = task_bytes (*)(std::span<const unsigned char> arguments);

  /// `name`: as people write it; `type` tells apart functions of the same name.
  task_function(std::string_view name, std::string_view type, caller call);
  ~task_function();
  task_function(const task_function&) = delete;
  task_function& operator=(const task_function&) = delete;

  const std::string& name() const { return name_; }
  /// What travels: name and type.
  const std::string& identity() const { return identity_; }
  task_bytes operator()(std::span<const unsigned char> arguments) const { return call_(arguments); }

  /// Whether another function of the same program, or library, has this identity: one that another file keeps to
  /// itself.
  bool has_namesake() const;
  /// The function of that identity that was loaded last; null where there is none.
  static const task_function* find(std::string_view identity);
  /// How many functions have been made or have gone so far; 0: this program submits none.
  static std::uint64_t changes();

 private:
  std::string name_, identity_;
  caller call_;
};

template <auto F>
struct task_signature {
  static_assert(free_function<F>, "submit<f>: f is a function, with a name that all ranks know");
  using types = function_types<decltype(F)>;
  using arguments = typename types::argument_values;
  using result = std::remove_cvref_t<typename types::result>;
  static constexpr std::size_t count = std::tuple_size_v<arguments>;

  template <class T>
  static constexpr bool travels = task_value<T>;
  template <class Tuple, std::size_t... I>
  static constexpr bool all_travel(std::index_sequence<I...>) {
    return (travels<std::tuple_element_t<I, Tuple>> && ...);
  }
  static_assert(all_travel<arguments>(std::make_index_sequence<count>()) && (std::is_void_v<result> || travels<result>),
                "a task takes and returns numbers, structs, std::string and host arrays that own their elements: one "
                "of its arguments, or its result, is none of them (a device array, a span, a pointer)");
};

template <auto F>
task_bytes call_packed(std::span<const unsigned char> bytes) {
  using signature = task_signature<F>;
  unpacker from(bytes);
  task_bytes result;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    // In braces they are taken from left to right.
    typename signature::arguments arguments{from.take<std::tuple_element_t<I, typename signature::arguments>>()...};
    from.finish();
    if constexpr (std::is_void_v<typename signature::result>)
      std::apply(F, std::move(arguments));
    else
      pack(result, std::apply(F, std::move(arguments)));
  }(std::make_index_sequence<signature::count>());
  return result;
}

template <class F>
constexpr std::string_view type_text() {
  return argument_text(__PRETTY_FUNCTION__);
}

template <auto F>
struct submitted_function {
  static inline const task_function entry{function_name<F>(), type_text<decltype(F)>(), call_packed<F>};
};

}  // namespace gs::inline GS_FLAVOUR::detail
