#pragma once
// descriptor: a file descriptor that is closed with its owner. Not part of gs.h: for the programs around the runtime.

#include <unistd.h>

#include <utility>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

class descriptor {
 public:
  explicit descriptor(int number = -1) : number_(number) {}
  ~descriptor() { close(); }
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  void close() {
    if (open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
