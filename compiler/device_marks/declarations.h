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
/// Whether it belongs to the runtime: it is in namespace gs.
bool is_of_runtime(tree declaration);
/// Whether its author could have marked it: it isn't from a library or the runtime, g++ hasn't generated it, and it
/// isn't inside another function, whose mark holds for it.
bool is_written_by_user(tree function);
/// Whether it is a lambda outside of any function.
bool is_lambda_of_namespace(tree function);
/// Whether nvcc accepts it without a mark.
bool needs_no_mark(tree function);
/// Its first parameter is gs::thread or gs::block<...>.
bool is_kernel(tree function);
/// The function that encloses it, if any; else the function itself.
tree outermost(tree function);
/// "f", "operator+", "~point", without the arguments of templates.
std::string title(tree function);
/// What a template of the runtime runs on the device: functions, and the types of function objects.
using run_on_device = std::set<tree>;
/// The arguments of this template, if it is one of those: gs::launch<f>, and members of what gs::vectorize<f> is.
void add_run_by(tree declaration, run_on_device& run);
/// The same for a variable's type.
void add_run_by_type(tree type, run_on_device& run);
/// Whether it is one of these functions, or the call of one of these objects.
bool is_among(tree function, const run_on_device& run);

}  // namespace device_marks
