#pragma once
// unmarked_functions: what nvcc would refuse and g++ doesn't mind, a function that runs on the device without GS_FN.

#include "compiler/device_marks/declarations.h"

namespace device_marks {

/// What is known of a source file before g++ looks for calls.
struct known_declarations {
  std::vector<tree> run_on_device = {};          ///< what variables at namespace scope name: gs::vectorize<f>
  std::map<unsigned, lambda_name> lambdas = {};  ///< by their types' numbers
};

/// An error at each function that runs on the device, is written in the program and isn't marked, in the order of the
/// file; and a note of who calls it. On the device run functions that are marked; kernels, known by their first
/// parameter; what gs::launch, gs::vectorize and the like name; and what any of these call. Calls are looked up
/// in the compiler's graph, before it inlines anything.
void report_unmarked_functions(const known_declarations& known);

}  // namespace device_marks
