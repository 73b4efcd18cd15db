#include "assessments/grader/tasks/case_seeds.h"

#include <random>

namespace grader {
namespace {

// SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t case_seeds::fresh() { return mixed(state_ += 0x9e3779b97f4a7c15u); }

std::uint64_t case_seeds::fixed(const test_case& c) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, 64 bits
  for (const char letter : to_string(c)) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  return mixed(hash);
}

std::uint64_t random_run_seed() {
  std::random_device draw;
  return (std::uint64_t{draw()} << 32) | draw();
}

}  // namespace grader
