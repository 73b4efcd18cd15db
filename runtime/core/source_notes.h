#pragma once
// source_notes: how the accesses of a program are written, as g++ has noted it by our plugin (compiler/README.md).
//
// The note is an ELF note: part of the program or library, and loaded with it. What was compiled without the plugin has
// none, and nothing is known of it.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/source_place.h"

namespace gs::inline GS_FLAVOUR::detail {

/// An access as it is written.
struct noted_access {
  std::string text;                  ///< "A(i, j + 1)"
  std::string object;                ///< "A"; empty where a function makes the access: "load(x, i)"
  std::vector<std::string> indices;  ///< "i", "j + 1"
  bool takes_address = false;        ///< a pointer or a variable's reference is made of it
};

/// A device array that is declared or assigned to.
struct noted_array {
  std::string name;
  unsigned first_line = 0, column = 0, last_line = 0;
};

class source_notes {
 public:
  /// Of all programs and libraries that are loaded now.
  static std::shared_ptr<const source_notes> of_loaded_code();
  /// Of a note's text. Lines that aren't understood are left out.
  void add(std::string_view text);

  /// Whether nothing was compiled with the plugin.
  bool empty() const { return !is_known_; }
  /// The access whose index says that it stands there; null if there is none, or several in one macro.
  const noted_access* access_at(const source_place& place) const;
  /// The variable that is made or assigned by the call there, which takes its place; empty if there is none.
  std::string name_at(const source_place& place) const;
  /// The device arrays that get their value in this line, in the order of the source.
  std::vector<noted_array> arrays_in(const std::string& file, unsigned line) const;
  /// Whether a barrier of the block stands in one of these lines.
  bool has_barrier(const std::string& file, unsigned first, unsigned last) const;
  /// Whether the line is in a function that has a parameter gs::block.
  bool is_in_block_style(const std::string& file, unsigned line) const;
  /// Whether a function around the line, or any of the file, makes a pointer of one to something else, or reads the
  /// elements of a tile past its index.
  bool has_casts(const std::string& file, unsigned line) const;
  bool has_casts(const std::string& file) const;

 private:
  struct notes_of_file {
    std::map<std::pair<unsigned, unsigned>, noted_access> accesses;
    std::map<std::pair<unsigned, unsigned>, std::string> names;
    std::map<std::pair<unsigned, unsigned>, noted_array> arrays;
    std::vector<unsigned> barriers;
    std::vector<std::pair<unsigned, unsigned>> block_style, casts;  // first and last line
  };
  const notes_of_file& of(const std::string& file) const;
  static void add_line(const std::vector<std::string>& fields, notes_of_file& file);

  bool is_known_ = false;
  std::map<std::string, notes_of_file> files_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
