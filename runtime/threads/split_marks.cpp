#include "runtime/threads/split_marks.h"

#include <cstdlib>

// The marks where the plugin hasn't replaced them: nothing has been split.
extern "C" {
bool gridstride_split_works() noexcept { return false; }
unsigned gridstride_split_rows(unsigned) noexcept { return 1; }
unsigned gridstride_split_columns(unsigned, unsigned) noexcept { return 1; }
std::size_t gridstride_split_bytes(unsigned) noexcept { return 0; }
void gridstride_split_sweep(unsigned, std::byte*, unsigned, const void**, unsigned) noexcept {}
void gridstride_split_resume(unsigned, std::size_t, unsigned, unsigned) noexcept {}
void gridstride_split_wait(const void*) noexcept { std::abort(); }
[[noreturn]] void gridstride_split_refuse() noexcept { std::abort(); }
unsigned gridstride_split_left() noexcept { return 0; }
}
