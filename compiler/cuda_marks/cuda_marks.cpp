// cuda_marks: a plugin for g++ that knows which thread of a CUDA kernel runs: see README.md.

#include "compiler/cuda_marks/replace_marks.h"

int plugin_is_GPL_compatible;

namespace cuda_marks {
namespace {

constexpr pass_data described = {GIMPLE_PASS, "cuda_marks", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class marks_pass final : public gimple_opt_pass {
 public:
  explicit marks_pass(gcc::context* c) : gimple_opt_pass(described, c) {}
  unsigned execute(function* f) override { return replace_cuda_marks(f) ? TODO_update_ssa | TODO_cleanup_cfg : 0; }
};

}  // namespace
}  // namespace cuda_marks

int plugin_init(plugin_name_args* info, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    inform(
        UNKNOWN_LOCATION,
        "%s was built for another g++: CUDA kernels will be slow until its folder is removed and the build configured "
        "again",
        info->full_name);
    return 0;
  }
  // What g++ inlines has been inlined. The plugin that splits kernels inserts its passes behind that one.
  register_pass_info placement{new cuda_marks::marks_pass(g), "retslot", 1, PASS_POS_INSERT_BEFORE};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &placement);
  return 0;
}
