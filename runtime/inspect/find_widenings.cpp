#include "runtime/inspect/find_widenings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "runtime/inspect/source_text.h"
#include "runtime/inspect/widening_place.h"

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

class search {
 public:
  search(const std::vector<dumped_function>& functions, const std::vector<std::size_t>& roots,
         const std::vector<promotion_warning>& warnings)
      : functions_(functions), warnings_(warnings), caller_(functions.size(), none) {
    for (std::size_t i = 0; i < functions.size(); ++i) index_of_[functions[i].symbol] = i;
    reach(roots);
  }

  found_widenings run() {
    for (std::size_t f : reached_)
      if (!is_library(f)) look_into(f);
    std::sort(found_.widenings.begin(), found_.widenings.end(), [](const widening& a, const widening& b) {
      return std::tie(a.file, a.line, a.column, a.function) < std::tie(b.file, b.line, b.column, b.function);
    });
    found_.not_seen.assign(not_seen_.begin(), not_seen_.end());
    return std::move(found_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // A constructor or destructor is called by one symbol and may be defined by another that means the same ("C1", "C2").
  std::size_t find(const std::string& symbol) const {
    if (const auto found = index_of_.find(symbol); found != index_of_.end()) return found->second;
    for (const char kind : {'C', 'D'}) {
      const std::string complete = {kind, '1'};
      for (std::size_t at = symbol.find(complete); at != symbol.npos; at = symbol.find(complete, at + 1)) {
        std::string base = symbol;
        base[at + 1] = '2';
        if (const auto found = index_of_.find(base); found != index_of_.end()) return found->second;
      }
    }
    return none;
  }

  bool is_library(std::size_t f) const { return functions_[f].file.starts_with("/usr/"); }

  // Breadth first, so that the way to each function is a shortest one.
  void reach(const std::vector<std::size_t>& roots) {
    std::set<std::size_t> seen(roots.begin(), roots.end());
    reached_.assign(seen.begin(), seen.end());
    for (std::size_t next = 0; next < reached_.size(); ++next) {
      const std::size_t f = reached_[next];
      for (const auto& reference : functions_[f].references) {
        const std::size_t target = find(reference.symbol);
        if (target == none) {
          if (reference.is_call && !is_library(f)) note_not_seen(reference);
        } else if (seen.insert(target).second) {
          caller_[target] = f;
          reached_.push_back(target);
        }
      }
    }
  }

  void note_not_seen(const dumped_function::reference& reference) {
    if (reference.symbol.empty()) {
      not_seen_.insert("a function pointer (line " + std::to_string(reference.at.line) + ")");
      return;
    }
    const std::string name = demangled(reference.symbol);
    const bool is_cpp = reference.symbol.starts_with("_Z");
    if (is_cpp && name.find("std::") == name.npos && !name.starts_with("operator ")) not_seen_.insert(name);
  }

  // Does a function of the library, or what it calls there, widen a float32?
  bool library_widens(std::size_t f) {
    if (const auto known = library_widens_.find(f); known != library_widens_.end()) return known->second;
    library_widens_[f] = false;  // for recursion
    const auto& conversions = functions_[f].float_conversions;
    bool widens = std::any_of(conversions.begin(), conversions.end(), [](const auto& c) { return c.widens(); });
    for (const auto& reference : functions_[f].references) {
      if (widens) break;
      const std::size_t target = find(reference.symbol);
      widens = target != none && is_library(target) && library_widens(target);
    }
    return library_widens_[f] = widens;
  }

  const source_text& source_of(const std::string& file) { return sources_.try_emplace(file, file).first->second; }

  void add(std::size_t f, widening found) {
    found.function = functions_[f].name;
    for (std::size_t c = caller_[f]; c != none; c = caller_[c])
      found.called_from.insert(found.called_from.begin(), functions_[c].name);
    found_.widenings.push_back(std::move(found));
  }

  // g++ names a function before its warnings, a lambda only as "lambda function".
  bool belongs_to(const promotion_warning& warning, const dumped_function& function) const {
    if (warning.at.file != function.file) return false;
    const bool is_inside = warning.at.line >= function.first_line && warning.at.line <= function.last_line;
    if (warning.context.starts_with("In lambda function"))
      return is_inside && function.label.find("<lambda(") != std::string::npos && !has_nested_lambda(warning, function);
    for (const char before : {' ', '\'', '*', '&'})
      for (const char* after : {"(", "'"}) {
        const std::size_t at = warning.context.find(before + function.label + after);
        if (at != std::string::npos) return is_inside || !has_namesake(function);
      }
    // A generic lambda is named by its class: "In instantiation of 'f(float)::<lambda(auto:1)>'".
    const std::size_t operation = function.label.find("::operator()");
    return is_inside && operation != std::string::npos && function.label.find("<lambda(") != std::string::npos &&
           warning.context.find(function.label.substr(0, operation) + "'") != std::string::npos;
  }

  bool has_namesake(const dumped_function& function) const {
    return std::count_if(functions_.begin(), functions_.end(),
                         [&](const auto& f) { return f.label == function.label; }) > 1;
  }

  // Another lambda that holds the warning and is narrower than this one.
  bool has_nested_lambda(const promotion_warning& warning, const dumped_function& outer) const {
    return std::any_of(functions_.begin(), functions_.end(), [&](const auto& inner) {
      return &inner != &outer && inner.file == outer.file && inner.label.find("<lambda(") != std::string::npos &&
             inner.first_line <= warning.at.line && warning.at.line <= inner.last_line &&
             inner.last_line - inner.first_line < outer.last_line - outer.first_line;
    });
  }

  void look_into(std::size_t f) {
    const dumped_function& function = functions_[f];
    std::vector<widening_place> places = place_extensions(function);

    // A warning tells most about a conversion, so each takes the one that it is about; the narrowest expressions first.
    std::vector<const promotion_warning*> warnings;
    for (const promotion_warning& warning : warnings_)
      if (belongs_to(warning, function)) warnings.push_back(&warning);
    const auto extent = [](const promotion_warning* w) {
      return std::pair(w->last.line - w->first.line, w->last.column - w->first.column);
    };
    std::stable_sort(warnings.begin(), warnings.end(), [&](auto* a, auto* b) { return extent(a) < extent(b); });
    for (const promotion_warning* warning : warnings) {
      widening shown = place_warning(*warning, source_of(warning->at.file));
      const auto taken = take_operand(places, *warning);
      shown.removed_by_compiler = !taken;
      if (taken) shown.to = *taken;
      add(f, std::move(shown));
    }
    // g++ may convert the results of a ?: one by one where the source converts their choice: that is told already.
    std::erase_if(places, [&](const widening_place& place) {
      return place.is_conditional && place.use == widened_as::operand &&
             std::any_of(warnings.begin(), warnings.end(),
                         [&](auto* warning) { return is_within(place.shown, *warning); });
    });
    for (widening_place& place : places) add(f, std::move(place.shown));
    report_library_calls(f);
  }

  std::vector<widening_place> place_extensions(const dumped_function& function) {
    std::vector<widening_place> places;
    std::vector<bool> used(function.conversions.size(), false);
    for (const auto& conversion : function.float_conversions) {
      // The two lists are in the same order, so the first unused statement at the same place is the one.
      const dumped_function::conversion* statement = nullptr;
      for (std::size_t i = 0; i < used.size() && !statement; ++i) {
        if (used[i] || function.conversions[i].at != conversion.at) continue;
        used[i] = true;
        statement = &function.conversions[i];
      }
      if (conversion.widens())
        places.push_back(place_conversion(function, conversion, statement, source_of(conversion.at.file)));
    }
    return places;
  }

  // Line and column in bytes.
  std::pair<std::size_t, std::size_t> place_of(const position& at) {
    return {at.line, source_of(at.file).byte_column(at.line, at.column)};
  }

  bool is_within(const widening& shown, const promotion_warning& warning) {
    const std::pair at(shown.line, shown.column);
    return shown.file == warning.at.file && at >= place_of(warning.first) && at <= place_of(warning.last);
  }

  // Removes the conversion that `warning` is about from `places` and says what it widened to; nullopt if g++ left none.
  std::optional<std::string> take_operand(std::vector<widening_place>& places, const promotion_warning& warning) {
    const auto first = place_of(warning.first), operation = place_of(warning.at);
    auto best = places.end();
    for (auto candidate = places.begin(); candidate != places.end(); ++candidate) {
      const std::pair at(candidate->shown.line, candidate->shown.column);
      if (candidate->use != widened_as::operand || !is_within(candidate->shown, warning)) continue;
      // What looks like a cast at the operator itself is a macro.
      if (candidate->shown.is_explicit && at != operation) continue;
      if (best == places.end() || at == first || at == operation) best = candidate;
    }
    // As an argument, a ?: is converted where the call stands.
    if (best == places.end() && warning.conditional)
      best = std::find_if(places.begin(), places.end(), [&](const widening_place& place) {
        return place.is_conditional && place.shown.line <= warning.last.line &&
               place.shown.line + 3 > warning.first.line;
      });
    if (best == places.end()) return std::nullopt;
    std::string to = best->shown.to;
    places.erase(best);
    return to;
  }

  void report_library_calls(std::size_t f) {
    const dumped_function& function = functions_[f];
    std::set<std::pair<position, std::size_t>> reported;
    for (const auto& reference : function.references) {
      const std::size_t target = find(reference.symbol);
      if (target == none || !is_library(target) || !library_widens(target)) continue;
      if (!reported.insert({reference.at, target}).second) continue;
      widening shown;
      shown.file = reference.at.file;
      shown.line = reference.at.line;
      shown.column = shown.last_column = reference.at.column;
      shown.to = "float64";
      shown.expression = functions_[target].label;
      shown.reason = functions_[target].label + " computes in float64";
      shown.advice = "pass float32 arguments only: 2.0f, not 2 or 2.0";
      const source_text& source = source_of(shown.file);
      if (const auto at = source.offset(shown.line, shown.column)) {
        // A constructor that is called for a temporary object may stand where its statement ends.
        const char found = source.text({*at, *at + 1})[0];
        const auto returned = found == ')' || found == ';' ? source.returned_expression(*at) : std::nullopt;
        set_expression(shown, returned ? *returned : found == '(' ? source.call(*at) : source.expression(*at), source);
      }
      add(f, std::move(shown));
    }
  }

  const std::vector<dumped_function>& functions_;
  const std::vector<promotion_warning>& warnings_;
  std::vector<std::size_t> caller_;   // through which each function was reached
  std::vector<std::size_t> reached_;  // in the order found
  std::unordered_map<std::string, std::size_t> index_of_;
  std::map<std::size_t, bool> library_widens_;
  std::map<std::string, source_text> sources_;
  std::set<std::string> not_seen_;
  found_widenings found_;
};

}  // namespace

found_widenings find_widenings(const std::vector<dumped_function>& functions, const std::vector<std::size_t>& roots,
                               const std::vector<promotion_warning>& warnings) {
  return search(functions, roots, warnings).run();
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
