#pragma once
// Sites: the places in the source that access memory, as small numbers.

#include <cstdint>
#include <deque>
#include <map>
#include <source_location>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/source_place.h"
#include "runtime/observe/site.h"

namespace gs::inline GS_FLAVOUR::instruments {

inline source_place place_of(const std::source_location& where) {
  return {where.file_name(), where.line(), where.column()};
}

/// The sites of this program. A source location is known by the address of the compiler's description of it, so that
/// looking one up again costs a comparison.
class site_table {
 public:
  site_table() { places_.emplace_back(); }

  site number_of(const std::source_location& where) {
    const void* key = __builtin_bit_cast(const void*, where);
    recent& slot = slot_of(key);
    if (slot.key != key) slot = {key, find(key, where)};
    return slot.number;
  }
  /// The site of a piece of code, for an access that carries no source location. resolve() finds its place.
  site number_of_code(const void* code) {
    recent& slot = slot_of(code);
    if (slot.key != code) slot = {code, find_code(code)};
    return slot.number;
  }
  /// The same for `where`; if that is in the runtime itself, the site of the code that has called the runtime.
  site number_of_caller(const std::source_location& where);
  /// The same for the instruction before `code`, which this thread of the system has just been interrupted at: the site
  /// of the innermost code that has a line.
  site number_of_stack_from(const void* code);
  /// The same place as code that called: `code` itself, or where a function of the C library was called that it is part
  /// of.
  static const void* caller_of(const void* code);
  /// The site of the innermost of these calls that isn't in the runtime. Each is the address that it returns to.
  site number_of_calls(std::span<const void* const> calls) { return number_of_stack({calls.begin(), calls.end()}); }
  site number_of_place(const source_place& where) { return find_place(where.file, where.line, where.column); }
  /// A number that stands for a text, for what has no place.
  site number_of_text(const std::string& text) { return find_place(text, 0, 0); }
  /// Finds the places of the code met so far in the debugging information, by binutils' addr2line. Where there is none,
  /// the place stays unknown. It has no column, unless as many calls of the runtime are known in its line as there are
  /// arrays named: then they are taken to be these, in the order in which they first ran.
  void resolve();
  /// Before resolve(), that of a piece of code has line 0 and the site's number as its column.
  const source_place& place(site number) const { return places_[number]; }
  /// What place() said, now that resolve() has run.
  const source_place& known(const source_place& said) const { return said.line == 0 ? places_[said.column] : said; }
  std::size_t size() const { return places_.size(); }

 private:
  static constexpr std::size_t recent_count = 256;
  struct recent {
    const void* key = nullptr;
    site number = unknown_site;
  };
  recent& slot_of(const void* key) { return recent_[reinterpret_cast<std::uintptr_t>(key) / 8 % recent_count]; }
  site find(const void* key, const std::source_location& where);
  site find_code(const void* code);
  site number_of_stack(std::vector<const void*> frames);
  void find_columns();
  site find_place(const std::string& file, unsigned line, unsigned column);

  recent recent_[recent_count];
  std::unordered_map<const void*, site> by_address_;
  std::map<std::tuple<std::string, unsigned, unsigned>, site> by_place_;  // one place may have several descriptions
  using stack_table = std::map<std::vector<const void*>, site>;
  stack_table by_stack_;  // calls, innermost first
  std::vector<stack_table::const_iterator> unresolved_;
  struct call {
    const void* code;
    site number;
  };
  std::map<std::pair<std::string, unsigned>, std::vector<call>> calls_;  // by line, those that make something there
  std::deque<source_place> places_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
