#include "compiler/cuda_marks/index_sums.h"

namespace cuda_marks {
namespace {

constexpr unsigned most_depth = 8;   // of an expression
constexpr int small = 1 << 20;       // the largest constant in a sum that surely doesn't wrap
constexpr unsigned coordinates = 3;  // of the thread in its block, the first numbers of its beginning
constexpr int most_threads = 1024;   // of a block: a coordinate is less

bool is_word(tree type) { return INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 32; }
bool is_signed(tree value) { return !TYPE_UNSIGNED(TREE_TYPE(value)); }

// A part of a sum, or of a difference.
struct term {
  tree value;
  bool is_subtracted, is_coordinate;
};

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
  static gimple* sum_or_difference(tree value) {
    gimple* const s = defined_by(value, PLUS_EXPR);
    return s ? s : defined_by(value, MINUS_EXPR);
  }

  bool is_number(tree value) const { return std::find(numbers_.begin(), numbers_.end(), value) != numbers_.end(); }
  bool is_coordinate(tree value) const {
    const auto end = numbers_.begin() + coordinates;
    return std::find(numbers_.begin(), end, value) != end;
  }

  // Whether one of the thread's numbers is a part of the sum or the product.
  bool mentions_number(tree value, unsigned depth = 0) const {
    value = stripped(value);
    if (is_number(value)) return true;
    gimple* s = defined_by(value, PLUS_EXPR);
    if (!s) s = defined_by(value, MULT_EXPR);
    return s && depth < most_depth &&
           (mentions_number(gimple_assign_rhs1(s), depth + 1) || mentions_number(gimple_assign_rhs2(s), depth + 1));
  }

  // Whether a coordinate of the thread is added or subtracted somewhere in the sum.
  bool adds_coordinate(tree value, unsigned depth = 0) const {
    value = stripped(value);
    if (is_coordinate(value)) return true;
    gimple* const s = sum_or_difference(value);
    return s && depth < most_depth &&
           (adds_coordinate(gimple_assign_rhs1(s), depth + 1) || adds_coordinate(gimple_assign_rhs2(s), depth + 1));
  }

  // Whether a launch's limits keep it far from the ends of its type: numbers of the thread, small constants, sums and
  // products of these; a factor isn't larger than a block. A negative constant is a large unsigned one.
  bool is_small(tree value, bool may_be_negative, int most = small, unsigned depth = 0) const {
    value = stripped(value);
    if (is_number(value)) return true;
    if (TREE_CODE(value) == INTEGER_CST) {
      const auto as_int = static_cast<int>(TREE_INT_CST_LOW(value));
      return as_int <= most && as_int >= (may_be_negative ? -most : 0);
    }
    gimple* s = defined_by(value, PLUS_EXPR);
    if (!s) {
      s = defined_by(value, MULT_EXPR);
      most = most_threads;
    }
    return s && depth < most_depth && is_small(gimple_assign_rhs1(s), may_be_negative, most, depth + 1) &&
           is_small(gimple_assign_rhs2(s), may_be_negative, most, depth + 1);
  }

  // Whether the value is added to pointers in the end, maybe as a part of a sum that is multiplied by an element's
  // size, and nothing else is done with it: no comparison sees whether it is above 2^31 or below zero.
  static bool is_offset(tree value, unsigned depth = 0) {
    use_operand_p use;
    imm_use_iterator uses;
    FOR_EACH_IMM_USE_FAST (use, uses, value) {
      gimple* const s = USE_STMT(use);
      if (is_gimple_debug(s)) continue;
      if (!is_gimple_assign(s)) return false;
      const tree_code code = gimple_assign_rhs_code(s);
      if (code == POINTER_PLUS_EXPR) continue;
      const bool computes = code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR || code == LSHIFT_EXPR;
      if (!computes || depth == most_depth || !is_offset(gimple_assign_lhs(s), depth + 1)) return false;
    }
    return true;
  }

  void look_at(gimple_stmt_iterator& at) {
    gimple* const s = gsi_stmt(at);
    if (!is_gimple_assign(s) || !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s))) return;
    const tree sum = gimple_assign_rhs1(s), result = gimple_assign_lhs(s), type = TREE_TYPE(result);
    if (TREE_CODE(sum) != SSA_NAME || !INTEGRAL_TYPE_P(type) || !is_word(TREE_TYPE(sum))) return;
    const bool to_int = TYPE_PRECISION(type) == 32 && !TYPE_UNSIGNED(type) && !is_signed(sum);
    const bool is_wider = TYPE_PRECISION(type) == 64;
    gimple* const addition = defined_by(stripped(sum), PLUS_EXPR);
    tree left, right;
    tree_code code = PLUS_EXPR;
    if (addition && !is_signed(sum) && (to_int || is_wider) && mentions_number(sum) && is_small(sum, to_int)) {
      left = converted(at, type, gimple_assign_rhs1(addition));
      right = converted(at, type, gimple_assign_rhs2(addition));
    } else if (is_wider && sum_or_difference(stripped(sum)) && adds_coordinate(sum) && is_offset(result)) {
      left = widened(at, type, sum);
      right = NULL_TREE;
      code = NOP_EXPR;
    } else {
      return;
    }
    gimple_assign_set_rhs_with_ops(&at, code, left, right);
    update_stmt(gsi_stmt(at));
  }

  static tree constant(tree type, tree value) { return wide_int_to_tree(type, wi::to_widest(value)); }

  // A small sum as the sum of its converted parts. The ints among them are unsigned numbers on the way to 64 bits.
  tree converted(gimple_stmt_iterator& at, tree type, tree value, unsigned depth = 0) {
    if (TREE_CODE(value) == INTEGER_CST) return constant(type, value);
    gimple* const addition = defined_by(stripped(value), PLUS_EXPR);
    if (addition && depth < most_depth && mentions_number(value))
      return inserted(at, type, PLUS_EXPR, converted(at, type, gimple_assign_rhs1(addition), depth + 1),
                      converted(at, type, gimple_assign_rhs2(addition), depth + 1));
    if (TYPE_PRECISION(type) == 64 && is_signed(value)) value = as_unsigned(at, value);
    return inserted(at, type, NOP_EXPR, value, NULL_TREE);
  }

  // The value in 64 bits. A sum of ints doesn't overflow, so its parts may be widened one by one. One of unsigned
  // numbers may: the thread's coordinates are taken out of it. As an offset it isn't negative, so that what is left
  // lies below 0 by no more than they make.
  tree widened(gimple_stmt_iterator& at, tree type, tree value, unsigned depth = 0) {
    if (TREE_CODE(value) == INTEGER_CST) return constant(type, value);
    const tree known = stripped(value);
    gimple* const whole = sum_or_difference(known);
    if (!whole || depth == most_depth || !adds_coordinate(known)) return inserted(at, type, NOP_EXPR, value, NULL_TREE);
    if (is_signed(value) && TYPE_OVERFLOW_UNDEFINED(TREE_TYPE(known)))
      return inserted(at, type, gimple_assign_rhs_code(whole), widened(at, type, gimple_assign_rhs1(whole), depth + 1),
                      widened(at, type, gimple_assign_rhs2(whole), depth + 1));
    std::vector<term> terms;
    collect(known, false, terms);
    tree sum = NULL_TREE, rest = NULL_TREE;
    int reach = 0;  // of the coordinates
    for (const term& t : terms)
      if (t.is_coordinate) {
        add(at, type, sum, inserted(at, type, NOP_EXPR, t.value, NULL_TREE), t.is_subtracted);
        reach += most_threads;
      } else {
        add(at, unsigned_type_node, rest, as_unsigned(at, t.value), t.is_subtracted);
      }
    if (!rest) return sum;
    if (is_signed(value)) {
      rest = inserted(at, integer_type_node, NOP_EXPR, rest, NULL_TREE);
      reach = 0;
    }
    if (reach > 0) add(at, unsigned_type_node, rest, build_int_cst(unsigned_type_node, reach), false);
    add(at, type, sum, inserted(at, type, NOP_EXPR, rest, NULL_TREE), false);
    if (reach > 0) add(at, type, sum, build_int_cst(type, reach), true);
    return sum;
  }

  static tree as_unsigned(gimple_stmt_iterator& at, tree value) {
    if (TREE_CODE(value) == INTEGER_CST) return constant(unsigned_type_node, value);
    return inserted(at, unsigned_type_node, NOP_EXPR, value, NULL_TREE);
  }

  static void add(gimple_stmt_iterator& at, tree type, tree& sum, tree value, bool is_subtracted) {
    if (!sum && !is_subtracted)
      sum = value;
    else
      sum = inserted(at, type, is_subtracted ? MINUS_EXPR : PLUS_EXPR, sum ? sum : build_zero_cst(type), value);
  }

  // The terms of a sum; what no coordinate is added to stays whole.
  void collect(tree value, bool is_subtracted, std::vector<term>& terms, unsigned depth = 0) const {
    value = stripped(value);
    gimple* const s = sum_or_difference(value);
    if (s && depth < most_depth && adds_coordinate(value)) {
      const bool is_difference = gimple_assign_rhs_code(s) == MINUS_EXPR;
      collect(gimple_assign_rhs1(s), is_subtracted, terms, depth + 1);
      collect(gimple_assign_rhs2(s), is_subtracted != is_difference, terms, depth + 1);
    } else {
      terms.push_back({.value = value, .is_subtracted = is_subtracted, .is_coordinate = is_coordinate(value)});
    }
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
