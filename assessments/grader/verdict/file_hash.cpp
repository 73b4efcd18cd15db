#include "assessments/grader/verdict/file_hash.h"

#include <sodium.h>

#include <array>
#include <fstream>

#include "runtime/core/error.h"

namespace grader {
namespace {

using sha256 = std::array<unsigned char, crypto_hash_sha256_BYTES>;

std::string hexadecimal(const sha256& hash) {
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text;
  return sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
}

}  // namespace

std::string sha256_of(std::string_view bytes) {
  sha256 hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return hexadecimal(hash);
}

std::string sha256_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  std::array<char, 65536> part;
  while (in.read(part.data(), part.size()) || in.gcount() > 0)
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(part.data()),
                              static_cast<unsigned long long>(in.gcount()));
  if (!in.eof()) throw gs::error("reading " + file.string(), "it can't be read", "check the file's rights");
  sha256 hash;
  crypto_hash_sha256_final(&state, hash.data());
  return hexadecimal(hash);
}

}  // namespace grader
