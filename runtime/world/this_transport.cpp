// Which message library this process uses: it is loaded when the world is first asked for, and only under a launcher.

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "runtime/core/error.h"
#include "runtime/world/launcher.h"
#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

std::string title_of(const std::string& mpi) { return mpi == "mpich" ? "MPICH" : "Open MPI"; }

// The folder that the runtime itself was loaded from.
std::filesystem::path own_folder() {
  Dl_info here{};
  dladdr(reinterpret_cast<const void*>(&transport_of_one), &here);  // NOLINT
  return std::filesystem::path(here.dli_fname ? here.dli_fname : "").parent_path();
}

std::string launched_text(const rank_launcher& launcher) {
  if (launcher.variable == "GRIDSTRIDE_MPI") return fmt::format("GRIDSTRIDE_MPI asks for {}", title_of(launcher.mpi));
  const std::string ranks = launcher.ranks > 0 ? fmt::format("{} ranks", launcher.ranks) : "ranks";
  return fmt::format("a launcher of {} has started {} ({} is set)", title_of(launcher.mpi), ranks, launcher.variable);
}

// A signal is the program's: the engine makes errors of those that kernels raise. Open MPI, and UCX below both, would
// print where in their own code they were. They read these variables when they are loaded.
void leave_signals_alone() {
  for (const char* variable : {"OMPI_MCA_opal_signal", "UCX_ERROR_SIGNALS"}) setenv(variable, "", 0);
}

const transport& load(const rank_launcher& launcher) {
  const auto file = own_folder() / fmt::format("libgridstride_world_{}.so", launcher.mpi);
  leave_signals_alone();
  // Open MPI loads parts of its own, which look for its functions.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  using table_function = const void* (*)();
  const auto table = library ? reinterpret_cast<table_function>(dlsym(library, "gridstride_transport")) : nullptr;
  if (!table)
    throw machine_error(
        "gs::world() under a launcher",
        fmt::format("{}, and this build can't use that MPI: {}", launched_text(launcher), dlerror()),
        fmt::format("install lib{}-dev and build again, or start the ranks by the other mpirun", launcher.mpi));
  return *static_cast<const transport*>(table());
}

// A launcher of another MPI than the library's leaves each rank alone, in a world of one.
void check_world(const transport& library, const rank_launcher& launcher) {
  const int size = library.size(library.everybody());
  if (launcher.ranks > 1 && size == 1)
    throw error("gs::world() under a launcher",
                fmt::format("{}, and in {} each of them is a world of one", launched_text(launcher), library.name),
                "start the ranks by the mpirun of that library, or unset GRIDSTRIDE_MPI");
}

const transport& start_transport() {
  const rank_launcher launcher = this_launcher();
  if (launcher.mpi.empty()) return transport_of_one();
  const transport& library = load(launcher);
  if (const int code = library.start(); code != 0) {
    char text[512] = "";
    library.describe(code, text, sizeof text);
    throw machine_error("gs::world()", fmt::format("{} can't start: {}", library.name, text),
                        "try its mpirun with a program of its own");
  }
  check_world(library, launcher);
  return library;
}

}  // namespace

const transport& this_transport() {
  static const transport& library = start_transport();
  return library;
}

}  // namespace gs::inline GS_FLAVOUR::detail
