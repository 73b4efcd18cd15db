#include "compiler/kept_values.h"

namespace splitter {
namespace {

// A value is computed again rather than kept if that takes no more statements: most can then be done outside of the
// loop.
constexpr std::size_t most_again = 24;

// The blocks at whose start a name is live. False if it is used outside of the body.
bool find_live(const kernel_body& body, tree name, blocks& live) {
  std::vector<basic_block> uses;
  imm_use_iterator i;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST (use, i, name) {
    gimple* const s = USE_STMT(use);
    if (is_gimple_debug(s)) continue;
    if (!body.contains(s)) return false;
    uses.push_back(gimple_code(s) == GIMPLE_PHI ? gimple_phi_arg_edge(as_a<gphi*>(s), PHI_ARG_INDEX_FROM_USE(use))->src
                                                : gimple_bb(s));
  }
  const basic_block definition = gimple_bb(SSA_NAME_DEF_STMT(name));
  live = walk(uses, false, [&](basic_block bb) { return bb != definition; });
  return true;
}

// A call of what depends on nothing but its arguments, which are the same for all threads: it is made outside of the
// loop over them.
bool is_call_for_all(const kernel_body& body, gimple* s) {
  if (!is_gimple_call(s) || !(gimple_call_flags(s) & ECF_CONST) || !(gimple_call_flags(s) & ECF_NOTHROW)) return false;
  tree operand;
  ssa_op_iter i;
  FOR_EACH_SSA_TREE_OPERAND (operand, s, i, SSA_OP_USE)
    if (!SSA_NAME_IS_DEFAULT_DEF(operand) && body.contains(SSA_NAME_DEF_STMT(operand))) return false;
  return true;
}

}  // namespace

bool compute_again(const kernel_body& body, tree name, statements& chain) {
  gimple* const s = SSA_NAME_DEF_STMT(name);
  if (SSA_NAME_IS_DEFAULT_DEF(name) || !body.contains(s)) return true;
  if (std::find(chain.begin(), chain.end(), s) != chain.end()) return true;
  if (is_call_for_all(body, s)) return chain.push_back(s), chain.size() <= most_again;
  if (!is_gimple_assign(s) || (gimple_vuse(s) ? !reads_constant(s) : gimple_could_trap_p(s))) return false;
  tree operand;
  ssa_op_iter i;
  FOR_EACH_SSA_TREE_OPERAND (operand, s, i, SSA_OP_USE)
    if (!compute_again(body, operand, chain)) return false;
  chain.push_back(s);
  return chain.size() <= most_again;
}

std::string find_kept_values(function* f, const kernel_body& body, std::vector<kept_values>& values) {
  values.resize(body.waits.size());
  const uniform_values uniform(body);
  unsigned i;
  tree name;
  FOR_EACH_SSA_NAME (i, name, f) {
    if (SSA_NAME_IS_DEFAULT_DEF(name) || virtual_operand_p(name) || !body.contains(SSA_NAME_DEF_STMT(name))) continue;
    blocks live;
    if (!find_live(body, name, live)) return "a value leaves it";
    for (std::size_t w = 0; w < body.waits.size(); ++w) {
      if (!live.count(body.behind(body.waits[w]))) continue;
      kept_values& values_here = values[w];
      if (statements chain; compute_again(body, name, chain)) {
        for (gimple* s : chain)
          if (std::find(values_here.again.begin(), values_here.again.end(), s) == values_here.again.end())
            values_here.again.push_back(s);
      } else {
        (uniform.contains(name) ? values_here.uniform : values_here.of_threads).push_back(name);
      }
    }
  }
  return "";
}

}  // namespace splitter
