// split_at_barriers: a plugin for g++. It makes the threads of a block into a loop from each barrier to the next; see
// README.md.

#include "compiler/kept_values.h"
#include "compiler/kernel_body.h"
#include "compiler/replay_marks.h"
#include "compiler/rewrite.h"
#include "compiler/spin_loops.h"
#include "compiler/thread_tiles.h"

int plugin_is_GPL_compatible;

namespace splitter {
namespace {

// The barrier's place in the source: the call of the function that holds the mark.
location_t place_of(const gimple* wait) {
  for (tree block = gimple_block(wait); block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    if (inlined_function_outer_scope_p(block)) return BLOCK_SOURCE_LOCATION(block);
  return gimple_location(wait);
}

// For -fopt-info-loop.
void say(dump_flags_t kind, const kernel_body& body, const std::string& text) {
  const location_t place =
      body.waits.empty() ? DECL_SOURCE_LOCATION(current_function_decl) : place_of(body.waits.front());
  if (dump_enabled_p()) dump_printf_loc(kind, dump_user_location_t::from_location_t(place), "%s\n", text.c_str());
}

void say_split(const kernel_body& body, const std::vector<kept_values>& values) {
  std::size_t most = 0;
  for (const kept_values& v : values) most = std::max(most, v.of_threads.size());
  say(MSG_OPTIMIZED_LOCATIONS, body,
      "split at " + std::to_string(values.size()) + (values.size() == 1 ? " barrier" : " barriers") +
          ", across which each thread keeps " + std::to_string(most) + (most == 1 ? " number" : " numbers"));
}

// What a row of threads has in common is asked once for the row if g++ may copy the loop for each answer; kernels that
// read the neighbours of a tile have more such conditions than it copies an ordinary loop for.
void copy_loops_for_more_conditions(function* f) {
  cl_optimization before;
  cl_optimization_save(&before, &global_options, &global_options_set);
#if GCCPLUGIN_VERSION_MAJOR < 13  // which doesn't bound the number of conditions, only their cost
  param_max_unswitch_level = 6;
#endif
  param_max_unswitch_insns = 100;
  DECL_FUNCTION_SPECIFIC_OPTIMIZATION(f->decl) = build_optimization_node(&global_options, &global_options_set);
  cl_optimization_restore(&global_options, &global_options_set, &before);
  set_cfun(f, true);  // it reads the function's options
}

// Why it can't be split at its barriers; empty if it has been.
std::string split_at_waits(function* f, kernel_body& body) {
  if (body.waits.empty()) return "it has no barrier";
  std::vector<kept_values> values;
  if (std::string why_not = find_kept_values(f, body, values); !why_not.empty()) return why_not;
  say_split(body, values);
  for (gimple* const mark : {body.rows, body.columns})
    if (mark) replace_call(mark, integer_one_node);
  split(f, body, values);
  copy_loops_for_more_conditions(f);
  return "";
}

// Whether tiles of the threads go through a loop of it together.
bool let_threads_walk(function* f, kernel_body& body) {
  if (!body.waits.empty() || !body.rows || !body.columns) return false;
  if (optimize < 3 || !flag_tree_loop_vectorize) return false;
  std::string text;
  location_t where = UNKNOWN_LOCATION;
  const auto say_there = [&](dump_flags_t kind, const std::string& what) {
    if (dump_enabled_p()) dump_printf_loc(kind, dump_user_location_t::from_location_t(where), "%s\n", what.c_str());
  };
  const walking_loop loop = find_walking_loop(body, text, where);
  thread_tiles tiles;
  if (std::string why_not = loop.of ? plan_tiles(body, loop, tiles) : text; !loop.of || !why_not.empty()) {
    if (!why_not.empty()) say_there(MSG_MISSED_OPTIMIZATION, "threads go through it one after the other: " + why_not);
    return false;
  }
  say_there(MSG_OPTIMIZED_LOCATIONS, "threads go through it together: " + text);
  walk_in_tiles(f, body, loop, tiles);
  return true;
}

unsigned split_if_possible(function* f) {
  kernel_body body = find_marks(f);
  if (!body.works) return 0;
  std::string why_not = find_body(f, body);
  if (why_not.empty() && !let_threads_walk(f, body)) why_not = split_at_waits(f, body);
  if (!why_not.empty()) {
    if (!body.waits.empty()) say(MSG_MISSED_OPTIMIZATION, body, "not split at its barriers: " + why_not);
    replace_call(body.works, integer_zero_node);
  }
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  return TODO_update_ssa | TODO_cleanup_cfg;
}

constexpr pass_data described(const char* name) {
  return {GIMPLE_PASS, name, OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, TODO_update_ssa};
}

class split_pass final : public gimple_opt_pass {
 public:
  explicit split_pass(gcc::context* c) : gimple_opt_pass(described("split_at_barriers"), c) {}
  unsigned execute(function* f) override { return split_if_possible(f); }
};

// Turns the members of local structs into values (SRA), as g++ does later for all functions.
class values_pass final : public gimple_opt_pass {
 public:
  explicit values_pass(gcc::context* c)
      : gimple_opt_pass(described("split_at_barriers_values"), c), replacement_of_aggregates_(make_pass_sra(c)) {}
  unsigned execute(function* f) override { return find_marks(f).works ? replacement_of_aggregates_->execute(f) : 0; }

 private:
  opt_pass* replacement_of_aggregates_;
};

class spin_pass final : public gimple_opt_pass {
 public:
  explicit spin_pass(gcc::context* c) : gimple_opt_pass(described("spin_loops"), c) {}
  unsigned execute(function* f) override { return find_spin_loops(f) ? TODO_update_ssa | TODO_cleanup_cfg : 0; }
};

class replay_pass final : public gimple_opt_pass {
 public:
  explicit replay_pass(gcc::context* c) : gimple_opt_pass(described("replay_marks"), c) {}
  unsigned execute(function* f) override { return remove_replay_marks(f) ? TODO_update_ssa | TODO_cleanup_cfg : 0; }
};

}  // namespace
}  // namespace splitter

int plugin_init(plugin_name_args* info, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    inform(UNKNOWN_LOCATION,
           "%s was built for another g++: threads that wait at a barrier will be fibers until its folder is "
           "removed and the build configured again",
           info->full_name);
    return 0;
  }
  const auto insert = [&](opt_pass* pass, const char* reference, pass_positioning_ops position) {
    register_pass_info placement{pass, reference, 1, position};
    register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &placement);
  };
  // In between, g++ makes use of what is known of the values. Behind both comes jump threading, which makes several
  // barriers of one.
  insert(new splitter::values_pass(g), "retslot", PASS_POS_INSERT_AFTER);
  insert(new splitter::spin_pass(g), "retslot", PASS_POS_INSERT_AFTER);  // which makes it the first of the two
  insert(new splitter::replay_pass(g), "objsz", PASS_POS_INSERT_BEFORE);
  insert(new splitter::split_pass(g), "threadfull", PASS_POS_INSERT_BEFORE);
  return 0;
}
