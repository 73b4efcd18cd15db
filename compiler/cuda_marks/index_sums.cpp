#include "compiler/cuda_marks/index_sums.h"

namespace cuda_marks {
namespace {

constexpr unsigned most_depth = 8;  // of an expression
constexpr int small = 1 << 20;      // the largest constant in a sum that surely doesn't wrap

bool is_word(tree type) { return INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 32; }

class index_sums {
 public:
  index_sums(function* f, gimple* begin) : f_(f) {
    for (unsigned k = 4; k < gimple_call_num_args(begin); ++k) numbers_.push_back(stripped(gimple_call_arg(begin, k)));
  }

  void run() {
    basic_block bb;
    FOR_EACH_BB_FN (bb, f_)
      for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) look_at(at);
  }

 private:
  // Without copies, and conversions that keep all bits.
  static tree stripped(tree value) {
    while (gimple* const s = definition(value)) {
      const bool copies = gimple_assign_ssa_name_copy_p(s) || CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s));
      if (!copies || TREE_CODE(gimple_assign_rhs1(s)) != SSA_NAME || !is_word(TREE_TYPE(gimple_assign_rhs1(s)))) break;
      if (!is_word(TREE_TYPE(value))) break;
      value = gimple_assign_rhs1(s);
    }
    return value;
  }
  static gimple* definition(tree value) {
    if (TREE_CODE(value) != SSA_NAME) return nullptr;
    gimple* const s = SSA_NAME_DEF_STMT(value);
    return is_gimple_assign(s) ? s : nullptr;
  }
  static gimple* defined_by(tree value, tree_code code) {
    gimple* const s = definition(value);
    return s && gimple_assign_rhs_code(s) == code ? s : nullptr;
  }

  bool is_number(tree value) const { return std::find(numbers_.begin(), numbers_.end(), value) != numbers_.end(); }

  // Whether one of the thread's numbers is a part of the sum or the product.
  bool mentions_number(tree value, unsigned depth = 0) const {
    value = stripped(value);
    if (is_number(value)) return true;
    gimple* s = defined_by(value, PLUS_EXPR);
    if (!s) s = defined_by(value, MULT_EXPR);
    return s && depth < most_depth &&
           (mentions_number(gimple_assign_rhs1(s), depth + 1) || mentions_number(gimple_assign_rhs2(s), depth + 1));
  }

  // Whether a launch's limits keep it far from the ends of its type: numbers of the thread, small constants, sums and
  // products of these. A negative constant is a large unsigned one.
  bool is_small(tree value, bool may_be_negative, unsigned depth = 0) const {
    value = stripped(value);
    if (is_number(value)) return true;
    if (TREE_CODE(value) == INTEGER_CST) {
      const auto as_int = static_cast<int>(TREE_INT_CST_LOW(value));
      return as_int <= small && as_int >= (may_be_negative ? -small : 0);
    }
    gimple* s = defined_by(value, PLUS_EXPR);
    if (!s) s = defined_by(value, MULT_EXPR);
    return s && depth < most_depth && is_small(gimple_assign_rhs1(s), may_be_negative, depth + 1) &&
           is_small(gimple_assign_rhs2(s), may_be_negative, depth + 1);
  }

  void look_at(gimple_stmt_iterator& at) {
    gimple* const s = gsi_stmt(at);
    if (!is_gimple_assign(s) || !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s))) return;
    const tree sum = gimple_assign_rhs1(s), type = TREE_TYPE(gimple_assign_lhs(s));
    if (!INTEGRAL_TYPE_P(type) || !is_word(TREE_TYPE(sum)) || !TYPE_UNSIGNED(TREE_TYPE(sum))) return;
    const bool to_int = TYPE_PRECISION(type) == 32 && !TYPE_UNSIGNED(type);
    const bool is_wider = TYPE_PRECISION(type) == 64;
    gimple* const addition = defined_by(stripped(sum), PLUS_EXPR);
    if (!addition || !mentions_number(sum) || !(to_int || is_wider) || !is_small(sum, to_int)) return;
    const tree left = converted(at, type, gimple_assign_rhs1(addition));
    const tree right = converted(at, type, gimple_assign_rhs2(addition));
    gimple_assign_set_rhs_with_ops(&at, PLUS_EXPR, left, right);
    update_stmt(gsi_stmt(at));
  }

  tree converted(gimple_stmt_iterator& at, tree type, tree value, unsigned depth = 0) {
    if (TREE_CODE(value) == INTEGER_CST) return fold_convert(type, value);
    gimple* const addition = defined_by(stripped(value), PLUS_EXPR);
    if (addition && depth < most_depth && mentions_number(value))
      return inserted(at, type, PLUS_EXPR, converted(at, type, gimple_assign_rhs1(addition), depth + 1),
                      converted(at, type, gimple_assign_rhs2(addition), depth + 1));
    return inserted(at, type, NOP_EXPR, value, NULL_TREE);
  }
  static tree inserted(gimple_stmt_iterator& at, tree type, tree_code code, tree left, tree right) {
    const tree result = make_ssa_name(type);
    gimple* const s = right ? gimple_build_assign(result, code, left, right) : gimple_build_assign(result, code, left);
    gsi_insert_before(&at, s, GSI_SAME_STMT);
    return result;
  }

  function* f_;
  std::vector<tree> numbers_;
};

}  // namespace

void convert_before_adding(function* f, gimple* begin) { index_sums(f, begin).run(); }

}  // namespace cuda_marks
