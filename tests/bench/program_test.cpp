// The command line: all workloads run and agree, and wrong usage is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/bench/program_outcome.h"

namespace {

using bench_test::outcome;

outcome bench(const std::string& arguments) {
  return bench_test::outcome_of(std::string(GRIDSTRIDE_BENCH_PROGRAM) + " " + arguments);
}

TEST(program, compares_with_a_file_that_has_a_name) { EXPECT_EQ(bench("--quick --list --against ''").status, 2); }

// The times mean nothing at this size; that every entrant computed the same does.
TEST(program, every_workload_runs_and_agrees) {
  const auto [status, output] = bench("--quick --one-size --rounds 1 --json");
  ASSERT_EQ(status, 0) << output;
  const auto document = nlohmann::json::parse(output);
  EXPECT_TRUE(document["quick"]);
  const bool has_gpu = !document["machine"]["gpu"].get<std::string>().starts_with("none: ");
  std::set<std::string> names;
  for (const auto& workload : document["workloads"]) {
    const std::string name = workload["name"];
    names.insert(name);
    EXPECT_FALSE(workload.contains("wrong")) << workload["wrong"];
    EXPECT_FALSE(workload.contains("skipped")) << workload["skipped"];
    // Frames of the viewer have no peer.
    EXPECT_GE(workload["entrants"].size(), name.starts_with("viewer_") ? 1u : 2u) << name;
    bool ours_on_gpu = false;
    for (const auto& entrant : workload["entrants"]) {
      EXPECT_EQ(entrant["samples"].size(), 1u);
      EXPECT_FALSE(entrant.contains("verdict")) << "of times that mean nothing: " << name;
      ours_on_gpu = ours_on_gpu || (entrant["role"] == "ours" && entrant["hardware"] == "gpu");
    }
    const bool is_of_the_host = name == "small_ufunc" || name.starts_with("viewer_") || name.starts_with("python_") ||
                                name.starts_with("dialect_");
    EXPECT_EQ(ours_on_gpu, has_gpu && !is_of_the_host) << name;
  }
  std::erase_if(names, [](const std::string& name) { return name.starts_with("viewer_"); });  // there, if it is built
#if COMPILES_CUDA_SOURCES
  EXPECT_EQ(std::erase_if(names, [](const std::string& name) { return name.starts_with("dialect_"); }), 6u);
#endif
#if COMPILES_FOR_PYTHON
  EXPECT_EQ(names.erase("python_compile"), 1u);
#endif
  EXPECT_EQ(names, (std::set<std::string>{"gaussian_pdf",
                                          "neural_layer",
                                          "add",
                                          "zero_suppress",
                                          "gaussian_pdf_in_cache",
                                          "neural_layer_in_cache",
                                          "add_in_cache",
                                          "zero_suppress_in_cache",
                                          "reduce_in_cache",
                                          "add_host_arrays",
                                          "add_device_inputs",
                                          "add_device_output",
                                          "copy_to_device",
                                          "copy_to_host",
                                          "hypot",
                                          "polar_distance",
                                          "make_pulses",
                                          "matmul_of_each",
                                          "product_and_reduce",
                                          "transpose",
                                          "fft_mask",
                                          "l2_norm_2",
                                          "l2_norm_1000",
                                          "reduce",
                                          "pi",
                                          "group_by_16",
                                          "group_by_10000",
                                          "join",
                                          "random_states",
                                          "gemm",
                                          "matmul",
                                          "matmul_by_threads",
                                          "fft2",
                                          "sort",
                                          "diffusion",
                                          "diffusion_laplacian",
                                          "diffusion_steps",
                                          "diffusion_threads",
                                          "histogram_10_uniform",
                                          "histogram_10_normal",
                                          "histogram_10_skewed",
                                          "histogram_1000_uniform",
                                          "histogram_1000_normal",
                                          "histogram_1000_skewed",
                                          "histogram_global",
                                          "learning_slope",
                                          "learning_network",
                                          "learning_step",
                                          "learning_mixture_2",
                                          "learning_mixture_64",
                                          "learning_clusters",
                                          "learning_convolution",
                                          "polynomial_kernel",
                                          "small_ufunc",
                                          "empty_launch",
                                          "queued_launches",
                                          "python_small_ufunc",
                                          "python_ufunc",
                                          "python_reduce",
                                          "python_launch",
                                          "python_exchange"}));
  for (const auto& limit : document["limits"]) EXPECT_GT(limit["value"], 0) << limit["name"];
}

// So does the agreement of the outside peers, as far as they are installed.
TEST(program, outside_peers_agree_in_every_workload_that_they_know) {
  const auto first = nlohmann::json::parse(bench("--quick --rounds 1 --json --peers --one-size small_ufunc").output);
  const std::size_t present = first.value("peers", nlohmann::json::array()).size();
  for (const auto& sentence : first.value("absent_peers", nlohmann::json::array())) std::cout << sentence << "\n";
  if (present == 0) GTEST_SKIP() << "no peer is installed: ./gridstride bench --peers does so";

  const auto [status, output] = bench("--quick --rounds 1 --json --peers '^(?!viewer)'");
  ASSERT_EQ(status, 0) << output;
  const auto document = nlohmann::json::parse(output);
  const auto programs_in = [](const nlohmann::json& workload) {
    EXPECT_FALSE(workload.contains("left_out")) << workload["name"] << ": " << workload["left_out"];
    std::set<std::string> programs;
    for (const auto& entrant : workload["entrants"])
      if (entrant.contains("program")) programs.insert(entrant["program"]);
    return programs;
  };
  std::map<std::string, std::size_t> took_part;
  std::map<std::string, std::set<std::string>> of_workload;
  for (const auto& workload : document["workloads"]) {
    const auto programs = programs_in(workload);
    for (const std::string& program : programs) ++took_part[program];
    EXPECT_EQ(workload.contains("peers"), !programs.empty()) << workload["name"];
    of_workload[workload["name"]] = programs;
  }
  for (const auto& growth : document["growth"])
    for (const auto& size : growth["sizes"])
      EXPECT_EQ(programs_in(size), of_workload[growth["name"]]) << growth["name"] << " at " << size["elements"];
  EXPECT_EQ(took_part.size(), present);
  for (const auto& [program, workloads] : took_part) EXPECT_GE(workloads, 4u) << program;
}

// Both in one run, because every run measures the machine's limits.
TEST(program, growth_and_a_comparison_of_what_the_filter_chose) {
  const std::string file = BENCH_RESULTS "/intel-xeon-sapphire-rapids_4-cores_2026-11-21.json";  // it has no growth
  const auto [status, output] = bench("--quick --json '^(add|small_ufunc)$' --against " + file);
  ASSERT_EQ(status, 0) << "a quick run is never slower\n" << output;
  const auto document = nlohmann::json::parse(output);
  ASSERT_EQ(document["growth"].size(), 1u) << "a call with few elements has no sizes";
  const auto& add = document["growth"][0];
  EXPECT_EQ(add["name"], "add");
  EXPECT_EQ(add["sizes"].size(), 2u) << "the full size stands among the workloads";
  EXPECT_EQ(add["sizes"][0]["elements"], 1000);
  ASSERT_FALSE(add["exponents"].empty());
  EXPECT_TRUE(add["exponents"][0].contains("low")) << "fitted to three sizes";
  EXPECT_EQ(document["against"]["compared"], 2) << "both ways of the small call; add has fewer elements than then";
}

TEST(program, measures_on_one_core_and_more) {
  const auto [status, output] = bench("--quick --cores --json '^reduce$'");
  ASSERT_EQ(status, 0) << output;
  const auto document = nlohmann::json::parse(output);
  ASSERT_EQ(document["scaling"].size(), 1u);
  const auto& entrants = document["scaling"][0]["entrants"];
  ASSERT_FALSE(entrants.empty()) << output;
  for (const auto& entrant : entrants) {
    EXPECT_EQ(entrant["on"][0]["cores"], 1);
    EXPECT_EQ(entrant["on"][0]["efficiency"], 1);
    EXPECT_EQ(entrant["on"].back()["cores"], document["machine"]["cores"]);
    EXPECT_EQ(entrant["on"].back()["samples"].size(), 3u);
  }
}

TEST(program, a_filter_chooses) {
  const auto [status, output] = bench("--list '_pdf$'");
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(output.starts_with("gaussian_pdf ")) << output;
  EXPECT_EQ(std::ranges::count(output, '\n'), 1);
}

TEST(program, wrong_usage_is_refused) {
  for (const char* arguments :
       {"no_such_workload 2>&1", "\"$(printf 'no\\033[2J')\" 2>&1", "'(' 2>&1", "--no-such-option 2>&1",
        "--rounds 0 2>&1", "--rounds 3 --seconds 5 2>&1", "--seconds 0 2>&1", "--against /no/such/file 2>&1",
        "--cores --against x 2>&1", "--serve nothing 2>&1", "--markdown 2>&1", "--markdown --peers --json 2>&1"}) {
    const auto [status, output] = bench(arguments);
    EXPECT_EQ(status, 2) << arguments;
    EXPECT_TRUE(output.starts_with("gridstride-bench: ")) << output;
    EXPECT_EQ(output.find('\033'), std::string::npos) << arguments;
  }
}

}  // namespace
