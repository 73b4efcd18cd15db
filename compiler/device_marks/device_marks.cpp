// device_marks: a plugin for g++, for which GS_FN is an attribute. It refuses functions that run on the device without
// it, as nvcc does; see compiler/README.md.

#include "compiler/device_marks/unmarked_functions.h"

int plugin_is_GPL_compatible;

namespace device_marks {
namespace {

known_declarations known;

tree accept(tree* /*declaration*/, tree /*name*/, tree /*arguments*/, int /*flags*/, bool* /*is_ignored*/) {
  return NULL_TREE;
}

const attribute_spec attribute = {mark, 0, 0, true, false, false, false, accept, nullptr};

void make_attribute_known(void* /*event*/, void* /*data*/) { register_attribute(&attribute); }

void look_at_variable(void* event, void* /*data*/) {
  const auto variable = static_cast<tree>(event);
  if (!VAR_P(variable) || !DECL_NAMESPACE_SCOPE_P(variable) || !CLASS_TYPE_P(TREE_TYPE(variable))) return;
  const tree type = TYPE_MAIN_VARIANT(TREE_TYPE(variable));
  if (LAMBDA_TYPE_P(type))
    known.lambdas[TYPE_UID(type)] = {IDENTIFIER_POINTER(DECL_NAME(variable)), DECL_SOURCE_LOCATION(variable)};
  if (is_of_runtime(variable)) return;
  for (tree f : functions_run_by_type(type)) known.run_on_device.push_back(f);
}

void look_at_calls(void* /*event*/, void* /*data*/) { report_unmarked_functions(known); }

}  // namespace
}  // namespace device_marks

int plugin_init(plugin_name_args* info, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    inform(UNKNOWN_LOCATION,
           "%s was built for another compiler: it does not look for functions without %<GS_FN%> until its folder is "
           "removed "
           "and the build configured again",
           info->full_name);
    return 0;
  }
  register_callback(info->base_name, PLUGIN_ATTRIBUTES, device_marks::make_attribute_known, nullptr);
  register_callback(info->base_name, PLUGIN_FINISH_DECL, device_marks::look_at_variable, nullptr);
  register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_START, device_marks::look_at_calls, nullptr);
  return 0;
}
