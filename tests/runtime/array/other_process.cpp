// The other process of interprocess_array_test. It reads a line for each step, and answers with a line:
//   other_process borrow HANDLE   opens an array of float32, says its elements; "sort" sorts it, "read" says them again
//   other_process lend            makes one of 3 elements, says its handle; "read" says its elements

#include <cstddef>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/array/interprocess_array.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/libraries/sort.h"

namespace {

using array = gs::interprocess_array<float>;

void say_elements(const array& x) {
  for (const float element : x.copy_to_host()) std::cout << element << ' ';
  std::cout << std::endl;
}

void answer_steps(array& x) {
  for (std::string step; std::getline(std::cin, step);) {
    if (step == "sort") {
      gs::sort(x, gs::out(x));
      gs::synchronize();
    }
    say_elements(x);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "borrow") {
      array x = gs::open_array<float>(argv[2]);
      say_elements(x);
      answer_steps(x);
    } else {
      array x(3);
      x.copy_from_host(std::vector<float>{1.5f, 2.5f, 3.5f});
      std::cout << x.handle() << std::endl;
      answer_steps(x);
    }
  } catch (const gs::error& e) {
    std::cout << e.what() << std::endl;
    return 1;
  }
}
