#include "runtime/instruments/results/program_words.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

constinit std::span<const program_word> spoken_words;

}  // namespace

void speak_in(std::span<const program_word> words) { spoken_words = words; }

std::string in_program_words(std::string sentence) {
  for (const program_word& word : spoken_words)
    for (std::size_t at = sentence.find(word.ours); at != sentence.npos;
         at = sentence.find(word.ours, at + word.theirs.size()))
      sentence.replace(at, word.ours.size(), word.theirs);
  return sentence;
}

}  // namespace gs::inline GS_FLAVOUR::instruments
