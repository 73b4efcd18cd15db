#include "bench/measure/peer_programs.h"

#include <filesystem>

namespace bench {
namespace {

// Whether pip has put a package into the virtual environment: ENVIRONMENT/lib/python3.x/site-packages/PACKAGE.
bool own_environment_has(const std::string& package) {
  const std::filesystem::path environment = std::filesystem::path(GRIDSTRIDE_BENCH_PEER_PYTHON).parent_path() / "..";
  std::error_code absent;
  for (const auto& version : std::filesystem::directory_iterator(environment / "lib", absent))
    if (std::filesystem::exists(version.path() / "site-packages" / package)) return true;
  return false;
}

}  // namespace

std::vector<std::shared_ptr<outside_peer>> all_peer_programs() {
  // The distribution's packages, not those of a user or a virtual environment. What the distribution doesn't have comes
  // from pip, in a virtual environment of this project, if there is one, and so does a newer Numba. Our own module for
  // Python is in the environment that ./gridstride python makes.
  const std::string python = "/usr/bin/python3", own_python = GRIDSTRIDE_BENCH_PEER_PYTHON,
                    pip_python = std::filesystem::exists(own_python) ? own_python : python,
                    numba_python = own_environment_has("numba") ? own_python : python,
                    module_python = std::filesystem::exists(GRIDSTRIDE_BENCH_MODULE_PYTHON)
                                        ? GRIDSTRIDE_BENCH_MODULE_PYTHON
                                        : python;
  const struct {
    const char *name, *script;
    const std::string& interpreter;
  } peers[] = {{"Numba", "with_numba.py", numba_python},     {"NumPy", "with_numpy.py", python},
               {"SciPy", "with_scipy.py", python},           {"PoCL", "with_pocl.py", python},
               {"JAX", "with_jax.py", pip_python},           {"PyTorch", "with_pytorch.py", pip_python},
               {"Taichi", "with_taichi.py", pip_python},     {"Warp", "with_warp.py", pip_python},
               {"pybind11", "with_pybind11.py", pip_python}, {"Python", "with_module.py", module_python}};
  std::vector<std::shared_ptr<outside_peer>> programs;
  for (const auto& [name, script, interpreter] : peers)  // which write nothing beside the script
    programs.push_back(std::make_shared<outside_peer>(
        name, std::vector<std::string>{interpreter, "-sEB", std::string(GRIDSTRIDE_BENCH_PEERS "/") + script}));
  return programs;
}

peer_programs start(const std::vector<std::shared_ptr<outside_peer>>& programs) {
  peer_programs result;
  for (const auto& peer : programs) {
    std::string lack;
    try {
      peer->start();
      lack = peer->lacking();
    } catch (const peer_failure& failure) {
      lack = failure.what();
    }
    if (lack.empty())
      result.present.push_back(peer);
    else
      result.absent.push_back(peer->name() + ": " + lack);
  }
  return result;
}

}  // namespace bench
