#pragma once
// descriptor: a file descriptor that is closed with its owner.

#include <unistd.h>

#include <utility>

namespace workshop {

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

}  // namespace workshop
