#pragma once
// unmarked_text: what is said of functions that run on the device without GS_FN, as a compiler would say it.

#include <string>
#include <vector>

#include "exercises/explain/unmarked_functions.h"

namespace exercises {

struct unmarked_text {
  std::string first;     ///< what the first one lacks, as a sentence
  std::string messages;  ///< of all, each with its line of source and who calls it
  std::string advice;
};

/// `found` is not empty. `source` is the file's text, `file` how it is called.
unmarked_text text_of_unmarked(const std::vector<unmarked_function>& found, const std::string& source,
                               const std::string& file);

}  // namespace exercises
