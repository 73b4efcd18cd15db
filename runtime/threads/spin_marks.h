#pragma once
// spin_marks: the calls by which a kernel's code tells the engine that a thread spins in a loop and waits for another
// thread: see runtime/engine/spinning.h.

#include <cstdint>

extern "C" {
/// A thread starts another round of a loop that ends when other threads have changed what it reads. `values` combines
/// what it has read this time, `round` counts from 1 since it entered the loop (0: not counted); `only_reads`: as long
/// as it reads the same, nothing that it does in the loop can change what others see. The file's name must live as long
/// as the program.
void gridstride_spin_again(const char* file, unsigned line, std::uint64_t values, std::uint32_t round,
                           bool only_reads) noexcept;
/// Whether the threads whose loop follows may spin. The compiler replaces this call by a constant.
bool gridstride_spin_possible() noexcept;
}
