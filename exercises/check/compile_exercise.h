#pragma once
// Compiles a learner's file with the checks of its exercise: as the checked flavour is compiled, or by nvcc for a GPU.

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "exercises/result/exercise_result.h"
#include "workshop/build_parts.h"
#include "workshop/private_folder.h"
#include "workshop/process.h"
#include "workshop/sandbox.h"

namespace exercises {

inline constexpr double compile_seconds = 60;
inline constexpr double nvcc_seconds = 180;  ///< it compiles for the host and for GPUs
inline constexpr std::uint64_t compile_memory_bytes = std::uint64_t{4} << 30;

/// A program in a folder that goes with the last copy of this object.
struct exercise_program {
  std::filesystem::path program;
  std::filesystem::path source;  ///< the learner's file, absolute
  std::shared_ptr<workshop::private_folder> folder;
  workshop::flavour flavour = workshop::flavour::checked;
};

struct interrupted {};

/// The program, of the checked flavour or the CUDA build's; or nothing, and `result` says why: a compile error, time or
/// memory ran out. Fills in compile_seconds. Throws gs::error if the file can't be read, gs::machine_error if that
/// flavour's exercise_parts aren't built.
std::variant<exercise_program, std::monostate, interrupted> compile(const std::filesystem::path& file,
                                                                    workshop::isolation level,
                                                                    const workshop::interruption& interrupt,
                                                                    exercise_result& result,
                                                                    workshop::flavour f = workshop::flavour::checked);

/// Where the checks of an exercise are.
std::filesystem::path checks_of(const workbook::catalogue_exercise& exercise);

/// A sentence on what an exercise compiled with these parts isn't checked for: functions without GS_FN, where g++ has
/// no plugin. Empty: nothing is left out.
std::string left_out_by(const workshop::compilation_parts& parts);

/// What the checks of an exercise read beside the program: libraries, sources.
std::vector<std::filesystem::path> readable_by_checks(workshop::flavour f);

}  // namespace exercises
