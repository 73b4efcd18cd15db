#pragma once
// What the compiler of this build, which also compiles what the tests write, says of a name that it doesn't know.

#include <string>

inline std::string undeclared(const std::string& name) {
#if defined(__clang__)
  return "use of undeclared identifier '" + name + "'";
#else
  return "‘" + name + "’ was not declared in this scope";
#endif
}
