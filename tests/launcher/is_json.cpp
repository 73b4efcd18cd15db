// is_json: ends with 0 if standard input is exactly one JSON document; for the tests of `doctor --json`.

#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  return nlohmann::json::accept(text) ? 0 : 1;
}
