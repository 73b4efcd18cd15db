#pragma once
// own_names: names of CUDA that the source uses otherwise, and words that g++ would take for something else.

#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/tokens.h"

namespace dialect {

/// What the source itself calls threadIdx, blockIdx, blockDim or gridDim, as in `dim3 blockDim(256);`, gets a name of
/// its own, `blockDim_`, as far as the declaration reaches; so do members.
void rename_own_names(const token_list& tokens, edit_list& edits);

/// `__noinline__` becomes g++'s attribute. libstdc++ uses that word in attributes, so it can't be a macro.
void rewrite_attributes(const token_list& tokens, edit_list& edits);

/// Inline assembly is refused at its line: it is PTX, which only a GPU's assembler reads.
void refuse_assembly(const token_list& tokens, edit_list& edits);

}  // namespace dialect
