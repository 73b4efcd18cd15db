#include "compiler/device_marks/unmarked_functions.h"

namespace device_marks {
namespace {

struct call {
  std::string caller;  ///< empty if the function itself is launched
  location_t place = UNKNOWN_LOCATION;
};

struct unmarked_function {
  std::string name;
  location_t place;
  bool is_lambda;
  call from;
};

// The place that a learner sees, for which the compiler may have several numbers: of a template's instances, of macros.
std::tuple<std::string, int, int> text_place(location_t place) {
  const expanded_location at = expand_location(place);
  return {at.file ? at.file : "", at.line, at.column};
}

class search {
 public:
  explicit search(const known_declarations& known) : known_(known) {}

  std::vector<unmarked_function> run() {
    for (cgraph_node* node : roots()) reach(node, {});
    for (; !to_read_.empty(); to_read_.pop_front()) read(to_read_.front().first, to_read_.front().second);
    std::vector<unmarked_function> sorted;
    for (auto& entry : found_) sorted.push_back(std::move(entry.second));
    return sorted;
  }

 private:
  std::vector<cgraph_node*> roots() const {
    run_on_device run = known_.run;
    std::vector<cgraph_node*> nodes;
    cgraph_node* node;
    FOR_EACH_FUNCTION (node) add_run_by(node->decl, run);
    FOR_EACH_FUNCTION (node) {
      if (node->alias || node->thunk || !DECL_LANG_SPECIFIC(node->decl) || is_of_runtime(node->decl)) continue;
      if (is_marked(node->decl) || is_among(node->decl, run) ||
          (is_written_by_user(node->decl) && is_kernel(node->decl)))
        nodes.push_back(node);
    }
    std::stable_sort(nodes.begin(), nodes.end(), [](const cgraph_node* a, const cgraph_node* b) {
      return text_place(DECL_SOURCE_LOCATION(a->decl)) < text_place(DECL_SOURCE_LOCATION(b->decl));
    });
    return nodes;
  }

  void reach(cgraph_node* node, const call& from) {
    if (!reached_.insert(node).second) return;
    to_read_.push_back({node, from});
    const tree f = node->decl;
    if (!is_written_by_user(f) || needs_no_mark(f)) return;
    const lambda_name* const lambda = lambda_of(f);
    const unmarked_function unmarked{lambda ? lambda->name : title(f), lambda ? lambda->place : DECL_SOURCE_LOCATION(f),
                                     is_lambda_of_namespace(f), from};
    found_.emplace(text_place(unmarked.place), unmarked);
  }

  // A call from the runtime, a library or generated code counts where the program called that code.
  void read(cgraph_node* node, const call& from) {
    const tree f = outermost(node->decl);
    const bool is_users = is_written_by_user(f);
    const lambda_name* const lambda = is_users ? lambda_of(f) : nullptr;
    const std::string name = lambda ? lambda->name : is_users ? title(f) : "";
    const auto called_at = [&](location_t place) {
      if (!is_users) return from;
      return call{name, LOCATION_LOCUS(place) > BUILTINS_LOCATION ? place : DECL_SOURCE_LOCATION(f)};
    };
    for (cgraph_edge* edge = node->callees; edge; edge = edge->next_callee)
      reach(edge->callee->function_symbol(),
            called_at(edge->call_stmt ? gimple_location(edge->call_stmt) : UNKNOWN_LOCATION));
    ipa_ref* reference = nullptr;
    for (unsigned k = 0; node->iterate_reference(k, reference); ++k)
      if (auto* const named = dyn_cast<cgraph_node*>(reference->referred))
        reach(named->function_symbol(),
              called_at(reference->stmt ? gimple_location(reference->stmt) : UNKNOWN_LOCATION));
  }

  // Null if it is none, or is in no variable.
  const lambda_name* lambda_of(tree f) const {
    const auto found =
        is_lambda_of_namespace(f) ? known_.lambdas.find(TYPE_UID(DECL_CONTEXT(f))) : known_.lambdas.end();
    return found == known_.lambdas.end() ? nullptr : &found->second;
  }

  const known_declarations& known_;
  std::set<cgraph_node*> reached_;
  std::deque<std::pair<cgraph_node*, call>> to_read_;
  std::map<std::tuple<std::string, int, int>, unmarked_function> found_;
};

}  // namespace

void report_unmarked_functions(const known_declarations& known) {
  for (const unmarked_function& unmarked : search(known).run()) {
    auto_diagnostic_group together;
    error_at(unmarked.place, "%qs runs on the device and %s", unmarked.name.c_str(),
             unmarked.is_lambda ? "isn't a function" : "isn't marked GS_FN");
    if (!unmarked.from.caller.empty())
      inform(unmarked.from.place, "%qs calls it, which runs there", unmarked.from.caller.c_str());
  }
}

}  // namespace device_marks
