#pragma once
// The type inspector: what a ufunc was specialised for, and where its functions widen float32 to float64.

#include <cstddef>
#include <source_location>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/dtype.h"
#include "runtime/core/signature.h"

namespace gs::inline GS_FLAVOUR {

/// One function that a ufunc is made of, with the types it was compiled for.
struct specialisation {
  std::string text;                           ///< "gaussian(float32, float32, float32) -> float32"
  std::vector<std::string> arguments;         ///< {"float32", "float32", "float32"}
  std::string result;                         ///< "float32"
  std::string function;                       ///< as C++ writes it: "gaussian(float, float, float)"
  bool found = false;                         ///< the inspected file holds the function's body
  std::string file;                           ///< where the body is; empty if it wasn't found
  std::size_t first_line = 0, last_line = 0;  ///< of the function's body, from 1
};

/// One place where a float32 value becomes a float64 (or long double) one.
struct widening {
  std::string function;  ///< the function that holds it: "square(float)"
  std::vector<std::string>
      called_from;                   ///< the way there from the ufunc's own function, outermost first; empty within it
  std::string file;                  ///< as the compiler names it
  std::size_t line = 0, column = 0;  ///< where the expression starts, from 1; columns are bytes
  std::size_t last_column = 0;       ///< where it ends, or its first line does
  std::string expression;            ///< "0.5 * x"
  std::string to;                    ///< "float64" or "long double"
  bool is_explicit = false;          ///< written as a cast, so probably meant
  bool removed_by_compiler = false;  ///< g++ leaves the conversion out, as it can't change the result
  std::string reason, advice;        ///< "0.5 is a float64 literal", "write 0.5f"; an explicit one needs no advice
};

/// What `inspect_types` found out.
struct type_report {
  std::string source;                           ///< the file that was inspected
  std::vector<specialisation> specialisations;  ///< of the ufunc, in its order
  std::vector<std::string> targets;   ///< what the functions were compiled for: "cpu", "parallel", "engine", "cuda"
  std::vector<widening> widenings;    ///< in the order of file, line, column
  std::vector<std::string> not_seen;  ///< functions that are called but have their bodies elsewhere
  bool complete =
      false;           ///< every function and all it calls were seen: only then does "no widening" mean there is none
  std::string reason;  ///< why it isn't complete; empty if it is
  double seconds = 0;  ///< what the inspection took, nearly all of it in the compiler
};

/// For people: the signatures, then each function's source with the widenings marked below their lines.
std::string to_text(const type_report& report);

namespace inspecting {

struct function_to_find {
  specialisation signature;
  std::string name;             ///< "physics::gaussian"
  const char* type;             ///< typeid name of the function pointer: tells overloads apart
  void (*address)() = nullptr;  ///< taken, so that the compiler emits the body even of a template that nobody calls
};

template <auto F>
function_to_find describe() {
  specialisation s;
  s.text = detail::signature<F>::text();
  s.result = detail::dtype_name<typename detail::signature<F>::result>();
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (s.arguments.push_back(detail::dtype_name<typename detail::signature<F>::template argument<K>>()), ...);
  }(std::make_index_sequence<detail::signature<F>::arity>{});
  return {std::move(s), std::string(detail::function_name<F>()), typeid(decltype(F)).name(),
          reinterpret_cast<void (*)()>(F)};
}

#if defined(__CUDACC__)
inline constexpr bool for_cuda = true;
#else
inline constexpr bool for_cuda = false;
#endif

type_report inspect(const std::vector<function_to_find>& functions, const std::string& source, bool compiled_for_cuda);

/// The same with another build folder than the one this library was built in.
type_report inspect_in(const std::string& build_folder, const std::vector<function_to_find>& functions,
                       const std::string& source, bool compiled_for_cuda);

}  // namespace inspecting

/// Inspects the functions F..., whose bodies must be in the calling source file or in a header that it includes.
/// Runs g++ once on that file with the flags it was built with, which takes about as long as an unoptimised build of it
/// (1 to 4 seconds for a lesson). Never throws for want of a compiler, a build folder or a body: `complete` is false
/// then, and `reason` says what was missing.
template <auto... F>
requires(sizeof...(F) > 0 && (detail::free_function<F> && ...))
type_report inspect_types(const std::source_location& where = std::source_location::current()) {
  return inspecting::inspect({inspecting::describe<F>()...}, where.file_name(), inspecting::for_cuda);
}

/// The same for all functions of a ufunc: `inspect_types(gaussian_pdf)`.
template <template <auto...> class Ufunc, auto... F>
requires(sizeof...(F) > 0 && (detail::free_function<F> && ...))
type_report inspect_types(const Ufunc<F...>&, const std::source_location& where = std::source_location::current()) {
  return inspect_types<F...>(where);
}

}  // namespace gs::inline GS_FLAVOUR
