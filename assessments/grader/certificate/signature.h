#pragma once
// Keys and signatures: Ed25519 (RFC 8032), by libsodium.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace grader {

/// Whose key it claims to be. Nobody checks that: before you trust a key, compare its fingerprint with one that reached
/// you another way.
enum class key_kind {
  local,      ///< made automatically on the machine of whoever wrote the certificate
  instructor  ///< made by --make-key, and kept from learners
};
std::string to_string(key_kind kind);  ///< "local", "instructor"

using public_key = std::array<std::uint8_t, 32>;

/// 64 lower-case hexadecimal digits.
std::string to_hex(const public_key& key);
/// What people compare: the first 16 bytes of the key's SHA-256 in groups, "3f2a 91bc ...".
std::string fingerprint(const public_key& key);
/// From 64 lower-case hexadecimal digits; nothing if the text is something else.
std::optional<public_key> public_key_of(std::string_view digits);
/// From 64 hexadecimal digits, or from the file of a public or secret key. Throws gs::error.
public_key read_public_key(const std::string& digits_or_file);

/// A secret key. Its memory is wiped when it is destroyed.
class signing_key {
 public:
  /// A new one, from the system's random numbers.
  static signing_key make(key_kind kind);
  /// Throws gs::error if the file isn't a key, is damaged, or can be read by others than its owner.
  static signing_key read(const std::filesystem::path& file);
  /// The key in `folder`, made there if there is none.
  static signing_key local(const std::filesystem::path& folder);

  signing_key(const signing_key&) = delete;
  signing_key(signing_key&& other) noexcept;
  ~signing_key();

  key_kind kind() const { return kind_; }
  const public_key& shared() const { return public_; }
  /// 128 lower-case hexadecimal digits.
  std::string sign(std::string_view bytes) const;
  /// Writes a file that only its owner can read. Throws gs::error if the file exists: a key is never overwritten.
  void write(const std::filesystem::path& file) const;
  /// Writes the public half.
  void write_public(const std::filesystem::path& file) const;

 private:
  signing_key(key_kind kind, const std::array<std::uint8_t, 32>& seed);
  std::string document() const;  ///< what is written to the key's file

  key_kind kind_;
  public_key public_ = {};
  std::array<std::uint8_t, 64> secret_ = {};  // as libsodium keeps it: the seed, then the public key
};

/// Whether `signature` (spelled exactly as `sign` returns it) is the key's signature of the bytes.
bool is_signed(std::string_view bytes, std::string_view signature, const public_key& key);

/// Where the local key lies: GRIDSTRIDE_CONFIG, else ~/.config/gridstride. Throws gs::error where there is no home.
std::filesystem::path config_folder();

}  // namespace grader
