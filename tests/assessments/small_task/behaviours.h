#pragma once
// What the submission many_faces.cpp can do, by the number that a call hands it.

#include <cstddef>
#include <iterator>
#include <string_view>

inline constexpr std::string_view behaviours[] = {
    "right",          "wrong_returned", "wrong_out",      "wrong_size",  "crash",         "crash_in_kernel",
    "stack_overflow", "abort",          "divide_by_zero", "exit",        "quick_exit",    "sleep",
    "exception",      "odd_exception",  "bad_alloc",      "device_full", "write_input",   "before_out",
    "behind_out",     "change_held",    "early_answer",   "wrong_nonce", "close_channel", "print_much",
    "fork",           "system",         "execute",        "socket",      "kill_parent",   "read_files",
    "write_files",    "fill_disk",      "burn",           "race",        "print_escapes", "signal_exit",
    "remember",       "stop_runner",    "i386_call",      "x32_call",    "lease",         "lock",
    "host_reads",     "host_writes",    "burn_in_kernel"};

constexpr int behaviour(std::string_view name) {
  for (std::size_t k = 0; k < std::size(behaviours); ++k)
    if (behaviours[k] == name) return static_cast<int>(k);
  throw "there is no such behaviour";
}
