#pragma once
// What the sources of NVIDIA's cuda-samples take from their helper_image.h to read and write numbers and pictures. The
// names are theirs.

#include <cctype>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace dialect::samples {

/// Hands over a copy: in new memory for free(), or, if `*data` isn't null, there, if it is as long.
template <class T>
bool hand_over(const std::vector<T>& values, T** data, unsigned& count) {
  if (*data == nullptr) {
    *data = static_cast<T*>(std::malloc(values.size() * sizeof(T)));
    count = static_cast<unsigned>(values.size());
  } else if (count != values.size()) {
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) (*data)[i] = values[i];
  return true;
}

}  // namespace dialect::samples

/// Reads the numbers of a text file, between which there are blanks; lines may begin with a `#`. Whether it could be
/// read, and, if `*data` isn't null, has `*count` of them.
template <class T>
bool sdkReadFile(const char* name, T** data, unsigned* count, bool verbose) {
  std::ifstream file(name);
  if (!file) {
    if (verbose) std::fprintf(stderr, "sdkReadFile: %s can't be opened; name a file that can be read\n", name);
    return false;
  }
  while (file.peek() == '#') file.ignore(1 << 20, '\n');
  std::vector<T> values;
  for (T value; file >> value;) values.push_back(value);
  return dialect::samples::hand_over(values, data, *count);
}

/// Writes numbers as text, behind a line with the tolerance if there is one.
template <class T, class S>
bool sdkWriteFile(const char* name, const T* data, unsigned count, const S tolerance, bool verbose,
                  bool append = false) {
  std::ofstream file(name, append ? std::ios::app : std::ios::trunc);
  if (!file) {
    if (verbose) std::fprintf(stderr, "sdkWriteFile: %s can't be written; name a file in a folder of your own\n", name);
    return false;
  }
  if (tolerance > 0) file << "# " << tolerance << "\n";
  for (unsigned i = 0; i < count; ++i) file << data[i] << ' ';
  file << '\n';
  return static_cast<bool>(file.flush());
}

/// Reads a picture in colours (a binary PPM, 255 levels): 4 bytes for each pixel, the last 0. Whether it could be read.
inline bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned* width, unsigned* height) {
  std::ifstream file(name, std::ios::binary);
  std::string kind;
  unsigned numbers[3] = {};  // width, height, levels
  file >> kind;
  for (unsigned& number : numbers) {
    while (file && (std::isspace(file.peek()) || file.peek() == '#'))
      if (file.get() == '#') file.ignore(1 << 20, '\n');
    file >> number;
  }
  file.get();
  if (!file || kind != "P6" || numbers[2] != 255) {
    std::fprintf(stderr, "sdkLoadPPM4ub: %s is no binary PPM of 255 levels; convert the picture\n", name);
    return false;
  }
  std::vector<unsigned char> pixels(std::size_t{4} * numbers[0] * numbers[1]);
  for (std::size_t k = 0; k < pixels.size() && file; ++k)
    pixels[k] = k % 4 == 3 ? 0 : static_cast<unsigned char>(file.get());
  unsigned bytes = static_cast<unsigned>(pixels.size());
  *width = numbers[0], *height = numbers[1];
  return file && dialect::samples::hand_over(pixels, data, bytes);
}
