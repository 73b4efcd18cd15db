#pragma once
// spin_marks: what tells whoever runs a kernel's threads that one of them goes round in a loop and waits for another:
// see runtime/engine/spinning.h.

#include <cstdint>

extern "C" {
/// A thread goes round again in a loop that ends when other threads have changed what it reads. `seen` holds what it
/// has read this time, `round` counts from 1 since it came to the loop (0: nobody counts); `only_reads`: nothing that
/// it does in the loop can be news for others, as long as it reads the same. The place must live as long as the
/// program.
void gridstride_spin_again(const char* file, unsigned line, std::uint64_t seen, std::uint32_t round,
                           bool only_reads) noexcept;
/// Whether the threads whose loop follows may spin. The compiler puts a number in the place of this call.
bool gridstride_spin_possible() noexcept;
}
