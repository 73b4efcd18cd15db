#pragma once
// unmarked_functions: what nvcc would refuse and g++ doesn't see, a function that runs on the device without GS_FN.

#include <string>
#include <vector>

namespace exercises {

struct unmarked_function {
  std::string name;
  unsigned line = 0, column = 0;  ///< where the name stands in its definition, both from 1
  std::string caller;             ///< the function that calls it on the device; empty: it is launched itself
  unsigned called_at = 0;         ///< line of the call; 0: it is launched itself
  bool is_lambda = false;         ///< outside of any function: nvcc takes no mark for it
};

/// The functions defined in `source` that run on the device and are marked neither GS_FN nor constexpr, in the order of
/// the file. On the device run functions that are marked; kernels, known by their first parameter, gs::thread or
/// gs::block; what gs::launch, gs::vectorize and the like name, also in `users` of the file; and what any of these
/// call, by name or without (implied_calls.h). Lambdas are among them that aren't in a function.
///
/// `source` compiles. It is read by its tokens alone, so what needs types to be understood is left out: members and
/// operators of an object whose type isn't written where it is declared; and a name that one of its overloads has
/// marked counts as marked.
std::vector<unmarked_function> unmarked_functions(const std::string& source,
                                                  const std::vector<std::string>& users = {});

}  // namespace exercises
