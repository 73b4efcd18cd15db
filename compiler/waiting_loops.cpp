#include "compiler/waiting_loops.h"

#include "compiler/watched_reads.h"

namespace splitter {
namespace {

using reads = std::vector<gimple*>;

class loop_body {
 public:
  explicit loop_body(class loop* l) : loop_(l) {
    basic_block* const body = get_loop_body(l);
    blocks_.assign(body, body + l->num_nodes);
    free(body);
    for (const basic_block bb : blocks_)
      for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
        if (is_watched(gsi_stmt(at))) watched_.push_back(gsi_stmt(at));
        fenced_ |= is_fence(gsi_stmt(at));
      }
  }

  /// Whether it may wait for other threads. The reads that its end depends on are added to the others.
  bool waits() {
    if (watched_.empty() && !fenced_) return false;
    const std::vector<edge> ends = exits();
    bool waits = ends.empty();
    for (const edge e : ends) {
      const auto last = gsi_last_bb(e->src);
      if (gsi_end_p(last)) continue;
      if (is_of_the_engine(gsi_stmt(last))) return false;
      waits |= !ends_a_retry(e, gsi_stmt(last)) && !is_counted(gsi_stmt(last));
    }
    return waits;
  }
  const reads& watched() const { return watched_; }

  /// Whether it changes nothing that others see as long as it reads the same, and counts nothing.
  bool only_reads() const {
    for (const basic_block bb : blocks_)
      for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at))
        if (changes_something(gsi_stmt(at))) return false;
    for (auto at = gsi_start_phis(loop_->header); !gsi_end_p(at); gsi_next(&at)) {
      if (virtual_operand_p(gimple_phi_result(at.phi()))) continue;
      std::set<tree> looked_at;
      for (unsigned i = 0; i < gimple_phi_num_args(at.phi()); ++i)
        if (contains(gimple_phi_arg_edge(at.phi(), i)->src) && !was_read(gimple_phi_arg_def(at.phi(), i), looked_at))
          return false;
    }
    return true;
  }

  std::vector<edge> edges_of_header(bool from_inside) const {
    std::vector<edge> edges;
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, loop_->header->preds)
      if (contains(e->src) == from_inside) edges.push_back(e);
    return edges;
  }

 private:
  bool contains(basic_block bb) const { return flow_bb_inside_loop_p(loop_, bb); }
  bool contains(tree name) const {
    return TREE_CODE(name) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF(name) &&
           contains(gimple_bb(SSA_NAME_DEF_STMT(name)));
  }

  // Whether a program goes on behind a block: not where it is unreachable, or where what doesn't return is called.
  static bool goes_on(basic_block bb) { return EDGE_COUNT(bb->succs) != 0; }

  std::vector<edge> exits() const {
    std::vector<edge> edges;
    for (const basic_block bb : blocks_) {
      edge e;
      edge_iterator i;
      FOR_EACH_EDGE (e, i, bb->succs)
        if (!contains(e->dest) && !(e->flags & (EDGE_EH | EDGE_ABNORMAL)) && goes_on(e->dest)) edges.push_back(e);
    }
    return edges;
  }

  // Whether it ends a loop over blocks or their threads.
  static bool is_of_the_engine(const gimple* s) {
    const expanded_location at = expand_location(gimple_location(s));
    const std::string file = at.file ? at.file : "";
    return file.find("runtime/engine/engine_launch.h") != std::string::npos ||
           file.find("runtime/engine/split_loop.h") != std::string::npos ||
           file.find("runtime/engine/block_scheduler.h") != std::string::npos;
  }

  // Whether each round computes the same value from what was there before the loop, or is read plainly, such as the
  // extents of a grid: those nobody may change meanwhile.
  bool stays_the_same(tree value) const {
    std::set<tree> known{value};
    std::vector<tree> next{value};
    while (!next.empty()) {
      const tree name = next.back();
      next.pop_back();
      if (!contains(name)) continue;
      gimple* const s = SSA_NAME_DEF_STMT(name);
      if (!is_gimple_assign(s) || is_watched(s)) return false;
      tree operand;
      ssa_op_iter i;
      FOR_EACH_SSA_TREE_OPERAND (operand, s, i, SSA_OP_USE)
        if (known.insert(operand).second) next.push_back(operand);
    }
    return true;
  }

  static bool is_step(tree_code code) {
    switch (code) {
      case PLUS_EXPR:
      case MINUS_EXPR:
      case POINTER_PLUS_EXPR:
      case MULT_EXPR:
      case TRUNC_DIV_EXPR:
      case LSHIFT_EXPR:
      case RSHIFT_EXPR:
        return true;
      default:
        return false;
    }
  }

  // Whether a number of the loop's header grows or shrinks by the same in each round, as a sum or as a product.
  bool is_counter(gimple* phi) const {
    const tree number = gimple_phi_result(phi);
    for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i) {
      if (!contains(gimple_phi_arg_edge(as_a<gphi*>(phi), i)->src)) continue;
      tree value = gimple_phi_arg_def(phi, i);
      bool advanced = false;
      while (value != number) {
        if (!contains(value) || !is_gimple_assign(SSA_NAME_DEF_STMT(value))) return false;
        gimple* const s = SSA_NAME_DEF_STMT(value);
        const tree_code code = gimple_assign_rhs_code(s);
        value = gimple_assign_rhs1(s);
        if (code == NOP_EXPR || code == SSA_NAME) continue;
        if (!is_step(code)) return false;
        tree step = gimple_assign_rhs2(s);
        if (commutative_tree_code(code) && stays_the_same(value)) std::swap(value, step);
        if (!stays_the_same(step)) return false;
        advanced = true;
      }
      if (!advanced) return false;
    }
    return true;
  }

  // The value behind conversions.
  static tree converted(tree value) {
    while (TREE_CODE(value) == SSA_NAME && is_gimple_assign(SSA_NAME_DEF_STMT(value))) {
      const gimple* const s = SSA_NAME_DEF_STMT(value);
      const tree_code code = gimple_assign_rhs_code(s);
      if (code != NOP_EXPR && code != SSA_NAME && code != VIEW_CONVERT_EXPR) break;
      const tree from = gimple_assign_rhs1(s);
      value = code == VIEW_CONVERT_EXPR ? TREE_OPERAND(from, 0) : from;
    }
    return value;
  }
  // Whether a number of the loop's header is, from the second round on, what the round before has left in it: a value
  // that `found` is true of.
  template <class Condition>
  bool is_kept(tree number, const Condition& found) const {
    number = converted(number);
    if (!contains(number) || gimple_code(SSA_NAME_DEF_STMT(number)) != GIMPLE_PHI) return false;
    gphi* const phi = as_a<gphi*>(SSA_NAME_DEF_STMT(number));
    if (gimple_bb(phi) != loop_->header) return false;
    for (unsigned i = 0; i < gimple_phi_num_args(phi); ++i)
      if (contains(gimple_phi_arg_edge(phi, i)->src) && !found(converted(gimple_phi_arg_def(phi, i)))) return false;
    return true;
  }
  // The strong exchange that a value is a part of: what it has found, or whether it has succeeded.
  static gimple* exchange_of(tree value, tree_code part) {
    if (TREE_CODE(value) != SSA_NAME || !is_gimple_assign(SSA_NAME_DEF_STMT(value))) return nullptr;
    const gimple* const s = SSA_NAME_DEF_STMT(value);
    if (gimple_assign_rhs_code(s) != part) return nullptr;
    gimple* const exchange = SSA_NAME_DEF_STMT(TREE_OPERAND(gimple_assign_rhs1(s), 0));
    return is_internal_exchange(exchange) ? exchange : nullptr;
  }
  // Whether the loop is left where memory still has what the round before found there: a compare_exchange that is tried
  // again with what it has found. That waits for nobody: another thread's success makes it go round once more.
  bool ends_a_retry(edge exit, gimple* last) const {
    if (gimple_code(last) != GIMPLE_COND) return false;
    const tree_code code = gimple_cond_code(last);
    if (code != EQ_EXPR && code != NE_EXPR) return false;
    const bool left_if_equal = (code == EQ_EXPR) == ((exit->flags & EDGE_TRUE_VALUE) != 0);
    const tree a = converted(gimple_cond_lhs(last)), b = converted(gimple_cond_rhs(last));
    if (integer_zerop(b)) {
      gimple* const exchange = exchange_of(a, IMAGPART_EXPR);
      return exchange && !left_if_equal && is_kept(gimple_call_arg(exchange, 1), [&](tree found) {
               return exchange_of(found, REALPART_EXPR) == exchange;
             });
    }
    return left_if_equal &&
           (is_kept(a, [&](tree found) { return found == b; }) || is_kept(b, [&](tree found) { return found == a; }));
  }

  static bool is_branch(gimple* s) { return gimple_code(s) == GIMPLE_COND || gimple_code(s) == GIMPLE_SWITCH; }

  // What decides on which way a block of the loop is reached: the branches behind the last block that all ways share,
  // and where it begins a loop inside, that one's.
  reads branches_before(basic_block bb) const {
    const basic_block shared = get_immediate_dominator(CDI_DOMINATORS, bb);
    const bool begins_loop = bb->loop_father->header == bb;
    reads branches;
    for (const basic_block b : blocks_) {
      const auto last = gsi_last_bb(b);
      if (gsi_end_p(last) || !is_branch(gsi_stmt(last))) continue;
      const bool lies_between = dominated_by_p(CDI_DOMINATORS, b, shared) && !dominated_by_p(CDI_DOMINATORS, b, bb);
      if (lies_between || (begins_loop && flow_bb_inside_loop_p(bb->loop_father, b)))
        branches.push_back(gsi_stmt(last));
    }
    return branches;
  }

  // Whether what decides is computed from numbers that the loop counts, or computes without reading what others change.
  // A number that is counted may be compared with one that is read, such as the size of a view in a closure.
  bool is_counted(gimple* decides) {
    bool decided = false, counts = false;
    reads plain;
    std::set<gimple*> known{decides};
    std::vector<gimple*> next{decides};
    while (!next.empty()) {
      gimple* const s = next.back();
      next.pop_back();
      const bool is_phi = gimple_code(s) == GIMPLE_PHI;
      const bool is_load = gimple_assign_load_p(s);
      if (is_phi) {
        counts |= gimple_bb(s) == loop_->header && is_counter(s);
        if (gimple_bb(s) != loop_->header)
          for (gimple* const branch : branches_before(gimple_bb(s)))
            if (known.insert(branch).second) next.push_back(branch);
      } else if (is_load && !is_own_memory(gimple_assign_rhs1(s)) && !is_watched(s)) {
        plain.push_back(s);
      } else if (!is_branch(s) && (!is_gimple_assign(s) || (gimple_vuse(s) && !(is_load && !is_watched(s))))) {
        decided = true;
      }
      const auto look_at = [&](tree name) {
        if (contains(name) && known.insert(SSA_NAME_DEF_STMT(name)).second) next.push_back(SSA_NAME_DEF_STMT(name));
      };
      if (is_phi) {
        for (unsigned i = 0; i < gimple_phi_num_args(s); ++i) look_at(gimple_phi_arg_def(s, i));
      } else {
        tree name;
        ssa_op_iter i;
        FOR_EACH_SSA_TREE_OPERAND (name, s, i, SSA_OP_USE) look_at(name);
      }
    }
    if (!decided && (plain.empty() || counts)) return true;
    watched_.insert(watched_.end(), plain.begin(), plain.end());
    return false;
  }

  // What reads and writes as one step may only write again what was there.
  bool changes_something(gimple* s) const {
    if (is_gimple_debug(s) || gimple_clobber_p(s) || is_watched(s) || is_fence(s)) return false;
    if (is_gimple_call(s)) {
      if (is_weak(s)) return true;
      if (gimple_call_internal_p(s)) return gimple_vdef(s) != NULL_TREE;
      return !(gimple_call_flags(s) & (ECF_CONST | ECF_PURE)) && name_of(s) != "__builtin_ia32_pause";
    }
    if (gimple_code(s) == GIMPLE_ASM) return true;
    if (!gimple_store_p(s) || is_own_memory(gimple_get_lhs(s))) return false;
    return !(gimple_has_volatile_ops(s) && was_read_before(s));
  }
  static bool is_same_place(tree a, tree b) {  // operand_equal_p says no to what is volatile
    return TREE_CODE(a) == MEM_REF && TREE_CODE(b) == MEM_REF &&
           operand_equal_p(TREE_OPERAND(a, 0), TREE_OPERAND(b, 0), 0) &&
           operand_equal_p(TREE_OPERAND(a, 1), TREE_OPERAND(b, 1), 0);
  }
  // As atomic_ref.h changes shared memory: what it wrote shows in what the loop reads there the next time.
  bool was_read_before(gimple* store) const {
    return std::any_of(watched_.begin(), watched_.end(), [&](gimple* read) {
      return gimple_assign_load_p(read) && is_same_place(gimple_assign_rhs1(read), gimple_get_lhs(store));
    });
  }

  // Whether a value comes from what the loop has read, without being computed.
  bool was_read(tree value, std::set<tree>& looked_at) const {
    if (!contains(value) || !looked_at.insert(value).second) return true;
    gimple* const s = SSA_NAME_DEF_STMT(value);
    if (is_watched(s) || (gimple_vuse(s) && gimple_assign_load_p(s))) return true;
    if (gimple_code(s) == GIMPLE_PHI) {
      for (unsigned i = 0; i < gimple_phi_num_args(s); ++i)
        if (!was_read(gimple_phi_arg_def(s, i), looked_at)) return false;
      return true;
    }
    if (!is_gimple_assign(s)) return false;
    tree from = gimple_assign_rhs1(s);
    switch (gimple_assign_rhs_code(s)) {
      case REALPART_EXPR:
      case VIEW_CONVERT_EXPR:
        from = TREE_OPERAND(from, 0);
        return was_read(from, looked_at);
      case NOP_EXPR:
      case SSA_NAME:
        return was_read(from, looked_at);
      default:
        return false;
    }
  }

  class loop* loop_;
  std::vector<basic_block> blocks_;
  reads watched_;
  bool fenced_ = false;
};

}  // namespace

std::vector<waiting_loop> find_waiting_loops(function* f) {
  std::vector<waiting_loop> found;
  for (class loop* const l : loops_list(f, LI_FROM_INNERMOST))
    if (loop_body body(l); body.waits())
      found.push_back({body.watched(), body.only_reads(), body.edges_of_header(false), body.edges_of_header(true)});
  return found;
}

}  // namespace splitter
