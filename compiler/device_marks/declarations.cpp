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

// The name of the outermost namespace; empty outside of any.
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

void add_arguments(tree arguments, run_on_device& run) {
  if (!arguments || TREE_CODE(arguments) != TREE_VEC) return;
  for (int k = 0; k < TREE_VEC_LENGTH(arguments); ++k) {
    tree argument = TREE_VEC_ELT(arguments, k);
    if (!argument) continue;
    if (TREE_CODE(argument) == TREE_VEC) {
      add_arguments(argument, run);
    } else if (ARGUMENT_PACK_P(argument)) {
      add_arguments(ARGUMENT_PACK_ARGS(argument), run);
    } else if (!TYPE_P(argument) && TREE_TYPE(argument) && CLASS_TYPE_P(TREE_TYPE(argument))) {
      run.insert(TYPE_MAIN_VARIANT(TREE_TYPE(argument)));
    } else if (EXPR_P(argument)) {
      STRIP_NOPS(argument);
      if (TREE_CODE(argument) == ADDR_EXPR && TREE_CODE(TREE_OPERAND(argument, 0)) == FUNCTION_DECL)
        run.insert(TREE_OPERAND(argument, 0));
    }
  }
}

bool is_call_of_object(tree function) {
  return DECL_CLASS_SCOPE_P(function) && DECL_NAME(function) == ovl_op_identifier(CALL_EXPR);
}

bool is_body_of_lambda(tree function) { return is_call_of_object(function) && LAMBDA_TYPE_P(DECL_CONTEXT(function)); }

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
  const tree name = DECL_NAME(function);
  if (IDENTIFIER_CDTOR_P(name))
    return (IDENTIFIER_DTOR_P(name) ? "~" : "") + name_of(TYPE_NAME(DECL_CONTEXT(function)));
  return IDENTIFIER_CONV_OP_P(name) ? lang_hooks.decl_printable_name(function, 0) : name_of(function);
}

void add_run_by(tree declaration, run_on_device& run) {
  if (!is_of_runtime(declaration)) return;
  if (DECL_CLASS_SCOPE_P(declaration)) return add_run_by_type(DECL_CONTEXT(declaration), run);
  const std::string name = name_of(declaration);
  if ((name == "launch" || name == "cooperative_limit") && DECL_LANG_SPECIFIC(declaration) &&
      DECL_TEMPLATE_INFO(declaration))
    add_arguments(DECL_TI_ARGS(declaration), run);
}

void add_run_by_type(tree type, run_on_device& run) {
  if (is_named_of_runtime(type, {"ufunc", "gufunc"}) && CLASSTYPE_TEMPLATE_INFO(type))
    add_arguments(CLASSTYPE_TI_ARGS(type), run);
}

bool is_among(tree function, const run_on_device& run) {
  return run.count(function) || (is_call_of_object(function) && run.count(TYPE_MAIN_VARIANT(DECL_CONTEXT(function))));
}

}  // namespace device_marks
