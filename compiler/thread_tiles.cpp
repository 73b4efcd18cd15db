#include "compiler/thread_tiles.h"

#include "compiler/kept_values.h"
#include "compiler/rewrite.h"

namespace splitter {
namespace {

constexpr unsigned most_threads = 256;  // of a tile

edge entry_of(class loop* l) {
  edge e;
  edge_iterator i;
  FOR_EACH_EDGE (e, i, l->header->preds)
    if (!flow_bb_inside_loop_p(l, e->src)) return e;
  return nullptr;
}
edge exit_of(class loop* l) {
  edge e;
  edge_iterator i;
  FOR_EACH_EDGE (e, i, l->header->succs)
    if (!flow_bb_inside_loop_p(l, e->dest)) return e;
  return nullptr;
}
blocks blocks_of(class loop* l) {
  basic_block* const body = get_loop_body(l);
  const blocks all(body, body + l->num_nodes);
  free(body);
  return all;
}

// The names that these blocks use, of those that the body defines elsewhere.
std::set<tree> needed_by(const kernel_body& body, const blocks& part) {
  std::set<tree> names;
  const auto use = [&](tree name) {
    if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name) || virtual_operand_p(name)) return;
    gimple* const s = SSA_NAME_DEF_STMT(name);
    if (body.contains(s) && !part.count(gimple_bb(s))) names.insert(name);
  };
  for (const basic_block bb : part) {
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, bb->succs)
      for (auto at = gsi_start_phis(e->dest); !gsi_end_p(at); gsi_next(&at))
        use(gimple_phi_arg_def(at.phi(), e->dest_idx));
    for (auto at = gsi_start_bb(bb); !gsi_end_p(at); gsi_next(&at)) {
      tree name;
      ssa_op_iter j;
      FOR_EACH_SSA_TREE_OPERAND (name, gsi_stmt(at), j, SSA_OP_USE) use(name);
    }
  }
  return names;
}

void append_new(statements& all, const statements& more) {
  for (gimple* s : more)
    if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
}

}  // namespace

std::string plan_tiles(const kernel_body& body, const walking_loop& loop, thread_tiles& tiles) {
  const blocks rounds = blocks_of(loop.of);
  const blocks after = walk({exit_of(loop.of)->dest}, true, [&](basic_block bb) { return body.inside.count(bb) > 0; });
  std::set<tree> names = needed_by(body, rounds);
  const std::set<tree> later = needed_by(body, after);
  names.insert(later.begin(), later.end());
  for (gphi* const phi : loop.in_common)
    if (const tree first = gimple_phi_arg_def(phi, entry_of(loop.of)->dest_idx);
        TREE_CODE(first) == SSA_NAME && !SSA_NAME_IS_DEFAULT_DEF(first) && body.contains(SSA_NAME_DEF_STMT(first)))
      names.insert(first);
  std::vector<tree> ordered(names.begin(), names.end());
  std::sort(ordered.begin(), ordered.end(), [](tree a, tree b) { return SSA_NAME_VERSION(a) < SSA_NAME_VERSION(b); });
  for (const tree name : ordered) {
    if (rounds.count(gimple_bb(SSA_NAME_DEF_STMT(name)))) continue;  // the loop's own, from its header
    statements chain;
    if (compute_again(body, name, chain)) {
      append_new(is_in_common(body, loop, name) ? tiles.again_in_common : tiles.again, chain);
    } else {
      const tree type = TREE_TYPE(name);
      if (is_in_common(body, loop, name)) return "what threads have in common takes long to compute";
      if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type) && !SCALAR_FLOAT_TYPE_P(type))
        return "a thread keeps what isn't a number";
      tiles.kept.push_back(name);
    }
  }
  // Sums fill half of the registers as vectors: two of them in each row, so that what all rows read is read once for
  // four or eight rows. In narrow blocks, one.
  unsigned lanes = 1, registers = 16;
  for (gphi* const phi : loop.of_threads) {
    const machine_mode vector =
        targetm.vectorize.preferred_simd_mode(SCALAR_TYPE_MODE(TREE_TYPE(gimple_phi_result(phi))));
    if (!VECTOR_MODE_P(vector)) continue;
    lanes = std::max(lanes, unsigned{GET_MODE_NUNITS(vector).to_constant()});
    if (known_eq(GET_MODE_SIZE(vector), 64)) registers = 32;
  }
  if (loop.of_threads.empty()) {
    tiles.columns = {most_threads};
  } else {
    tiles.columns = {2 * lanes, lanes};
    tiles.rows = std::max(1u, registers / 4 / static_cast<unsigned>(loop.of_threads.size()));
    tiles.rows = std::min(tiles.rows, most_threads / tiles.columns.front());
  }
  return "";
}

namespace {

class walker {
 public:
  walker(function* f, kernel_body& body, const walking_loop& loop, const thread_tiles& tiles)
      : f_(f), body_(body), loop_(loop), tiles_(tiles), columns_(gimple_bb(body.resume)->loop_father) {}

  void run() {
    forget_virtual_operands(f_);
    replace_marks();
    begin_tile();
    cut_out_loop();
    make_arrays();
    before_loop();
    versions();
    finish();
  }

 private:
  // --- statements ---
  static void append(basic_block bb, gimple* s) {
    auto at = gsi_last_bb(bb);
    if (!gsi_end_p(at) && stmt_ends_bb_p(gsi_stmt(at)))
      gsi_insert_before(&at, s, GSI_SAME_STMT);
    else
      gsi_insert_after(&at, s, GSI_NEW_STMT);
  }
  static tree computed(basic_block bb, tree type, tree_code code, tree a, tree b = NULL_TREE) {
    const tree name = make_ssa_name(type);
    append(bb, b ? gimple_build_assign(name, code, a, b) : gimple_build_assign(name, code, a));
    return name;
  }
  // From here on, the statement computes the names it assigns to.
  static void define_again(basic_block bb, gimple* s) {
    append(bb, s);
    def_operand_p definition;
    ssa_op_iter i;
    FOR_EACH_SSA_DEF_OPERAND (definition, s, i, SSA_OP_DEF) create_new_def_for(DEF_FROM_PTR(definition), s, definition);
  }
  static void define_again(basic_block bb, tree name, tree value) {
    gimple* const definition = SSA_NAME_DEF_STMT(name);
    define_again(bb, gimple_build_assign(name, value));
    SSA_NAME_DEF_STMT(name) = definition;  // gimple_build_assign has overwritten it
  }
  static void define_again(basic_block bb, const statements& all) {
    for (gimple* s : all) define_again(bb, gimple_copy(s));
  }
  static bool converts_to_int(gimple* s, tree number) {
    if (!is_gimple_assign(s) || !CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(s)) || gimple_assign_rhs1(s) != number)
      return false;
    const tree type = TREE_TYPE(gimple_assign_lhs(s));
    return INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type) && TYPE_PRECISION(type) == 32;
  }
  static tree number(unsigned n) { return build_int_cst(unsigned_type_node, n); }

  // --- blocks ---
  basic_block new_block(basic_block behind) {
    const basic_block bb = create_empty_bb(behind);
    add_bb_to_loop(bb, columns_);
    bb->count = behind->count;
    return bb;
  }
  static edge connect(basic_block from, basic_block to, int flags = EDGE_FALLTHRU) {
    const edge e = make_edge(from, to, flags);
    e->probability = flags & EDGE_FALLTHRU     ? profile_probability::always()
                     : flags & EDGE_TRUE_VALUE ? profile_probability::likely()
                                               : profile_probability::unlikely();
    return e;
  }
  // Asks on an edge: two new blocks, which go on where it led to.
  struct both_ways {
    edge if_true, if_false;
  };
  both_ways choose(edge e, tree_code code, tree a, tree b) {
    const basic_block to = e->dest, here = split_edge(e);
    const basic_block yes = new_block(here), no = new_block(yes);
    append(here, gimple_build_cond(code, a, b, NULL_TREE, NULL_TREE));
    remove_edge(single_succ_edge(here));
    connect(here, yes, EDGE_TRUE_VALUE);
    connect(here, no, EDGE_FALSE_VALUE);
    return {connect(yes, to), connect(no, to)};
  }

  struct counted_loop {
    basic_block header, body, next;  // `body` goes straight to `next` as yet
    tree index;
  };
  counted_loop count_on(edge e, tree bound) {
    counted_loop l;
    const basic_block before = split_edge(e);
    l.header = split_edge(single_succ_edge(before));
    const basic_block behind = split_edge(single_succ_edge(l.header));
    l.body = new_block(l.header);
    l.next = new_block(l.body);
    const edge out = find_edge(l.header, behind);
    out->flags = (out->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    out->probability = profile_probability::unlikely();
    connect(l.header, l.body, EDGE_TRUE_VALUE);
    connect(l.body, l.next);
    const edge again = connect(l.next, l.header);
    l.index = make_ssa_name(unsigned_type_node);
    gphi* const phi = create_phi_node(l.index, l.header);
    add_phi_arg(phi, number(0), find_edge(before, l.header), UNKNOWN_LOCATION);
    add_phi_arg(phi, computed(l.next, unsigned_type_node, PLUS_EXPR, l.index, number(1)), again, UNKNOWN_LOCATION);
    append(l.header, gimple_build_cond(LT_EXPR, l.index, bound, NULL_TREE, NULL_TREE));
    return l;
  }

  // A loop over the threads of a tile: from `body`, in which the thread's place is defined again, to `next`.
  struct thread_loop {
    basic_block body, next;
    tree row, column, index;  // the last in the arrays
    tree x_as_int, y_as_int;  // sums of ints, of which g++ knows that they don't wrap around
    void begin_with(basic_block first) const { redirect_edge_and_branch(single_succ_edge(body), first); }
  };
  thread_loop threads_on(edge e, tree rows, tree columns, tree pitch) {
    const counted_loop of_rows = count_on(e, rows);
    const counted_loop of_columns = count_on(single_succ_edge(of_rows.body), columns);
    headers_.push_back(of_columns.header);
    thread_loop l{of_columns.body, of_columns.next, of_rows.index, of_columns.index, NULL_TREE, NULL_TREE, NULL_TREE};
    const auto long_number = [&](tree n) { return computed(l.body, sizetype, NOP_EXPR, n); };
    const tree rows_before = computed(l.body, sizetype, MULT_EXPR, long_number(l.row), long_number(pitch));
    l.index = computed(l.body, sizetype, PLUS_EXPR, rows_before, long_number(l.column));
    const auto sum_of_ints = [&](tree first, tree lane) {
      return computed(l.body, integer_type_node, PLUS_EXPR, computed(l.body, integer_type_node, NOP_EXPR, first),
                      computed(l.body, integer_type_node, NOP_EXPR, lane));
    };
    l.x_as_int = sum_of_ints(first_column_, l.column);
    l.y_as_int = sum_of_ints(first_row_, l.row);
    define_again(l.body, loop_.y, computed(l.body, unsigned_type_node, PLUS_EXPR, first_row_, l.row));
    define_again(l.body, loop_.x, computed(l.body, unsigned_type_node, PLUS_EXPR, first_column_, l.column));
    return l;
  }

  // A copy of blocks, whose edges to others lead where those of the originals do.
  std::map<basic_block, basic_block> copied(const blocks& part) {
    std::vector<basic_block> from(part.begin(), part.end()), to(part.size());
    initialize_original_copy_tables();
    const auto n = static_cast<unsigned>(part.size());
    copy_bbs(from.data(), n, to.data(), nullptr, 0, nullptr, columns_, from.back(), false);
    add_phi_args_after_copy(to.data(), n, nullptr);
    free_original_copy_tables();
    std::map<basic_block, basic_block> copy_of;
    for (std::size_t i = 0; i < from.size(); ++i) copy_of[from[i]] = to[i];
    return copy_of;
  }
  static void redirect_all(basic_block from, basic_block old_target, basic_block target) {
    while (const edge e = find_edge(from, old_target)) redirect_edge_and_branch(e, target);
  }

  // --- the parts ---
  void replace_marks() {
    block_rows_ = gimple_call_arg(body_.rows, 0);
    block_columns_ = gimple_call_arg(body_.columns, 0);
    const auto either = [&](gimple* mark, tree a, tree_code code, unsigned b, tree if_so, tree if_not) {
      const tree condition = make_ssa_name(boolean_type_node), value = make_ssa_name(unsigned_type_node);
      auto at = gsi_for_stmt(mark);
      gsi_insert_before(&at, gimple_build_assign(condition, code, a, number(b)), GSI_SAME_STMT);
      gsi_insert_before(&at, gimple_build_assign(value, COND_EXPR, condition, if_so, if_not), GSI_SAME_STMT);
      return value;
    };
    const unsigned narrow = tiles_.columns.back(), wide = tiles_.columns.front();
    rows_at_once_ = either(body_.rows, block_rows_, GT_EXPR, 1, number(tiles_.rows), number(1));
    const tree in_tiles = either(body_.columns, block_columns_, GT_EXPR, narrow, number(wide), number(narrow));
    columns_at_once_ = either(body_.columns, block_rows_, GT_EXPR, 1, in_tiles, number(most_threads));
    replace_call(body_.rows, rows_at_once_);
    replace_call(body_.columns, columns_at_once_);
  }

  void begin_tile() {
    const edge e = find_edge(gimple_bb(body_.resume), body_.first);
    tile_ = split_edge(e);
    const tree x = gimple_call_arg(body_.resume, 2), y = gimple_call_arg(body_.resume, 3);
    // Less than it may be, as g++ is to know: then no number of a thread wraps around.
    first_column_ = computed(tile_, unsigned_type_node, BIT_AND_EXPR, x, number(1023));
    first_row_ = computed(tile_, unsigned_type_node, BIT_AND_EXPR, y, number(1023));
    const auto left_of = [&](tree all, tree first, tree most) {
      return computed(tile_, unsigned_type_node, MIN_EXPR, computed(tile_, unsigned_type_node, MINUS_EXPR, all, first),
                      most);
    };
    height_ = left_of(block_rows_, y, rows_at_once_);
    width_ = left_of(block_columns_, x, columns_at_once_);
    for (tree* const counter : {&arrived_, &last_row_, &last_column_}) {
      *counter = create_tmp_reg(unsigned_type_node, "tile");
      append(tile_, gimple_build_assign(*counter, number(0)));
    }
  }

  // The loop's parts get blocks of their own before and after it.
  void cut_out_loop() {
    rounds_ = blocks_of(loop_.of);
    const edge in = entry_of(loop_.of);
    for (gphi* const phi : loop_.in_common) first_[phi] = gimple_phi_arg_def(phi, in->dest_idx);
    for (gphi* const phi : loop_.of_threads) first_[phi] = gimple_phi_arg_def(phi, in->dest_idx);
    const edge back = loop_latch_edge(loop_.of);
    for (gphi* const phi : loop_.in_common) next_[phi] = gimple_phi_arg_def(phi, back->dest_idx);
    for (gphi* const phi : loop_.of_threads) next_[phi] = gimple_phi_arg_def(phi, back->dest_idx);
    latch_ = back->src;
    arrival_ = split_edge(in);
    after_ = split_edge(exit_of(loop_.of));
    header_ = loop_.of->header;
    body_.inside.insert({arrival_, after_});
    later_ = walk({after_}, true, [&](basic_block bb) { return body_.inside.count(bb) > 0; });
    earlier_ = walk({body_.first}, true, [&](basic_block bb) { return body_.inside.count(bb) > 0 && bb != header_; });
    some_leave_ = false;
    for (const basic_block bb : earlier_) some_leave_ |= find_edge(bb, body_.end) != nullptr;
    for (int version = 0; version < (some_leave_ ? 2 : 1) + static_cast<int>(tiles_.columns.size()); ++version)
      laters_.push_back(copied(later_));
  }

  tree array_of(tree type, const char* name) {
    const tree array = create_tmp_var(build_array_type_nelts(TYPE_MAIN_VARIANT(type), most_threads), name);
    SET_DECL_ALIGN(array, 512);  // bits: the largest vectors
    DECL_USER_ALIGN(array) = 1;
    return array;
  }
  void make_arrays() {
    for (const tree name : tiles_.kept) arrays_[name] = array_of(TREE_TYPE(name), "kept");
    for (gphi* const phi : loop_.of_threads)
      arrays_[gimple_phi_result(phi)] = array_of(TREE_TYPE(gimple_phi_result(phi)), "kept");
    if (some_leave_) here_ = array_of(unsigned_char_type_node, "here");
  }
  static tree element(tree array, tree index) {
    return build4(ARRAY_REF, TREE_TYPE(TREE_TYPE(array)), array, index, NULL_TREE, NULL_TREE);
  }
  tree loaded(basic_block bb, tree name, tree index) {
    const tree value = make_ssa_name(TYPE_MAIN_VARIANT(TREE_TYPE(name)));
    append(bb, gimple_build_assign(value, element(arrays_[name], index)));
    return value;
  }

  // What a thread does before the loop; then, what it has computed is kept.
  void before_loop() {
    const edge start = single_succ_edge(tile_);
    behind_ = new_block(tile_);
    redirect_edge_and_branch(start, behind_);
    connect(behind_, body_.end);
    const thread_loop threads = threads_on(single_succ_edge(tile_), height_, width_, columns_at_once_);
    threads.begin_with(body_.first);
    if (some_leave_)
      append(threads.body, gimple_build_assign(element(here_, threads.index), build_zero_cst(unsigned_char_type_node)));
    for (const basic_block bb : earlier_) redirect_all(bb, body_.end, threads.next);
    for (const tree name : tiles_.kept)
      append(arrival_, gimple_build_assign(element(arrays_[name], threads.index), name));
    for (gphi* const phi : loop_.of_threads)
      append(arrival_, gimple_build_assign(element(arrays_[gimple_phi_result(phi)], threads.index), first_[phi]));
    if (some_leave_) {
      append(arrival_, gimple_build_assign(element(here_, threads.index), build_one_cst(unsigned_char_type_node)));
      append(arrival_, gimple_build_assign(arrived_, PLUS_EXPR, arrived_, number(1)));
      const auto reach = [&](tree last, tree index) {
        const tree behind = computed(arrival_, unsigned_type_node, PLUS_EXPR, index, number(1));
        append(arrival_, gimple_build_assign(last, MAX_EXPR, last, behind));
      };
      reach(last_row_, threads.row);
      reach(last_column_, threads.column);
    }
    redirect_edge_and_branch(single_succ_edge(arrival_), threads.next);
  }

  // What all have in common is computed once, and then the loop, for a whole tile, a rectangle, or any threads.
  void versions() {
    edge go = single_succ_edge(behind_);
    tree rows = height_, columns = width_;
    if (some_leave_) {
      const auto all = choose(go, NE_EXPR, arrived_, number(0));
      go = all.if_true;
      rows = last_row_, columns = last_column_;
    }
    const basic_block common = split_edge(go);
    if (some_leave_) {  // less than they may be, as g++ is to know
      rows = computed(common, unsigned_type_node, BIT_AND_EXPR, rows, number(2 * most_threads - 1));
      columns = computed(common, unsigned_type_node, BIT_AND_EXPR, columns, number(2 * most_threads - 1));
    }
    define_again(common, tiles_.again_in_common);
    go = single_succ_edge(common);
    if (some_leave_) {
      const tree area = make_ssa_name(unsigned_type_node);
      append(common, gimple_build_assign(area, MULT_EXPR, rows, columns));
      const auto rectangle = choose(go, EQ_EXPR, arrived_, area);
      one_by_one(rectangle.if_false);
      go = rectangle.if_true;
    }
    for (const unsigned whole : tiles_.columns) go = if_whole(go, rows, columns, whole);
    together(go, rows, columns, columns_at_once_);
  }
  // Where a tile is whole, its extents are constants. Returns the edge to go on with otherwise.
  edge if_whole(edge go, tree rows, tree columns, unsigned whole) {
    const auto high = choose(go, EQ_EXPR, rows, number(tiles_.rows));
    const auto wide = choose(high.if_true, EQ_EXPR, columns, number(whole));
    const auto side_by_side = choose(wide.if_true, EQ_EXPR, columns_at_once_, number(whole));
    const basic_block otherwise = new_block(behind_);
    for (const edge e : {high.if_false, wide.if_false, side_by_side.if_false}) redirect_edge_and_branch(e, otherwise);
    const edge go_on = connect(otherwise, body_.end);
    together(side_by_side.if_true, number(tiles_.rows), number(whole), number(whole));
    return go_on;
  }

  // CUDA's kernels make ints of a thread's numbers.
  void define_again(const thread_loop& threads, const statements& all) {
    for (gimple* s : all)
      if (converts_to_int(s, loop_.x))
        define_again(threads.body, gimple_assign_lhs(s), threads.x_as_int);
      else if (converts_to_int(s, loop_.y))
        define_again(threads.body, gimple_assign_lhs(s), threads.y_as_int);
      else
        define_again(threads.body, gimple_copy(s));
  }
  void define_kept(const thread_loop& threads) {
    define_again(threads, tiles_.again);
    const auto load = [&](tree name) { define_again(threads.body, name, loaded(threads.body, name, threads.index)); };
    for (const tree name : tiles_.kept) load(name);
    for (gphi* const phi : loop_.of_threads) load(gimple_phi_result(phi));
  }

  void together(edge e, tree rows, tree columns, tree pitch) {
    const basic_block before = split_edge(e);
    const basic_block header = split_edge(single_succ_edge(before));
    const basic_block done = split_edge(single_succ_edge(header));
    const basic_block round = new_block(header), next = new_block(round);
    auto* const ends = as_a<gcond*>(gsi_stmt(gsi_last_bb(header_)));
    const edge out = find_edge(header_, after_);
    const int way_out = out->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE);
    const edge leave = find_edge(header, done);
    leave->flags = (leave->flags & ~EDGE_FALLTHRU) | way_out;
    leave->probability = profile_probability::unlikely();
    connect(header, round, way_out ^ (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE))->probability = profile_probability::likely();
    connect(round, next);
    const edge again = connect(next, header);

    // The numbers that they have in common, from round to round.
    statements chain;
    for (gphi* const phi : loop_.in_common) compute_in_rounds(next_[phi], chain);
    for (gimple* s : chain) copies_[s] = again_at(next, s);
    for (gphi* const phi : loop_.in_common) {
      gphi* const copy = create_phi_node(NULL_TREE, header);
      create_new_def_for(gimple_phi_result(phi), copy, gimple_phi_result_ptr(copy));
      add_phi_arg(copy, first_[phi], find_edge(before, header), UNKNOWN_LOCATION);
      add_phi_arg(copy, value_in_next(next_[phi]), again, UNKNOWN_LOCATION);
    }
    for (auto at = gsi_start_nondebug_after_labels_bb(header_); !gsi_end_p(at); gsi_next(&at))
      if (gsi_stmt(at) != ends && !is_gimple_debug(gsi_stmt(at)) && gimple_code(gsi_stmt(at)) == GIMPLE_ASSIGN)
        define_again(header, gimple_copy(gsi_stmt(at)));
    append(header, gimple_copy(ends));

    const thread_loop threads = threads_on(single_succ_edge(round), rows, columns, pitch);
    define_kept(threads);
    one_round(threads);
    what_follows(single_succ_edge(done), rows, columns, pitch);
  }

  // The statements of the loop that compute a number that all have in common, operands first.
  void compute_in_rounds(tree name, statements& chain) {
    if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name)) return;
    gimple* const s = SSA_NAME_DEF_STMT(name);
    if (!rounds_.count(gimple_bb(s)) || gimple_code(s) == GIMPLE_PHI) return;
    if (std::find(chain.begin(), chain.end(), s) != chain.end()) return;
    tree operand;
    ssa_op_iter i;
    FOR_EACH_SSA_TREE_OPERAND (operand, s, i, SSA_OP_USE) compute_in_rounds(operand, chain);
    chain.push_back(s);
  }
  gimple* again_at(basic_block bb, gimple* s) {
    gimple* const copy = gimple_copy(s);
    define_again(bb, copy);
    return copy;
  }
  tree value_in_next(tree name) {
    if (TREE_CODE(name) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF(name)) return name;
    const auto copy = copies_.find(SSA_NAME_DEF_STMT(name));
    return copy == copies_.end() ? name : gimple_assign_lhs(copy->second);
  }

  void one_round(const thread_loop& threads) {
    const auto copy_of = copied(rounds_);
    const basic_block header = copy_of.at(header_);
    for (auto at = gsi_start_phis(header); !gsi_end_p(at);) remove_phi_node(&at, true);
    const basic_block end = split_edge(find_edge(copy_of.at(latch_), header));
    redirect_edge_and_branch(single_succ_edge(end), threads.next);
    auto last = gsi_last_bb(header);
    gsi_remove(&last, true);
    edge e;
    for (edge_iterator i = ei_start(header->succs); (e = ei_safe_edge(i));)
      if (e->dest == after_)
        remove_edge(e);
      else
        ei_next(&i);
    e = single_succ_edge(header);
    e->flags = (e->flags & ~(EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)) | EDGE_FALLTHRU;
    e->probability = profile_probability::always();
    threads.begin_with(header);
    for (gphi* const phi : loop_.of_threads)
      append(end, gimple_build_assign(element(arrays_[gimple_phi_result(phi)], threads.index), next_[phi]));
  }

  void what_follows(edge e, tree rows, tree columns, tree pitch) {
    const thread_loop threads = threads_on(e, rows, columns, pitch);
    define_kept(threads);
    go_on_behind_loop(single_succ_edge(threads.body), threads.next);
  }
  // Each version has a copy of what follows.
  void go_on_behind_loop(edge from, basic_block to) {
    const auto copy_of = laters_.back();
    laters_.pop_back();
    redirect_edge_and_branch(from, copy_of.at(after_));
    for (const auto& [original, copy] : copy_of) redirect_all(copy, body_.end, to);
  }

  // The threads that have come to the loop, through the loop as it was.
  void one_by_one(edge e) {
    const thread_loop threads = threads_on(e, height_, width_, columns_at_once_);
    const tree here = make_ssa_name(unsigned_char_type_node);
    append(threads.body, gimple_build_assign(here, element(here_, threads.index)));
    const auto comes = choose(single_succ_edge(threads.body), NE_EXPR, here, build_zero_cst(unsigned_char_type_node));
    const basic_block enter = comes.if_true->src;
    define_again(enter, tiles_.again);
    for (const tree name : tiles_.kept) define_again(enter, name, loaded(enter, name, threads.index));
    std::map<gphi*, tree> firsts;
    for (gphi* const phi : loop_.in_common) firsts[phi] = first_[phi];
    for (gphi* const phi : loop_.of_threads) firsts[phi] = loaded(enter, gimple_phi_result(phi), threads.index);
    const edge in = redirect_edge_and_branch(comes.if_true, header_);
    for (const auto& [phi, value] : firsts) add_phi_arg(phi, value, in, UNKNOWN_LOCATION);
    one_by_one_next_ = threads.next;
  }

  void finish() {
    if (some_leave_) go_on_behind_loop(find_edge(header_, after_), one_by_one_next_);
    replace_call(body_.works, integer_one_node);
    replace_call(body_.bytes, integer_zero_node);
    replace_call(body_.left, integer_zero_node);
    for (gimple* const mark : {body_.sweep, body_.resume}) {
      auto at = gsi_for_stmt(mark);
      unlink_stmt_vdef(mark);
      gsi_remove(&at, true);
    }
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    loops_state_set(f_, LOOPS_NEED_FIXUP);
    delete_unreachable_blocks();
    update_ssa(TODO_update_ssa);
    loop_optimizer_init(LOOPS_NORMAL);
    for (const basic_block header : headers_)
      if (header->loop_father && header->loop_father->header == header) header->loop_father->safelen = INT_MAX;
    loop_optimizer_finalize();
  }

  function* f_;
  kernel_body& body_;
  const walking_loop& loop_;
  const thread_tiles& tiles_;
  class loop* columns_;  // that goes from tile to tile in a row of them
  tree block_rows_, block_columns_, rows_at_once_, columns_at_once_;
  basic_block tile_, arrival_, after_, behind_, latch_, header_, one_by_one_next_ = nullptr;
  tree first_row_, first_column_, height_, width_;
  tree arrived_, last_row_, last_column_, here_ = NULL_TREE;
  blocks rounds_, earlier_, later_;
  bool some_leave_ = false;
  std::map<gphi*, tree> first_, next_;
  std::map<tree, tree> arrays_;
  std::map<gimple*, gimple*> copies_;
  std::vector<std::map<basic_block, basic_block>> laters_;
  std::vector<basic_block> headers_;
};

}  // namespace

void walk_in_tiles(function* f, kernel_body& body, const walking_loop& loop, const thread_tiles& tiles) {
  walker(f, body, loop, tiles).run();
}

}  // namespace splitter
