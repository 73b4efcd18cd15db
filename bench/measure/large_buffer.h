#pragma once
// large_buffer: host memory in huge pages, touched before anything is timed.

#include <cstddef>
#include <span>
#include <utility>

namespace bench {

/// Zeroed pages, at an address that is a multiple of 2 MiB; every page has been touched, so that no timing pays for the
/// first touch. Throws gs::machine_error if the machine has no room.
void* map_pages(std::size_t bytes);
void unmap_pages(void* pages, std::size_t bytes) noexcept;

/// `size` elements of a trivial type T in such pages.
template <class T>
class large_buffer {
 public:
  explicit large_buffer(std::size_t size) : data_(static_cast<T*>(map_pages(size * sizeof(T)))), size_(size) {}
  large_buffer(large_buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  large_buffer& operator=(large_buffer&&) = delete;
  ~large_buffer() { unmap_pages(data_, size_ * sizeof(T)); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<T> span() const { return {data_, size_}; }
  std::span<const T> read() const { return {data_, size_}; }

 private:
  T* data_;
  std::size_t size_;
};

}  // namespace bench
