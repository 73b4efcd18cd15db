// header_templates: a plugin for g++ that stores in a precompiled header the templates that are instantiated in it, so
// that the files which include it needn't instantiate them again; see compiler/README.md.

// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "cp/cp-tree.h"
#include "c-family/c-pragma.h"
#include "diagnostic-core.h"
// clang-format on

int plugin_is_GPL_compatible;

namespace {

void instantiate(cpp_reader* /*source*/) { instantiate_pending_templates(0); }

void make_pragma_known(void* /*event*/, void* /*data*/) {
  c_register_pragma("gridstride", "instantiate_templates", instantiate);
}

}  // namespace

int plugin_init(plugin_name_args* info, plugin_gcc_version* version) {
  if (plugin_default_version_check(version, &gcc_version))
    register_callback(info->base_name, PLUGIN_PRAGMAS, make_pragma_known, nullptr);
  else
    inform(UNKNOWN_LOCATION,
           "%s was built for another compiler: what begins with this header takes longer to compile until its folder "
           "is removed and the build configured again",
           info->full_name);
  return 0;
}
