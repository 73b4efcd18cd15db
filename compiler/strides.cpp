#include "compiler/strides.h"

namespace splitter {
namespace {

using kind = stride::kind;
constexpr stride irregular{kind::irregular, 0};

stride sum(stride a, stride b, HOST_WIDE_INT sign) {
  if (a.is == kind::irregular || b.is == kind::irregular) return irregular;
  if (a.is == kind::unknown || b.is == kind::unknown) return {kind::unknown, 0};
  return {kind::constant, a.by + sign * b.by};
}

stride scaled(stride a, tree factor) {
  if (a.none() || a.is == kind::irregular) return a;
  if (a.is == kind::unknown || !tree_fits_shwi_p(factor)) return {kind::unknown, 0};
  return {kind::constant, a.by * tree_to_shwi(factor)};
}

}  // namespace

stride strides::of(tree value) const {
  if (value == x_) return {kind::constant, 1};
  if (TREE_CODE(value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(value)) return {};
  gimple* const s = SSA_NAME_DEF_STMT(value);
  if (!x_ && !flow_bb_inside_loop_p(loop_, gimple_bb(s))) return {};
  const bool is_new = known_.insert({value, irregular}).second;  // until it is known: of what depends on itself
  if (is_new) known_[value] = gimple_code(s) == GIMPLE_PHI ? of_phi(as_a<gphi*>(s)) : computed(s);
  return known_[value];
}

// A number that the loop counts differs from round to round by its step, and between threads as they begin with it.
stride strides::of_phi(gphi* phi) const {
  if (gimple_bb(phi) != loop_->header)
    return x_ && !flow_bb_inside_loop_p(loop_, gimple_bb(phi)) ? stride{} : irregular;
  const tree number = gimple_phi_result(phi);
  tree first = NULL_TREE, next = NULL_TREE;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
    (flow_bb_inside_loop_p(loop_, gimple_phi_arg_edge(phi, i)->src) ? next : first) = gimple_phi_arg_def(phi, i);
  if (!first || !next || TREE_CODE(next) != SSA_NAME || !is_gimple_assign(SSA_NAME_DEF_STMT(next))) return irregular;
  gimple* const s = SSA_NAME_DEF_STMT(next);
  const tree_code code = gimple_assign_rhs_code(s);
  if ((code != PLUS_EXPR && code != POINTER_PLUS_EXPR) || gimple_assign_rhs1(s) != number) return irregular;
  const tree step = gimple_assign_rhs2(s);
  if (x_) return of(step).none() ? of(first) : irregular;
  if (!of(step).none()) return irregular;
  return tree_fits_shwi_p(step) ? stride{kind::constant, tree_to_shwi(step)} : stride{kind::unknown, 0};
}

// What wraps around is taken for what doesn't: this decides on speed alone.
stride strides::computed(gimple* s) const {
  if (gimple_assign_load_p(s)) return of_access(gimple_assign_rhs1(s)).none() ? stride{} : irregular;
  if (is_gimple_assign(s)) {
    const tree a = gimple_assign_rhs1(s), b = gimple_assign_rhs2(s);
    switch (gimple_assign_rhs_code(s)) {
      case SSA_NAME:
      case NOP_EXPR:
        return of(a);
      case PLUS_EXPR:
      case POINTER_PLUS_EXPR:
        return sum(of(a), of(b), 1);
      case MINUS_EXPR:
        return sum(of(a), of(b), -1);
      case MULT_EXPR:
        if (of(b).none()) return scaled(of(a), b);
        if (of(a).none()) return scaled(of(b), a);
        return irregular;
      default:
        break;
    }
  }
  tree operand;
  ssa_op_iter i;
  FOR_EACH_SSA_TREE_OPERAND (operand, s, i, SSA_OP_USE)
    if (!of(operand).none()) return irregular;
  return is_gimple_assign(s) ? stride{} : irregular;
}

stride strides::of_access(tree reference) const {
  stride all;
  for (tree r = reference;; r = TREE_OPERAND(r, 0)) switch (TREE_CODE(r)) {
      case ARRAY_REF:
        all = sum(all, scaled(of(TREE_OPERAND(r, 1)), TYPE_SIZE_UNIT(TREE_TYPE(r))), 1);
        break;
      case COMPONENT_REF:
      case REALPART_EXPR:
      case IMAGPART_EXPR:
      case VIEW_CONVERT_EXPR:
        break;
      case MEM_REF:
        return sum(all, of(TREE_OPERAND(r, 0)), 1);
      default:
        return DECL_P(r) ? all : irregular;
    }
}

}  // namespace splitter
