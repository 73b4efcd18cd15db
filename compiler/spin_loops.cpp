#include "compiler/spin_loops.h"

#include "compiler/rewrite.h"
#include "compiler/waiting_loops.h"
#include "compiler/watched_reads.h"

namespace splitter {
namespace {

// The source place to report: not in the headers of the runtime or the standard library, but where they are used.
expanded_location place_in_program(const gimple* s) {
  const auto is_library = [](const expanded_location& at) {
    const std::string file = at.file ? at.file : "";
    const bool is_header = file.size() > 2 && file.compare(file.size() - 2, 2, ".h") == 0;
    return file.empty() || file.find("/c++/") != std::string::npos ||
           (is_header && file.find("runtime/") != std::string::npos);
  };
  expanded_location at = expand_location(gimple_location(s));
  for (tree block = gimple_block(s); is_library(at) && block && TREE_CODE(block) == BLOCK;
       block = BLOCK_SUPERCONTEXT(block))
    if (inlined_function_outer_scope_p(block)) at = expand_location(BLOCK_SOURCE_LOCATION(block));
  return at;
}

void insert_after(gimple* s, gimple_seq statements) {
  auto at = gsi_for_stmt(s);
  gsi_insert_seq_after(&at, statements, GSI_CONTINUE_LINKING);
}
void append(gimple_seq& to, gimple* s) { gimple_seq_add_stmt(&to, s); }

// The value of a read as a 64-bit number. Null if it has no such value.
tree value_of(gimple* s, gimple_seq& statements) {
  const auto computed = [&](tree type, tree expression) {
    const tree name = make_ssa_name(type);
    append(statements, gimple_build_assign(name, expression));
    return name;
  };
  tree value = gimple_get_lhs(s);
  if (begins_with(name_of(s), "__atomic_compare_exchange_")) {  // at the address that it is given
    const tree address = gimple_call_arg(s, 1), expected = computed(TREE_TYPE(address), address);
    const tree type = TREE_TYPE(gimple_call_arg(s, 2));
    value = computed(type, build2(MEM_REF, type, expected, build_int_cst(build_pointer_type(type), 0)));
  } else if (value && TREE_CODE(value) != SSA_NAME) {
    return NULL_TREE;
  } else if (value && TREE_CODE(TREE_TYPE(value)) == COMPLEX_TYPE && is_internal_exchange(s)) {
    const tree type = TREE_TYPE(TREE_TYPE(value));
    value = computed(type, build1(REALPART_EXPR, type, value));
  }
  if (!value) return NULL_TREE;
  const tree type = TREE_TYPE(value);
  if (SCALAR_FLOAT_TYPE_P(type) && tree_to_uhwi(TYPE_SIZE_UNIT(type)) <= 8) {
    const tree bits = build_nonstandard_integer_type(tree_to_uhwi(TYPE_SIZE(type)), 1);
    value = computed(bits, build1(VIEW_CONVERT_EXPR, bits, value));
  } else if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type)) {
    return NULL_TREE;
  }
  const tree number = make_ssa_name(long_long_unsigned_type_node);
  append(statements, gimple_build_assign(number, NOP_EXPR, value));
  return number;
}

tree declared_function() {
  static tree declaration = NULL_TREE;
  if (!declaration) {
    const tree type = build_function_type_list(
        void_type_node, build_pointer_type(build_qualified_type(char_type_node, TYPE_QUAL_CONST)), unsigned_type_node,
        long_long_unsigned_type_node, unsigned_type_node, boolean_type_node, NULL_TREE);
    declaration = build_fn_decl("gridstride_spin_again", type);
    TREE_NOTHROW(declaration) = 1;
  }
  return declaration;
}

// The loop gets a hash of what it has read, and a counter of its rounds.
void tell_of_rounds(const waiting_loop& l) {
  const tree word = long_long_unsigned_type_node;
  const tree seen = create_tmp_reg(word, "seen"), round = create_tmp_reg(unsigned_type_node, "round");
  for (gimple* s : l.reads) {
    gimple_seq statements = nullptr;
    const tree value = value_of(s, statements);
    if (!value || stmt_ends_bb_p(s)) continue;
    const tree product = make_ssa_name(word);
    append(statements, gimple_build_assign(product, MULT_EXPR, seen, build_int_cst(word, 0x100000001b3)));
    append(statements, gimple_build_assign(seen, PLUS_EXPR, product, value));
    insert_after(s, statements);
  }
  const expanded_location place = l.reads.empty() ? expanded_location{} : place_in_program(l.reads.front());
  const std::string file = place.file ? place.file : "";
  const tree text = build_string_literal(static_cast<int>(file.size()) + 1, file.c_str());
  for (const edge e : l.rounds) {
    gimple_seq statements = nullptr;
    append(statements, gimple_build_assign(round, PLUS_EXPR, round, build_int_cst(unsigned_type_node, 1)));
    append(statements, gimple_build_call(declared_function(), 5, text, build_int_cst(unsigned_type_node, place.line),
                                         seen, round, l.only_reads ? boolean_true_node : boolean_false_node));
    append(statements, gimple_build_assign(seen, build_int_cst(word, 0)));
    gsi_insert_seq_on_edge(e, statements);
  }
  for (const edge e : l.entries) {
    gimple_seq statements = nullptr;
    append(statements, gimple_build_assign(seen, build_int_cst(word, 0)));
    append(statements, gimple_build_assign(round, build_int_cst(unsigned_type_node, 0)));
    gsi_insert_seq_on_edge(e, statements);
  }
}

bool is_runtimes_own(tree f) {
  const tree owner = DECL_CONTEXT(f);
  if (!owner) return false;
  const tree named = TYPE_P(owner) ? TYPE_NAME(owner) : owner;
  if (!named || !DECL_P(named) || !DECL_NAME(named)) return false;
  const std::string name = IDENTIFIER_POINTER(DECL_NAME(named));
  return name == "thread_loop" || name == "atomic_ref" || name == "__atomic_ref" || name == "__atomic_impl";
}

// Whether a call may lead to a loop that spins: a function of the program's that isn't inlined. How threads wait for
// barriers is the runtime's own matter.
bool may_hide_spinning(const gimple* call) {
  if (gimple_call_internal_p(call) || gimple_call_noreturn_p(call)) return false;
  const tree f = gimple_call_fndecl(call);
  if (!f) return true;
  if (fndecl_built_in_p(f) || (flags_from_decl_or_type(f) & (ECF_CONST | ECF_PURE))) return false;
  if (is_runtimes_own(f)) return false;
  const std::string name = name_of(call);
  return !begins_with(name, "gridstride_split_") && !begins_with(name, "__cxa_");
}

bool threads_may_spin(function* f, const gimple* mark) {
  const class loop* const around = gimple_bb(mark)->loop_father;
  basic_block bb;
  FOR_EACH_BB_FN (bb, f) {
    if (bb->loop_father == around || !flow_loop_nested_p(around, bb->loop_father)) continue;
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
      if (is_gimple_call(gsi_stmt(at)) && (spins(gsi_stmt(at)) || may_hide_spinning(gsi_stmt(at)))) return true;
  }
  return false;
}

}  // namespace

bool spins(const gimple* s) { return name_of(s) == "gridstride_spin_again"; }

bool find_spin_loops(function* f) {
  std::vector<gimple*> marks;
  bool watches = false;
  basic_block bb;
  FOR_EACH_BB_FN (bb, f)
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      if (name_of(gsi_stmt(at)) == "gridstride_spin_possible") marks.push_back(gsi_stmt(at));
      watches |= is_watched(gsi_stmt(at)) || is_fence(gsi_stmt(at));
    }
  if (marks.empty() && !watches) return false;
  loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
  const std::vector<waiting_loop> found = watches ? find_waiting_loops(f) : std::vector<waiting_loop>{};
  for (const waiting_loop& l : found) tell_of_rounds(l);
  if (!found.empty()) gsi_commit_edge_inserts();
  for (gimple* mark : marks) replace_call(mark, threads_may_spin(f, mark) ? integer_one_node : integer_zero_node);
  loop_optimizer_finalize();
  return true;
}

}  // namespace splitter
