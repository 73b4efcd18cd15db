#pragma once
// declarations: what a function of a program is, and how it is called.

#include "compiler/device_marks/gcc_trees.h"

namespace device_marks {

/// The attribute that GS_FN stands for.
inline constexpr const char* mark = "gridstride_device";

/// A variable that holds a lambda, as messages name it.
struct lambda_name {
  std::string name;
  location_t place;
};

bool is_marked(tree function);
/// Of the runtime: in namespace gs.
bool is_of_runtime(tree declaration);
/// Whether somebody wrote it who could mark it: not a library's, nor the runtime's, nor one that g++ makes by itself or
/// that stands within another function, whose mark holds for it.
bool is_written_by_user(tree function);
/// A lambda that stands outside of any function.
bool is_lambda_of_namespace(tree function);
/// Whether nvcc takes it without a mark.
bool needs_no_mark(tree function);
/// Its first parameter is gs::thread or gs::block<...>.
bool is_kernel(tree function);
/// The function that it stands in, if any; else itself.
tree outermost(tree function);
/// "f", "operator+", "~point", without the arguments of templates.
std::string title(tree function);
/// The functions that are arguments of this template of the runtime's, if it runs them on the device: gs::launch<f>,
/// and members of what gs::vectorize<f> is.
std::vector<tree> functions_run_by(tree declaration);
/// The same of a variable's type.
std::vector<tree> functions_run_by_type(tree type);

}  // namespace device_marks
