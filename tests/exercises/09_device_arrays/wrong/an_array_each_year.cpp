// expect: arrays made on the device in 12 years
// Exercise 09: arrays that stay; ./gridstride check 09 says what is still missing.

#include <vector>

#include "runtime/gs.h"

GS_FN float product_of(float a, float b) { return a * b; }
inline constexpr auto multiply = gs::vectorize<product_of>.on(gs::target::device);

// Each year, account i is multiplied by factor[i]. Returns what the accounts hold after so many years. Here all of them
// travel to the device and back each year. Accounts and factors in, accounts out: three copies are enough, and however
// many years there are, the number of arrays is the same.
std::vector<float> accounts_after(int years, const std::vector<float>& accounts, const std::vector<float>& factor) {
  // Your turn.
  auto now = gs::to_device(accounts);
  const auto factors = gs::to_device(factor);
  for (int year = 0; year < years; ++year) now = multiply(now, factors);
  return now.copy_to_host();
  // Until here.
}
