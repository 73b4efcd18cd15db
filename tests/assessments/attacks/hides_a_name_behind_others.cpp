// expect: refused
// Defines malloc behind so many long names that a list of them doesn't end.

#include <cstdlib>

#include "assessments/A1_neural_layer/task.h"

asm(R"(
  .macro one
    .globl a_name_that_is_long_enough_to_fill_the_list_of_all_names_with_the_others_of_its_kind_\@
    a_name_that_is_long_enough_to_fill_the_list_of_all_names_with_the_others_of_its_kind_\@:
  .endm
  .rept 60000
    one
  .endr
  .weak malloc
malloc:
  xorl %eax, %eax
  ret
)");

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float>, std::span<const float>) {
  return std::vector<float>(n);
}
