#include "compiler/rewrite.h"

namespace splitter {
namespace {

constexpr unsigned line = 64;             // bytes of the cache
constexpr std::size_t most_barriers = 8;  // that get loops of their own

void insert_before(gimple* mark, gimple* s) {
  auto at = gsi_for_stmt(mark);
  gsi_insert_before(&at, s, GSI_SAME_STMT);
}

class rewriter {
 public:
  rewriter(function* f, kernel_body& body, const std::vector<kept_values>& values)
      : f_(f), body_(body), values_(values) {}

  void run() {
    forget_virtual_operands(f_);
    find_places_in_memory();
    edges_of_end();
    for (std::size_t w = 0; w < body_.waits.size(); ++w) rewrite_wait(w);
    rewrite_ends();
    update_ssa(TODO_update_ssa);
    copy_loops();
  }

 private:
  static tree assigned(gimple* mark, tree type, tree_code code, tree a, tree b) {
    const tree name = make_ssa_name(type);
    insert_before(mark, gimple_build_assign(name, code, a, b));
    return name;
  }
  static tree converted(gimple* mark, tree type, tree value) {
    const tree name = make_ssa_name(type);
    insert_before(mark, gimple_build_assign(name, NOP_EXPR, value));
    return name;
  }

  // Arrays, large numbers first, so that all are aligned. A line of the cache lies between two of them: arrays that are
  // a power of two apart would share a few lines of it. And variables, which each sweep reads as the one before left
  // them, whatever its own threads assign.
  void find_places_in_memory() {
    std::set<tree> names_of_threads;
    for (const kept_values& values : values_) {
      names_of_threads.insert(values.of_threads.begin(), values.of_threads.end());
      for (const tree name : values.uniform)
        if (!variables_.count(name)) {
          const tree type = TYPE_MAIN_VARIANT(TREE_TYPE(name));
          const tree variable = create_tmp_reg(type, "uniform"), before = make_ssa_name(type);
          insert_before(body_.works, gimple_build_assign(
                                         variable, build_zero_cst(type)));  // otherwise g++ warns that it is never set
          insert_before(body_.sweep, gimple_build_assign(before, variable));
          variables_[name] = {variable, before};
        }
    }
    std::vector<tree> names(names_of_threads.begin(), names_of_threads.end());
    std::sort(names.begin(), names.end(), [](tree a, tree b) {
      return bytes_of(a) != bytes_of(b) ? bytes_of(a) > bytes_of(b) : SSA_NAME_VERSION(a) < SSA_NAME_VERSION(b);
    });
    const tree memory = gimple_call_arg(body_.sweep, 1);
    const tree threads = converted(body_.sweep, sizetype, gimple_call_arg(body_.sweep, 2));
    unsigned bytes = 0, lines = 0;
    for (const tree name : names) {
      const tree offset = assigned(body_.sweep, sizetype, MULT_EXPR, threads, size_int(bytes));
      const tree whole = assigned(body_.sweep, sizetype, PLUS_EXPR, offset, size_int(line * lines++));
      arrays_[name] = assigned(body_.sweep, TREE_TYPE(memory), POINTER_PLUS_EXPR, memory, whole);
      bytes += bytes_of(name);
    }
    const tree needed = converted(body_.bytes, sizetype, gimple_call_arg(body_.bytes, 0));
    const tree product = assigned(body_.bytes, sizetype, MULT_EXPR, needed, size_int(bytes));
    replace_call(body_.bytes, assigned(body_.bytes, sizetype, PLUS_EXPR, product, size_int(line * lines)));
  }
  static unsigned bytes_of(tree name) { return tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(name))); }

  // Where the thread's number of the array is.
  tree place(gimple* mark, tree name) {
    const tree type = TYPE_MAIN_VARIANT(TREE_TYPE(name)), array = arrays_[name];
    const tree thread = converted(mark, sizetype, gimple_call_arg(body_.resume, 1));
    const tree offset = assigned(mark, sizetype, MULT_EXPR, thread, size_int(bytes_of(name)));
    const tree address = assigned(mark, TREE_TYPE(array), POINTER_PLUS_EXPR, array, offset);
    return build2(MEM_REF, type, address, build_int_cst(build_pointer_type(type), 0));
  }

  void edges_of_end() {
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, body_.end->preds) ends_.push_back({e, 0});
  }

  void rewrite_wait(std::size_t w) {
    gimple* const wait = body_.waits[w];
    const basic_block before = body_.before(wait), behind = body_.behind(wait);
    gimple* const go_on = gimple_build_nop();
    auto at = gsi_after_labels(behind);
    gsi_insert_before(&at, go_on, GSI_SAME_STMT);

    // As a value: below -O2 it may be the address of a member, which g++ takes in no reference to memory.
    const tree places = converted(body_.sweep, ptr_type_node, gimple_call_arg(body_.sweep, 3)), type = ptr_type_node;
    insert_before(body_.sweep, gimple_build_assign(build2(MEM_REF, type, places,
                                                          build_int_cst(build_pointer_type(type), w * sizeof(void*))),
                                                   gimple_call_arg(wait, 0)));
    for (const tree name : values_[w].uniform) {
      insert_before(wait, gimple_build_assign(variables_[name].first, name));
      define_again(go_on, name, variables_[name].second);
    }
    for (const tree name : values_[w].of_threads) {
      insert_before(wait, gimple_build_assign(place(wait, name), name));
      define_again(go_on, name, place(go_on, name));
    }
    for (gimple* s : values_[w].again) define_again(go_on, gimple_copy(s));

    remove(wait);
    remove(go_on);
    ends_.push_back({redirect_edge_and_branch(single_succ_edge(before), body_.end), w + 1});
    make_edge(gimple_bb(body_.resume), behind, 0)->probability = profile_probability::unlikely();
    behind_.push_back(behind);
  }
  static void remove(gimple* s) {
    auto at = gsi_for_stmt(s);
    gsi_remove(&at, true);
  }

  // The switch at the body's beginning, and the number at its end.
  void rewrite_ends() {
    const tree barrier = gimple_call_arg(body_.resume, 0);
    vec<tree> cases = vNULL;
    for (std::size_t w = 0; w < behind_.size(); ++w)
      cases.safe_push(
          build_case_label(build_int_cst(TREE_TYPE(barrier), w + 1), NULL_TREE, gimple_block_label(behind_[w])));
    find_edge(gimple_bb(body_.resume), body_.first)->flags &= ~EDGE_FALLTHRU;
    gswitch* const choice =
        gimple_build_switch(barrier, build_case_label(NULL_TREE, NULL_TREE, gimple_block_label(body_.first)), cases);
    gimple_set_location(choice, gimple_location(body_.resume));
    auto at = gsi_for_stmt(body_.resume);
    gsi_replace(&at, choice, false);
    choice_ = choice;

    const tree left = gimple_call_lhs(body_.left);
    gimple_call_set_lhs(body_.left, NULL_TREE);
    remove(body_.left);
    gphi* const number = create_phi_node(left, body_.end);
    for (const auto& [e, n] : ends_) add_phi_arg(number, build_int_cst(TREE_TYPE(left), n), e, UNKNOWN_LOCATION);
    replace_call(body_.works, integer_one_node);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    loops_state_set(f_, LOOPS_NEED_FIXUP);
  }

  // For each barrier, and the beginning, loops that all threads take if they go on there; else the ones with the
  // switch.
  void copy_loops() {
    const tree barrier = gimple_call_arg(body_.sweep, 0);
    if (body_.waits.size() <= most_barriers) {
      loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
      rewrite_into_loop_closed_ssa(nullptr, TODO_update_ssa);
      const unsigned depth = loop_depth(gimple_bb(body_.sweep)->loop_father) + 1;
      class loop* nest = superloop_at_depth(gimple_bb(choice_)->loop_father, depth);
      const auto likely = profile_probability::likely(), unlikely = profile_probability::unlikely();
      for (std::size_t n = 0; nest && n <= body_.waits.size(); ++n) {
        const tree condition = build2(EQ_EXPR, boolean_type_node, barrier, build_int_cst(TREE_TYPE(barrier), n));
        initialize_original_copy_tables();
        class loop* const others = loop_version(nest, condition, nullptr, likely, unlikely, likely, unlikely, true);
        free_original_copy_tables();
        if (others) set_choice(nest, n);
        update_ssa(TODO_update_ssa);
        nest = others;
      }
      loop_optimizer_finalize();
      free_dominance_info(CDI_DOMINATORS);
    }
    unlink_stmt_vdef(body_.sweep);
    remove(body_.sweep);
    forget_virtual_operands(f_);
    update_ssa(TODO_update_ssa);
  }

  void set_choice(class loop* nest, std::size_t barrier) {
    basic_block* const blocks = get_loop_body(nest);
    for (unsigned i = 0; i < nest->num_nodes; ++i)
      if (auto last = gsi_last_bb(blocks[i]); !gsi_end_p(last) && is_choice(gsi_stmt(last))) {
        auto* const choice = as_a<gswitch*>(gsi_stmt(last));
        gimple_switch_set_index(choice, build_int_cst(TREE_TYPE(gimple_switch_index(choice)), barrier));
        update_stmt(choice);
      }
    free(blocks);
  }
  bool is_choice(const gimple* s) const {
    return gimple_code(s) == GIMPLE_SWITCH && gimple_location(s) == gimple_location(choice_) &&
           gimple_switch_num_labels(as_a<const gswitch*>(s)) == body_.waits.size() + 1;
  }

  function* f_;
  kernel_body& body_;
  const std::vector<kept_values>& values_;
  std::map<tree, tree> arrays_;                      // where each begins
  std::map<tree, std::pair<tree, tree>> variables_;  // and what they were before the sweep
  std::vector<std::pair<edge, std::size_t>> ends_;   // into the body's end, and the number of the barrier
  std::vector<basic_block> behind_;
  gswitch* choice_ = nullptr;
};

}  // namespace

void split(function* f, kernel_body& body, const std::vector<kept_values>& values) { rewriter(f, body, values).run(); }

void define_again(gimple* before, gimple* s) {
  insert_before(before, s);
  def_operand_p definition;
  ssa_op_iter i;
  FOR_EACH_SSA_DEF_OPERAND (definition, s, i, SSA_OP_DEF) create_new_def_for(DEF_FROM_PTR(definition), s, definition);
}

void define_again(gimple* before, tree name, tree value) {
  gimple* const definition = SSA_NAME_DEF_STMT(name);
  define_again(before, gimple_build_assign(name, value));
  SSA_NAME_DEF_STMT(name) = definition;  // gimple_build_assign has overwritten it
}

void forget_virtual_operands(function* f) {
  basic_block bb;
  FOR_EACH_BB_FN (bb, f)
    for (auto at = gsi_start_phis(bb); !gsi_end_p(at);)
      if (virtual_operand_p(gimple_phi_result(at.phi()))) {
        mark_virtual_phi_result_for_renaming(at.phi());
        remove_phi_node(&at, true);
      } else {
        gsi_next(&at);
      }
  mark_virtual_operands_for_renaming(f);
}

void replace_call(gimple* call, tree value) {
  auto at = gsi_for_stmt(call);
  unlink_stmt_vdef(call);
  if (const tree result = gimple_call_lhs(call)) {
    gimple* const assignment = TREE_CODE(value) == INTEGER_CST
                                   ? gimple_build_assign(result, fold_convert(TREE_TYPE(result), value))
                                   : gimple_build_assign(result, NOP_EXPR, value);
    gsi_replace(&at, assignment, true);
  } else {
    gsi_remove(&at, true);
  }
}

}  // namespace splitter
