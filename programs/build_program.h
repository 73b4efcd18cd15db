#pragma once
// build_program: makes a program of the user's files, or says why that fails.

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "programs/program_files.h"
#include "workshop/build_parts.h"
#include "workshop/compilation.h"
#include "workshop/process.h"

namespace programs {

/// How a program's sources say what runs.
enum class entry {
  main,   ///< int main()
  report  ///< workbook::this_lesson(): parameters, plots, checks
};

/// What is made of the sources.
enum class products {
  program,
  program_and_module  ///< also the module of a program that has a report, for the viewer
};

struct built_program {
  workshop::compiled_product product;
  programs::entry entry = entry::main;
  std::filesystem::path module = {};  ///< in the product's folder; empty if none was asked for, or if it has a main
  std::string left_out = {};          ///< what this machine's compiler can't check; printable lines
};

/// What the user reads about sources that don't build: a sentence, advice if the mistake is a known one, the messages.
struct build_failure {
  std::string text;
};

struct build_interrupted {};

/// Compiles and links the sources, in a minute at most. main is looked for in the object files. Throws gs::error if
/// there is none or more than one, or if a file can't be read or isn't text; gs::machine_error
/// for what the machine lacks.
std::variant<built_program, build_failure, build_interrupted> build_program(const program_files& files,
                                                                            workshop::flavour f,
                                                                            const workshop::interruption& interrupt,
                                                                            products wanted = products::program);

}  // namespace programs
