#pragma once
// struct_copies: accesses that -fsanitize=thread has no hook for, made into ones that it has.

namespace source_notes {

/// Registers a pass of the plugin of that name. It comes before g++ puts in the hooks of -fsanitize=thread, and does
/// nothing in a function that gets none.
void insert_struct_copies(const char* plugin);

}  // namespace source_notes
