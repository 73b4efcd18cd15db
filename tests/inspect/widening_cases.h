#pragma once
// The functions of widening_cases.cpp, inspected.

#include <string>

#include "runtime/inspect/inspect.h"

namespace cases {

/// Functions that each widen somewhere, or seem to.
gs::type_report inspect_all();
/// Functions that never do.
gs::type_report inspect_clean();
/// A function with its body in another file: declared, called, not seen.
gs::type_report inspect_elsewhere();
/// A function in this file that calls one in another file, and one that calls through a pointer.
gs::type_report inspect_calls_elsewhere();
/// Functions of widening_on_gpu.cpp: by name, and as a ufunc with two signatures.
gs::type_report inspect_on_gpu();
gs::type_report inspect_ufunc();
/// The path of widening_cases.cpp.
std::string source_file();

}  // namespace cases
