#pragma once
// Sources in CUDA C++, those in programs/ and a test's own, and what gridstride-program makes of them.

#include <filesystem>
#include <string>

#include "tests/programs/written_programs.h"
#include "workshop/build_parts.h"

namespace programs_test {

class cuda_sources : public written_programs {
 protected:
  /// A file of programs/.
  ending run_program(const std::string& name) const { return run("run '" CUDA_PROGRAMS "/" + name + "'"); }
  ending run_source(const std::string& text) const {
    write("homework.cu", text);
    return run("run homework.cu");
  }
};

class inspected_cuda_sources : public cuda_sources {
 protected:
  void SetUp() override {
    cuda_sources::SetUp();
    const auto parts = workshop::build_folder(workshop::flavour::checked) / "dialect/parts.json";
    if (!std::filesystem::exists(parts)) GTEST_SKIP() << "the checked preset's program_parts aren't built: " << parts;
  }
  ending inspect_source(const std::string& text) const {
    write("homework.cu", text);
    return run("inspect homework.cu");
  }
};

/// Whether the checked build has the plugin for g++ that notes how accesses are written.
inline bool accesses_are_noted() {
  return !std::filesystem::exists(workshop::build_folder(workshop::flavour::checked) / "compiler/marks_left_out");
}
inline constexpr const char* are_not_noted = "without the plugin for g++, findings have neither names nor columns";

/// Debian 12's: other versions were not tried.
inline bool has_thrust() {
  return text_of("/usr/include/thrust/version.h").find("#define THRUST_VERSION 1017") != std::string::npos;
}

}  // namespace programs_test
