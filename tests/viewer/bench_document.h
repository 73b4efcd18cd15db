#pragma once
// Results of a benchmark, as the suite writes them.

#include <string>

namespace viewer_test {

/// One workload that took so long, with a peer, and one that was left out.
inline std::string bench_document(const std::string& date, double milliseconds, const std::string& version = "2") {
  return R"({"schema": "gridstride-bench/)" + version + R"(", "command": "bench", "date": ")" + date +
         R"(", "commit": "abc123",
  "machine": {"processor": "Abacus 9000", "cores": 4},
  "limits": [{"name": "copy, streaming stores", "value": 50, "unit": "GB/s"},
             {"name": "read, L1 cache", "value": 800, "unit": "GB/s"},
             {"name": "float32 multiply-add, all cores", "value": 400, "unit": "GFLOP/s"},
             {"name": "float32 multiply-add, one core", "value": 100, "unit": "GFLOP/s"},
             {"name": "copy, GPU", "value": 3000, "unit": "GB/s"}],
  "workloads": [
    {"name": "sum_of_two", "text": "the sum of two arrays", "elements": 1000, "bytes": 1e9, "operations": 1e8, "disturbed": 0.2,
     "entrants": [
       {"name": "engine", "role": "ours", "hardware": "all cores", "seconds": {"median": )" +
         std::to_string(milliseconds * 1e-3) + R"(, "lower_quartile": )" + std::to_string(milliseconds * 0.98e-3) +
         R"(, "upper_quartile": )" + std::to_string(milliseconds * 1.02e-3) + R"(, "best": 0.01},
        "elements_per_second": 5e4, "gigabytes_per_second": 40,
        "share_of_limit": {"median": 0.8, "low": 0.79, "high": 0.81}, "ratio_to_peer": {"median": 1.25, "low": 1.2, "high": 1.3}},
       {"name": "cuda", "role": "ours", "hardware": "gpu", "seconds": {"median": 1e-5, "lower_quartile": 1e-5, "upper_quartile": 1e-5, "best": 1e-5}},
       {"name": "OpenMP", "role": "peer", "seconds": {"median": 0.016, "lower_quartile": 0.0155, "upper_quartile": 0.0165, "best": 0.015}}]},
    {"name": "big", "text": "", "skipped": "it needs 3 GB", "entrants": []}],
  "growth": [{"name": "sum_of_two", "sizes": [
      {"name": "sum_of_two", "elements": 10, "entrants": [
        {"name": "engine", "role": "ours", "seconds": {"median": 2e-4, "lower_quartile": 2e-4, "upper_quartile": 2e-4, "best": 2e-4}},
        {"name": "OpenMP", "role": "peer", "seconds": {"median": 1e-4, "lower_quartile": 1e-4, "upper_quartile": 1e-4, "best": 1e-4}},
        {"name": "alone", "role": "peer", "seconds": {"median": 1e-6, "lower_quartile": 1e-6, "upper_quartile": 1e-6, "best": 1e-6}}]}],
    "exponents": [{"name": "engine", "role": "ours", "exponent": 0.84, "low": 0.32, "high": 1.36, "factor": 1, "deviation": 2.7}],
    "crossovers": [{"winner": "engine", "one_core": "cpu", "not_at": 10, "about": 123.4, "for_sure_at": 1000}]}],
  "scaling": [{"name": "on_more", "text": "the same on more cores", "elements": 30000000, "entrants": [
    {"name": "engine", "role": "ours", "on": [
      {"cores": 1, "seconds": {"median": 0.1, "lower_quartile": 0.1, "upper_quartile": 0.1, "best": 0.1},
       "speedup": {"median": 1, "low": 1, "high": 1}, "efficiency": 1},
      {"cores": 2, "seconds": {"median": 0.055, "lower_quartile": 0.054, "upper_quartile": 0.056, "best": 0.05},
       "speedup": {"median": 1.8, "low": 1.7, "high": 2.0}, "efficiency": 0.9}]}]}]})";
}

}  // namespace viewer_test
