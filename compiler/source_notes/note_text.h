#pragma once
// note_text: the plugin's findings in a source, as the note that the program carries.

#include "compiler/source_notes/written_text.h"

namespace source_notes {

/// An access as it is written: "A(i, j + 1)".
struct access_note {
  std::string text;                  ///< empty: it isn't known
  std::string object;                ///< "A"; empty where a function makes the access
  std::vector<std::string> indices;  ///< "i", "j + 1"
  bool takes_address = false;        ///< a pointer or a reference is made of it that may outlive the expression
};

class note_text {
 public:
  /// The access whose index says that it stands at `place`.
  void add_access(location_t place, const access_note& access);
  /// The object that a call at `place` makes gets this name.
  void add_name(location_t place, const std::string& name);
  /// A device array is declared or assigned to there; its initialiser ends at `last`.
  void add_array(location_t place, location_t last, const std::string& name);
  void add_barrier(location_t place);
  /// A function, with its lines.
  void add_block_style(location_t first, location_t last);
  void add_casts(location_t first, location_t last);
  /// Writes the note into the assembly that g++ makes, if there is any.
  void write() const;

 private:
  using lines_of_file = std::set<std::string>;
  lines_of_file* file_of(const expanded_location& place);

  std::map<std::string, lines_of_file> lines_;
  std::map<std::tuple<std::string, int, int>, std::string> accesses_;  // empty: of several that say the same place
};

}  // namespace source_notes
