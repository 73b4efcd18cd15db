#pragma once
// expressions: the accesses and names in a function's body, before g++ folds anything.

#include "compiler/source_notes/note_text.h"

namespace source_notes {

/// Notes the accesses and names in the body of a function that a learner may have written.
void read_function(tree function, note_text& notes);

}  // namespace source_notes
