#include "compiler/device_marks/declarations.h"

namespace device_marks {
namespace {

std::string name_of(tree declaration) {
  const tree name = declaration && DECL_P(declaration) ? DECL_NAME(declaration) : NULL_TREE;
  return name && TREE_CODE(name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER(name) : "";
}

tree scope_of(tree declaration_or_type) {
  return TYPE_P(declaration_or_type) ? TYPE_CONTEXT(declaration_or_type) : DECL_CONTEXT(declaration_or_type);
}

// The outermost namespace, by its name; empty in none.
std::string outermost_namespace(tree scope) {
  std::string name;
  for (; scope && TREE_CODE(scope) != TRANSLATION_UNIT_DECL; scope = scope_of(scope))
    if (TREE_CODE(scope) == NAMESPACE_DECL && scope != global_namespace) name = name_of(scope);
  return name;
}

bool is_named_of_runtime(tree type, std::initializer_list<const char*> names) {
  if (!CLASS_TYPE_P(type) || outermost_namespace(TYPE_CONTEXT(type)) != "gs") return false;
  const std::string name = name_of(TYPE_NAME(TYPE_MAIN_VARIANT(type)));
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add_functions(tree arguments, std::vector<tree>& found) {
  if (!arguments || TREE_CODE(arguments) != TREE_VEC) return;
  for (int k = 0; k < TREE_VEC_LENGTH(arguments); ++k) {
    tree one = TREE_VEC_ELT(arguments, k);
    if (!one) continue;
    if (TREE_CODE(one) == TREE_VEC) {
      add_functions(one, found);
    } else if (ARGUMENT_PACK_P(one)) {
      add_functions(ARGUMENT_PACK_ARGS(one), found);
    } else if (EXPR_P(one)) {
      STRIP_NOPS(one);
      if (TREE_CODE(one) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(one, 0)) == FUNCTION_DECL)
        found.push_back(TREE_OPERAND(one, 0));
    }
  }
}

bool is_body_of_lambda(tree function) {
  return DECL_CLASS_SCOPE_P(function) && LAMBDA_TYPE_P(DECL_CONTEXT(function)) &&
         DECL_NAME(function) == ovl_op_identifier(CALL_EXPR);
}

}  // namespace

bool is_marked(tree function) { return lookup_attribute(mark, DECL_ATTRIBUTES(function)); }

bool is_of_runtime(tree declaration) { return outermost_namespace(declaration) == "gs"; }

bool is_written_by_user(tree function) {
  return (!DECL_ARTIFICIAL(function) || is_body_of_lambda(function)) && !decl_function_context(function) &&
         !in_system_header_at(DECL_SOURCE_LOCATION(function)) && DECL_SOURCE_LOCATION(function) > BUILTINS_LOCATION &&
         DECL_LANG_SPECIFIC(function) && !DECL_DEFAULTED_FN(function) && !is_of_runtime(function);
}

bool is_lambda_of_namespace(tree function) {
  return is_body_of_lambda(function) && TYPE_NAMESPACE_SCOPE_P(DECL_CONTEXT(function));
}

bool needs_no_mark(tree function) {
  if (is_body_of_lambda(function)) return !is_lambda_of_namespace(function);
  return is_marked(function) || DECL_DECLARED_CONSTEXPR_P(function);
}

bool is_kernel(tree function) {
  if (TREE_CODE(TREE_TYPE(function)) == METHOD_TYPE) return false;
  const tree parameters = TYPE_ARG_TYPES(TREE_TYPE(function));
  return parameters && is_named_of_runtime(TREE_VALUE(parameters), {"thread", "block"});
}

tree outermost(tree function) {
  while (const tree around = decl_function_context(function)) function = around;
  return function;
}

std::string title(tree function) {
  if (DECL_TEMPLATE_INFO(function) && PRIMARY_TEMPLATE_P(DECL_TI_TEMPLATE(function)) &&
      !IDENTIFIER_ANY_OP_P(DECL_NAME(function)) && !IDENTIFIER_CDTOR_P(DECL_NAME(function)))
    return name_of(function);
  return lang_hooks.decl_printable_name(function, 0);
}

std::vector<tree> functions_run_by(tree declaration) {
  std::vector<tree> found;
  if (!is_of_runtime(declaration)) return found;
  if (DECL_CLASS_SCOPE_P(declaration)) return functions_run_by_type(DECL_CONTEXT(declaration));
  const std::string name = name_of(declaration);
  if ((name == "launch" || name == "cooperative_limit") && DECL_LANG_SPECIFIC(declaration) &&
      DECL_TEMPLATE_INFO(declaration))
    add_functions(DECL_TI_ARGS(declaration), found);
  return found;
}

std::vector<tree> functions_run_by_type(tree type) {
  std::vector<tree> found;
  if (is_named_of_runtime(type, {"ufunc", "gufunc"}) && CLASSTYPE_TEMPLATE_INFO(type))
    add_functions(CLASSTYPE_TI_ARGS(type), found);
  return found;
}

}  // namespace device_marks
