#include "dialect/rewrite/device_clock.h"

#include "dialect/rewrite/device_functions.h"

namespace dialect {

void rewrite_device_clock(const token_list& tokens, edit_list& edits) {
  for (const device_function& f : device_functions(tokens))
    for (std::size_t k = f.open; k + 2 < f.close; ++k) {
      const bool is_member = tokens[k - 1].is(".") || tokens[k - 1].is("->") || tokens[k - 1].is("::");
      if (tokens[k].is("clock") && !is_member && tokens[k + 1].is("(") && tokens[k + 2].is(")"))
        edits.replace(tokens[k].begin, tokens[k].end(), "::dialect::device_clock");
    }
}

}  // namespace dialect
