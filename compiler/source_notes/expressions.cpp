#include "compiler/source_notes/expressions.h"

#include "compiler/device_marks/declarations.h"

namespace source_notes {
namespace {

using device_marks::is_of_runtime;

std::string name_of(tree declaration) {
  const tree name = declaration && DECL_P(declaration) ? DECL_NAME(declaration) : NULL_TREE;
  return name && TREE_CODE(name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER(name) : "";
}

bool is_class_called(tree type, const char* name) {
  return type && CLASS_TYPE_P(type) && name_of(TYPE_NAME(TYPE_MAIN_VARIANT(type))) == name;
}
bool is_runtime_class(tree type, const char* name) {
  return is_class_called(type, name) && is_of_runtime(TYPE_MAIN_DECL(TYPE_MAIN_VARIANT(type)));
}
// Of a block: gs::thread's, and CUDA's, __syncthreads() with its kin and the method of
// cooperative_groups::thread_block.
bool is_barrier(tree function) {
  const std::string name = name_of(function);
  if (!DECL_CLASS_SCOPE_P(function)) return name.rfind("__syncthreads", 0) == 0;
  const tree type = DECL_CONTEXT(function);
  return name.rfind("sync", 0) == 0 && (is_runtime_class(type, "thread") || is_class_called(type, "thread_block"));
}
bool is_cuda_allocation(tree function) {
  const std::string name = function ? name_of(function) : "";
  return name.rfind("cudaMalloc", 0) == 0 || name == "cudaHostAlloc";
}
bool is_source_location(tree type) {
  return is_class_called(type, "source_location") && decl_in_std_namespace_p(TYPE_MAIN_DECL(TYPE_MAIN_VARIANT(type)));
}

// A device array, a pointer to one, or what the standard library makes of it: std::unique_ptr<gs::device_array<T>>.
bool holds_device_array(tree type) {
  type = non_reference(type);
  if (TYPE_PTR_P(type)) type = TREE_TYPE(type);
  if (is_runtime_class(type, "device_array")) return true;
  if (!CLASS_TYPE_P(type) || !CLASSTYPE_TEMPLATE_INFO(type) ||
      !decl_in_std_namespace_p(TYPE_MAIN_DECL(TYPE_MAIN_VARIANT(type))))
    return false;
  const tree arguments = INNERMOST_TEMPLATE_ARGS(CLASSTYPE_TI_ARGS(type));
  return TREE_VEC_LENGTH(arguments) > 0 && TYPE_P(TREE_VEC_ELT(arguments, 0)) &&
         is_runtime_class(TREE_VEC_ELT(arguments, 0), "device_array");
}

// An expression without conversions, references and what else g++ wraps around a value.
tree plain(tree e) {
  while (e) {
    switch (TREE_CODE(e)) {
      case TARGET_EXPR:
        e = TARGET_EXPR_INITIAL(e);
        continue;
      case NOP_EXPR:
      case CONVERT_EXPR:
      case NON_LVALUE_EXPR:
      case VIEW_CONVERT_EXPR:
      case ADDR_EXPR:
      case CLEANUP_POINT_EXPR:
      case EXPR_STMT:
      case MUST_NOT_THROW_EXPR:
        e = TREE_OPERAND(e, 0);
        continue;
      case INDIRECT_REF:
        if (!REFERENCE_REF_P(e) && TREE_CODE(TREE_OPERAND(e, 0)) != NOP_EXPR &&
            TREE_CODE(TREE_OPERAND(e, 0)) != ADDR_EXPR)
          return e;
        e = TREE_OPERAND(e, 0);
        continue;
      case COMPOUND_EXPR:
        e = TREE_OPERAND(e, 1);
        continue;
      default:
        return e;
    }
  }
  return e;
}

bool is_call(tree e) { return e && (TREE_CODE(e) == CALL_EXPR || TREE_CODE(e) == AGGR_INIT_EXPR); }
int argument_count(tree call) {
  return TREE_CODE(call) == CALL_EXPR ? call_expr_nargs(call) : aggr_init_expr_nargs(call);
}
tree& argument(tree call, int k) {
  return TREE_CODE(call) == CALL_EXPR ? CALL_EXPR_ARG(call, k) : AGGR_INIT_EXPR_ARG(call, k);
}
tree callee(tree call) { return cp_get_callee_fndecl_nofold(call); }
bool is_constructor(tree function) { return function && DECL_CONSTRUCTOR_P(function); }
bool is_operator(tree function, tree_code code, bool assigns = false) {
  return function && DECL_LANG_SPECIFIC(function) && DECL_OVERLOADED_OPERATOR_P(function) &&
         DECL_NAME(function) == ovl_op_identifier(assigns, code);
}

// The place of the std::source_location::current() call for this argument; unknown if it has none.
location_t place_in(tree value) {
  if (!value || !is_source_location(non_reference(TREE_TYPE(value)))) return UNKNOWN_LOCATION;
  value = plain(value);
  if (value && TREE_CODE(value) == CALL_EXPR && callee(value) && name_of(callee(value)) == "current")
    return EXPR_LOCATION(value);
  if (value && TREE_CODE(value) == CONSTRUCTOR && CONSTRUCTOR_NELTS(value) == 1) {
    const tree data = plain(CONSTRUCTOR_ELT(value, 0)->value);
    if (data && VAR_P(data)) return DECL_SOURCE_LOCATION(data);
  }
  return UNKNOWN_LOCATION;
}
location_t place_among(tree call) {
  for (int k = 0; k < argument_count(call); ++k)
    if (const location_t place = place_in(argument(call, k)); is_known(place)) return place;
  return UNKNOWN_LOCATION;
}
// The place of the index that an argument of a call is made of: gs::detail::index takes it.
location_t place_of_index(tree value) {
  const tree made = plain(value);
  if (!is_call(made) || !CLASS_TYPE_P(non_reference(TREE_TYPE(value))) || !is_constructor(callee(made)))
    return UNKNOWN_LOCATION;
  return place_among(made);
}

// The source place where an object or a value begins; unknown where g++ keeps none, as for a variable.
location_t begin_of_tree(tree e) {
  while (e && EXPR_P(e)) {
    const location_t begin = begin_of(EXPR_LOCATION(e));
    const bool is_one_character = begin == get_pure_location(EXPR_LOCATION(e));
    switch (TREE_CODE(e)) {
      case TARGET_EXPR:
        e = TARGET_EXPR_INITIAL(e);
        continue;
      case CALL_EXPR:
        if (call_expr_nargs(e) == 0 || !(is_operator(callee(e), ARRAY_REF) || is_operator(callee(e), COMPONENT_REF)))
          return begin;
        e = CALL_EXPR_ARG(e, 0);
        continue;
      case NOP_EXPR:
      case ADDR_EXPR:
      case SAVE_EXPR:
      case POINTER_PLUS_EXPR:
        e = TREE_OPERAND(e, 0);
        continue;
      case INDIRECT_REF:
        if (is_known(begin) && !is_one_character) return begin;
        e = TREE_OPERAND(e, 0);
        continue;
      default:
        return begin;
    }
  }
  return UNKNOWN_LOCATION;
}
location_t begin_of_index(tree value) {
  const tree made = plain(value);
  if (is_call(made))
    for (int k = 0; k < argument_count(made); ++k)
      if (const location_t begin = begin_of_tree(argument(made, k));
          is_known(begin) && !is_source_location(non_reference(TREE_TYPE(argument(made, k)))))
        return begin;
  return UNKNOWN_LOCATION;
}

// The '[' of an access by operator[], of which g++ says where one of its brackets is, or in a template sometimes only
// where its index begins.
std::size_t square_bracket(const written_text& text, location_t place, tree index) {
  const std::size_t at = text.at(place);
  if (at == written_text::nowhere || text[at] == '[') return at;
  if (text[at] == ']') return text.opening(at);
  std::size_t begin = text.at(begin_of_index(index));
  if (begin == written_text::nowhere) return begin;
  begin = text.before_blanks(begin, " \t\n(");
  return begin > 0 && text[begin - 1] == '[' ? begin - 1 : written_text::nowhere;
}

access_note access_of(tree call, location_t place) {
  access_note note;
  const tree f = callee(call);
  const written_text text(place);
  const bool is_square = is_operator(f, ARRAY_REF);
  const bool is_access = is_square || is_operator(f, CALL_EXPR);
  const location_t whole = EXPR_LOCATION(call);
  const std::size_t open = is_square ? square_bracket(text, place, CALL_EXPR_ARG(call, 1)) : text.at(whole);
  if (open == written_text::nowhere || text[open] != (is_square ? '[' : '(')) return note;
  const std::size_t close = text.closing(open);
  if (close == written_text::nowhere) return note;
  std::size_t begin = text.at(is_square ? begin_of_tree(CALL_EXPR_ARG(call, 0)) : begin_of(whole));
  if (begin >= open) begin = text.name_before(open);  // also where it isn't known
  if (begin >= open) return note;
  note.text = text.between(begin, close + 1);
  const auto indices = text.list_between(open + 1, close);
  if (!is_access || static_cast<int>(indices.size()) != call_expr_nargs(call) - 1) return note;
  note.object = text.between(begin, open);
  note.indices = indices;
  return note;
}

bool is_reference_to_element(tree e) {
  return e && TREE_CODE(e) == CALL_EXPR && TYPE_REF_P(TREE_TYPE(e)) &&
         (is_operator(callee(e), ARRAY_REF) || is_operator(callee(e), CALL_EXPR));
}

// Whether a conversion makes a pointer to something else of a pointer.
bool is_cast_of_pointer(tree e) {
  const tree to = TREE_TYPE(e), from = TREE_TYPE(TREE_OPERAND(e, 0));
  if (!is_known(EXPR_LOCATION(e)) || in_system_header_at(EXPR_LOCATION(e))) return false;
  if (!INDIRECT_TYPE_P(to) || integer_zerop(TREE_OPERAND(e, 0))) return false;
  if (!INDIRECT_TYPE_P(from)) return INTEGRAL_TYPE_P(from);
  const tree target = TYPE_MAIN_VARIANT(TREE_TYPE(to)), source = TYPE_MAIN_VARIANT(TREE_TYPE(from));
  if (same_type_p(target, source) || VOID_TYPE_P(target) || FUNC_OR_METHOD_TYPE_P(source)) return false;
  if (TREE_CODE(source) == ARRAY_TYPE && same_type_p(TYPE_MAIN_VARIANT(TREE_TYPE(source)), target)) return false;
  return !(CLASS_TYPE_P(target) && CLASS_TYPE_P(source) &&
           (DERIVED_FROM_P(target, source) || DERIVED_FROM_P(source, target)));
}

class reader {
 public:
  reader(tree function, note_text& notes) : function_(function), notes_(notes) {}

  void run() {
    cp_walk_tree_without_duplicates(&DECL_SAVED_TREE(function_), visit, this);
    const location_t begin = DECL_SOURCE_LOCATION(function_), end = last_place_in(DECL_SAVED_TREE(function_), begin);
    if (has_casts_) notes_.add_casts(begin, end);
    for (tree p = DECL_ARGUMENTS(function_); p; p = DECL_CHAIN(p))
      if (is_runtime_class(non_reference(TREE_TYPE(p)), "block")) notes_.add_block_style(begin, end);
  }

 private:
  static tree visit(tree* at, int* goes_on, void* self) {
    if (TYPE_P(*at))
      *goes_on = 0;
    else
      static_cast<reader*>(self)->look_at(*at);
    return NULL_TREE;
  }

  void look_at(tree e) {
    switch (TREE_CODE(e)) {
      case CALL_EXPR:
      case AGGR_INIT_EXPR:
        return look_at_call(e);
      case INIT_EXPR:
      case MODIFY_EXPR:
        return look_at_value(TREE_OPERAND(e, 0), TREE_OPERAND(e, 1), EXPR_LOCATION(e));
      case DECL_EXPR:
        if (VAR_P(DECL_EXPR_DECL(e)) && DECL_INITIAL(DECL_EXPR_DECL(e)))
          look_at_value(DECL_EXPR_DECL(e), DECL_INITIAL(DECL_EXPR_DECL(e)), UNKNOWN_LOCATION);
        return;
      case NOP_EXPR:
      case CONVERT_EXPR:
        // A reference is built from a pointer.
        if (TYPE_REF_P(TREE_TYPE(e)))
          references_.insert(TREE_OPERAND(e, 0));
        else if (TYPE_PTR_P(TREE_TYPE(e)) && !references_.count(e) && is_reference_to_element(TREE_OPERAND(e, 0)))
          addressed_.insert(TREE_OPERAND(e, 0));
        has_casts_ |= is_cast_of_pointer(e);
        return;
      case COMPONENT_REF:
        has_casts_ |= name_of(TREE_OPERAND(e, 1)) == "elements" && is_of_runtime(TREE_OPERAND(e, 1));
        return;
      default:
        return;
    }
  }

  void look_at_call(tree call) {
    const tree f = callee(call);
    if (f && is_constructor(f) && argument_count(call) > 0) {
      note_name(argument(call, 0), call, EXPR_LOCATION(call));
      return;
    }
    if (TREE_CODE(call) != CALL_EXPR) return;
    if (is_operator(f, NOP_EXPR, true) && call_expr_nargs(call) == 2)
      note_name(CALL_EXPR_ARG(call, 0), CALL_EXPR_ARG(call, 1), EXPR_LOCATION(call));
    if (is_cuda_allocation(f) && call_expr_nargs(call) > 1)  // (&x, ...)
      note_name(CALL_EXPR_ARG(call, 0), call, EXPR_LOCATION(call));
    if (f && is_barrier(f)) notes_.add_barrier(EXPR_LOCATION(call));
    bool is_added = false;
    for (int k = 0; k < call_expr_nargs(call); ++k) {
      const location_t place = place_of_index(CALL_EXPR_ARG(call, k));
      if (!is_known(place)) continue;
      access_note note = access_of(call, place);
      note.takes_address = addressed_.count(call) != 0;
      if (!is_added) notes_.add_access(place, note);
      is_added = true;
    }
  }

  void look_at_value(tree object, tree value, location_t place) {
    if (DECL_P(object) && TYPE_REF_P(TREE_TYPE(object))) {
      tree element = value;
      STRIP_NOPS(element);
      if (is_reference_to_element(element)) addressed_.insert(element);
    }
    note_name(object, value, place);
  }

  // `object` becomes what `value` makes.
  void note_name(tree object, tree value, location_t place) {
    const tree owner = plain(object), made = plain(value);
    if (!owner || !made) return;
    const tree declaration = TREE_CODE(owner) == COMPONENT_REF ? TREE_OPERAND(owner, 1) : owner;
    if (!DECL_P(declaration)) return;
    const std::string name = name_of(declaration);
    if (name.empty() || name.rfind("__", 0) == 0) return;
    if (!holds_device_array(TREE_TYPE(declaration))) {
      // (The error that cudaMalloc() gives is no array, and its pointer's name has been noted.)
      if (is_call(made) && (TYPE_PTR_P(TREE_TYPE(declaration)) || !is_cuda_allocation(callee(made))))
        if (const location_t at = place_among(made); is_known(at)) notes_.add_name(at, name);
      return;
    }
    makers_of makers{notes_, name};
    cp_walk_tree_without_duplicates(&value, visit_maker, &makers);
    if (!makers.any) return;
    const location_t written = VAR_P(declaration) && !is_known(place) ? DECL_SOURCE_LOCATION(declaration) : place;
    notes_.add_array(written, last_place_in(value, written), name);
  }

  // Calls that make a value, and in f(x).g() also f: not what they are called with.
  struct makers_of {
    note_text& notes;
    const std::string& name;
    bool any = false;
  };
  static tree visit_maker(tree* at, int* goes_on, void* data) {
    if (TYPE_P(*at)) *goes_on = 0;
    if (!is_call(*at)) return NULL_TREE;
    *goes_on = 0;
    makers_of& makers = *static_cast<makers_of*>(data);
    makers.any = true;
    if (const location_t place = place_among(*at); is_known(place)) makers.notes.add_name(place, makers.name);
    const tree f = callee(*at);
    if (f && !is_constructor(f) && argument_count(*at) > 0 && TREE_CODE(TREE_TYPE(f)) == METHOD_TYPE)
      cp_walk_tree_without_duplicates(&argument(*at, 0), visit_maker, data);
    return NULL_TREE;
  }

  // The place of the last line of an expression, or of a function's body, that begins at `begin`.
  static location_t last_place_in(tree e, location_t begin) {
    std::pair<expanded_location, location_t> last{shown_place(begin), begin};
    cp_walk_tree_without_duplicates(&e, later_place, &last);
    return last.second;
  }
  static tree later_place(tree* at, int* goes_on, void* latest) {
    auto& [known, place] = *static_cast<std::pair<expanded_location, location_t>*>(latest);
    if (TYPE_P(*at)) *goes_on = 0;
    if (!EXPR_P(*at) || !is_known(EXPR_LOCATION(*at))) return NULL_TREE;
    const expanded_location one = shown_place(EXPR_LOCATION(*at));
    if (one.file && known.file && one.line > known.line && strcmp(one.file, known.file) == 0)
      known = one, place = EXPR_LOCATION(*at);
    return NULL_TREE;
  }

  tree function_;
  note_text& notes_;
  std::set<tree> addressed_, references_;
  bool has_casts_ = false;
};

}  // namespace

void read_function(tree function, note_text& notes) {
  const location_t place = DECL_SOURCE_LOCATION(function);
  if (!DECL_SAVED_TREE(function) || !is_known(place) || in_system_header_at(place) || is_of_runtime(function)) return;
  reader(function, notes).run();
}

}  // namespace source_notes
