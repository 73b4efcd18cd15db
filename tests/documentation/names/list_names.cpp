// list_names: a plugin for g++ that writes what is declared directly in namespace gs, a line each: "sum file:line", and
// of the namespaces in it "instruments:: file:line".

// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "cp/cp-tree.h"
#include "cp/name-lookup.h"
#include "diagnostic-core.h"
#include "stringpool.h"
// clang-format on

int plugin_is_GPL_compatible;

namespace {

bool is_namespace(tree declaration) { return TREE_CODE(declaration) == NAMESPACE_DECL; }

// Programs don't write the name of an operator, or of a deduction guide.
bool is_word(tree name) { return name && !IDENTIFIER_ANY_OP_P(name) && !dguide_name_p(name); }

void list_names(tree scope) {
  for (tree entry : *DECL_NAMESPACE_BINDINGS(scope)) {
    const tree meaning = get_namespace_binding(scope, OVL_NAME(entry));
    if (!meaning) continue;
    const tree declaration = OVL_FIRST(meaning);
    if (is_namespace(declaration) && DECL_NAMESPACE_INLINE_P(declaration)) {
      list_names(declaration);
    } else if (is_word(DECL_NAME(declaration))) {
      const expanded_location place = expand_location(DECL_SOURCE_LOCATION(declaration));
      printf("%s%s %s:%d\n", IDENTIFIER_POINTER(DECL_NAME(declaration)), is_namespace(declaration) ? "::" : "",
             place.file, place.line);
    }
  }
}

void list_names_of_runtime(void* /*event*/, void* /*data*/) {
  const tree runtime = get_namespace_binding(global_namespace, get_identifier("gs"));
  if (runtime && is_namespace(runtime)) list_names(runtime);
}

}  // namespace

int plugin_init(plugin_name_args* info, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    error("%s was built for another compiler", info->full_name);
    return 1;
  }
  register_callback(info->base_name, PLUGIN_FINISH, list_names_of_runtime, nullptr);
  return 0;
}
