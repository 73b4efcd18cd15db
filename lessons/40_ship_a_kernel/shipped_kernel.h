#pragma once
// A kernel that came as text: it is compiled here, for this processor, stored by what it is, and run in a sandbox.

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/host/descriptor.h"
#include "workshop/build_parts.h"
#include "workshop/compilation.h"
#include "workshop/file_text.h"
#include "workshop/machine.h"
#include "workshop/private_folder.h"
#include "workshop/process.h"
#include "workshop/sandbox.h"
#include "workshop/source_file.h"

namespace shipped {

namespace fs = std::filesystem;

/// A sentence on why it can't be compiled or has not come to its end.
struct failure {
  std::string text;
};

struct program {
  fs::path file;
  bool was_stored = false;  ///< by an earlier compilation
  double seconds = 0;       ///< that compiling took now
  std::shared_ptr<void> folder = {};
};

inline fs::path process_source() { return fs::path(__FILE__).parent_path() / "kernel_process.cpp"; }

/// What a program is made of here. Throws gs::machine_error where it isn't built.
inline workshop::compilation_parts program_parts(const std::string& asked) {
  const auto flavour = workshop::flavour::plain;
  return workshop::read_parts(workshop::build_folder(flavour) / "programs/parts.json", asked, flavour, "program_parts");
}

/// What machine code fits: the processor, compiler and flags that made it, and the libraries that it calls.
inline std::string fitting(const workshop::compilation_parts& parts) {
  return fmt::format("{}\n{}\n{}\n{}\nglibc {}", workshop::machine_name(), parts.compiler, fmt::join(parts.flags, " "),
                     __VERSION__, gnu_get_libc_version());
}

/// The same of this rank; empty where it has nothing built to compile with.
inline std::string fitting_here() {
  try {
    return fitting(program_parts("take a compiled kernel"));
  } catch (const gs::machine_error&) {
    return {};
  }
}

/// Everything on which the program depends: two kernels with the same identity are the same program. The text alone
/// isn't enough: another processor or compiler makes another one of it.
inline std::string identity_of(const std::string& text, const workshop::compilation_parts& parts) {
  return fmt::format("{}\n{}\n{}", text, workshop::read_text(process_source(), "reading kernel_process.cpp"),
                     fitting(parts));
}

/// FNV-1a (Fowler, Noll, Vo): a short name for a long text. Others can make a text with the same hash on purpose, so
/// the whole text is compared as well.
inline std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

/// Programs that others could write would be run as if they were ours: the folder is this user's alone. Empty: there is
/// no such folder, and nothing is stored.
inline fs::path store() {
  const char* const chosen = std::getenv("GRIDSTRIDE_KERNELS");
  const char* const home = std::getenv("HOME");
  fs::path folder;
  if (chosen != nullptr && *chosen != '\0')
    folder = chosen;
  else if (home != nullptr && *home != '\0')
    folder = fs::path(home) / ".cache/gridstride/kernels";
  else
    return {};
  std::error_code failed;
  fs::create_directories(folder, failed);
  fs::permissions(folder, fs::perms::owner_all, failed);  // fails for another user's
  return failed ? fs::path() : folder;
}

inline std::string whole_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Compiles the text, in a sandbox, unless the same is stored. Throws gs::machine_error for what this machine lacks.
inline std::variant<program, failure> compile(const std::string& text) {
  const std::string asked = "compile a kernel";
  const workshop::compilation_parts parts = program_parts(asked);
  const std::string identity = identity_of(text, parts);
  const fs::path folder = store(), stored = folder / hash_of(identity), text_of_stored = stored.string() + ".text";
  if (!folder.empty() && whole_file(text_of_stored) == identity && fs::exists(stored))
    return program{.file = stored, .was_stored = true};

  workshop::compilation work({.purpose = asked,
                              .parts = parts,
                              .sources = {{.path = "kernel.cpp", .text = text}},
                              .includer = workshop::including_file{process_source(), "GRIDSTRIDE_KERNEL"},
                              .seconds = 30,
                              .level = workshop::strongest_isolation()});
  auto problem = work.compile();
  if (!problem) problem = work.link();
  if (problem) return failure{problem->text};
  const workshop::compiled_product made = work.result();
  if (folder.empty()) return program{.file = made.file, .seconds = made.seconds, .folder = made.folder};
  // A name is given when the file is whole, and the text comes last: who finds it finds the program, too.
  const fs::path copy = fmt::format("{}.{}", stored.string(), getpid());
  fs::copy_file(made.file, copy, fs::copy_options::overwrite_existing);
  fs::rename(copy, stored);
  workshop::write_text(text_of_stored, identity, "storing a kernel");
  return program{.file = made.file, .seconds = made.seconds, .folder = made.folder};
}

/// A program as it travels: machine code, and what it fits.
struct machine_code {
  std::string fits;
  std::string bytes;
};
inline machine_code code_of(const program& p) { return {fitting(program_parts("send a kernel")), whole_file(p.file)}; }

/// The program, where it fits: nothing where it was made for another processor, by another compiler or for other
/// libraries. It isn't stored: the store goes by texts, and nobody can tell whether this code is what they say.
inline std::optional<program> program_from(const machine_code& code, const std::string& fitting_of_rank) {
  if (code.bytes.empty() || code.fits != fitting_of_rank) return std::nullopt;
  const auto folder = std::make_shared<workshop::private_folder>();
  const fs::path file = folder->path() / "kernel";
  workshop::write_text(file, code.bytes, "keeping a kernel");
  return program{.file = file, .folder = folder};
}

/// A file in memory.
inline gs::detail::descriptor memory_file(const char* name) {
  gs::detail::descriptor file(memfd_create(name, MFD_CLOEXEC));
  if (!file.open())
    throw gs::machine_error("run a kernel", std::system_category().message(errno), "end other programs");
  return file;
}

inline std::string ending_of(const workshop::program_result& ended, double seconds) {
  if (ended.timed_out) return fmt::format("it ran for {} s and was stopped", seconds);
  if (ended.status == 128 + SIGSYS) return "it asked the system for what the sandbox refuses";
  if (ended.status > 128) return fmt::format("signal {} ended it", ended.status - 128);
  return fmt::format("it ended with status {}: {}", ended.status, gs::detail::printable(ended.output.substr(0, 200)));
}

/// Runs it in a sandbox, for `seconds` at most: no network, no files but the system's, no other programs.
inline std::variant<std::vector<float>, failure> run(const program& p, const std::vector<float>& x, double seconds) {
  const workshop::compilation_parts parts = program_parts("run a kernel");
  // The sandbox's user can't read what is stored in this user's folder.
  const workshop::private_folder place;
  fs::permissions(place.path(), fs::perms(0755));
  const fs::path file = place.path() / "kernel";
  fs::copy_file(p.file, file);
  fs::permissions(file, fs::perms(0755));

  const gs::detail::descriptor in = memory_file("numbers"), out = memory_file("results");
  const std::size_t bytes = x.size() * sizeof(float);
  if (pwrite(in.number(), x.data(), bytes, 0) != static_cast<ssize_t>(bytes))
    throw gs::machine_error("run a kernel", std::system_category().message(errno), "choose a smaller size");
  workshop::confinement limits;
  limits.readable = parts.readable;
  limits.readable.push_back(place.path());
  limits.processor_seconds = 60;
  const workshop::program_result ended =
      workshop::run_program({.command = workshop::confined(workshop::strongest_isolation(), limits, {file.string()}),
                             .descriptors = {in.number(), out.number()}},
                            seconds);
  if (ended.timed_out || ended.status != 0) return failure{ending_of(ended, seconds)};
  std::vector<float> y(x.size());
  // However much or little the stranger has written: what is taken is a number for each number.
  if (pread(out.number(), y.data(), bytes, 0) != static_cast<ssize_t>(bytes)) return failure{"it sent too few numbers"};
  return y;
}

}  // namespace shipped
