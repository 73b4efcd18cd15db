#pragma once
// What a reader may do with any input: take it (0), or refuse it with a sentence (-1, so that libFuzzer doesn't add it
// to its corpus). Another exception, a crash, or what the sanitizers find ends the program.

#include <cstdint>
#include <string_view>

#include "runtime/core/error.h"

template <class Read>
int reads(const std::uint8_t* data, std::size_t size, Read read_input) {
  try {
    read_input(std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
  } catch (const gs::error&) {
    return -1;
  }
}
