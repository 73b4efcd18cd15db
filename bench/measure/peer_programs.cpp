#include "bench/measure/peer_programs.h"

#include <filesystem>

namespace bench {

std::vector<std::shared_ptr<outside_peer>> all_peer_programs() {
  const std::string folder = GRIDSTRIDE_BENCH_PEERS "/";
  std::vector<std::shared_ptr<outside_peer>> programs;
  for (const auto& [name, script] : std::vector<std::pair<std::string, std::string>>{{"Numba", "with_numba.py"},
                                                                                     {"NumPy", "with_numpy.py"},
                                                                                     {"SciPy", "with_scipy.py"},
                                                                                     {"PoCL", "with_pocl.py"}})
    // The distribution's packages, not those of a user or a virtual environment; nothing is written beside the script.
    programs.push_back(
        std::make_shared<outside_peer>(name, std::vector<std::string>{"/usr/bin/python3", "-sEB", folder + script}));
  // JAX and PyTorch come from pip, in a virtual environment of this project, if there is one.
  const std::string own_python = GRIDSTRIDE_BENCH_PEER_PYTHON;
  const std::string python = std::filesystem::exists(own_python) ? own_python : "/usr/bin/python3";
  for (const auto& [name, script] :
       std::vector<std::pair<std::string, std::string>>{{"JAX", "with_jax.py"}, {"PyTorch", "with_pytorch.py"}})
    programs.push_back(std::make_shared<outside_peer>(name, std::vector<std::string>{python, "-sEB", folder + script}));
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
