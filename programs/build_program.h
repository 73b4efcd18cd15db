#pragma once
// build_program: files of one's own become a program, or it is said why not.

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

struct built_program {
  workshop::compiled_product product;
  programs::entry entry = entry::main;
  std::string left_out = {};  ///< what this machine's compiler can't look for; printable, in lines
};

/// What is told of sources that don't build: a sentence, advice where the mistake is a known one, the messages.
struct build_failure {
  std::string text;
};

struct build_interrupted {};

/// Compiles and links the sources, at most a minute. The program's own main is found in its object files. Throws
/// gs::error where there is none, where there are two, or where a file can't be read or isn't text; gs::machine_error
/// for what the machine lacks.
std::variant<built_program, build_failure, build_interrupted> build_program(const program_files& files,
                                                                            workshop::flavour f,
                                                                            const workshop::interruption& interrupt);

}  // namespace programs
