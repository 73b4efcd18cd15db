#pragma once
// unmarked_functions: what nvcc would refuse and g++ doesn't mind, a function that runs on the device without GS_FN.

#include "compiler/device_marks/declarations.h"

namespace device_marks {

/// What is known about a source file before g++ builds its call graph.
struct known_declarations {
  run_on_device run = {};                        ///< as named by variables at namespace scope: gs::vectorize<f>
  std::map<unsigned, lambda_name> lambdas = {};  ///< by their types' numbers
};

/// An error at each function that runs on the device, is written in the program and isn't marked, in the order of the
/// file; and a note with its caller. Functions run on the device if they are marked; if they are kernels, known by
/// their first parameter; what gs::launch, gs::vectorize and the like name; and what any of these call. Calls are
/// looked up in the compiler's graph, before it inlines anything.
void report_unmarked_functions(const known_declarations& known);

}  // namespace device_marks
