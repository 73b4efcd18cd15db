#pragma once
// program_words: the findings' sentences speak of gs. A program in another language has other words for the same.

#include <span>
#include <string>
#include <string_view>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// A part of a sentence, and what takes its place.
struct program_word {
  std::string_view ours;    ///< as the findings of gs have it
  std::string_view theirs;  ///< as the program's language has it
};

/// From now on findings have those words. They live as long as the program, and are replaced in their order.
void speak_in(std::span<const program_word> words);

/// The sentence in the program's words.
std::string in_program_words(std::string sentence);

}  // namespace gs::inline GS_FLAVOUR::instruments
