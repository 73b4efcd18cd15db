#include "assessments/grader/certificate/signature.h"

#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "assessments/grader/certificate/canonical_json.h"
#include "runtime/core/error.h"
#include "workshop/file_text.h"

namespace grader {

using workshop::existing, workshop::read_text, workshop::write_text;
namespace {

namespace fs = std::filesystem;

static_assert(crypto_sign_PUBLICKEYBYTES == 32 && crypto_sign_SECRETKEYBYTES == 64 && crypto_sign_SEEDBYTES == 32);

void need_libsodium() {
  if (sodium_init() < 0)
    throw gs::machine_error("making a key", "libsodium can't find a source of random numbers", "mount /dev/urandom");
}

std::string hexadecimal(const std::uint8_t* bytes, std::size_t count) {
  std::string digits(2 * count + 1, '\0');
  sodium_bin2hex(digits.data(), digits.size(), bytes, count);
  digits.pop_back();
  return digits;
}

// Only lower-case digits, and exactly two for each byte: one value, one spelling.
template <std::size_t N>
std::optional<std::array<std::uint8_t, N>> bytes_of(std::string_view digits) {
  std::array<std::uint8_t, N> bytes;
  const bool small = digits.find_first_not_of("0123456789abcdef") == digits.npos;
  if (!small || digits.size() != 2 * N) return {};
  sodium_hex2bin(bytes.data(), N, digits.data(), digits.size(), nullptr, nullptr, nullptr);
  return bytes;
}

nlohmann::json key_document(key_kind kind, const public_key& key) {
  return {{"schema", "gridstride-key"}, {"version", 1}, {"kind", to_string(kind)}, {"public", to_hex(key)}};
}

constexpr const char* make_another = "give a file made by ./gridstride certificate --make-key FILE";

nlohmann::json read_key(const fs::path& file, const std::string& asked) {
  nlohmann::json document = read_json_strictly(read_text(file, asked), asked);
  if (!document.is_object() || document.value("schema", nlohmann::json()) != "gridstride-key" ||
      document.value("version", nlohmann::json()) != 1)
    throw gs::error(asked, "it isn't a key file of version 1", make_another);
  return document;
}

std::array<std::uint8_t, 32> key_member(const nlohmann::json& document, const char* name, const std::string& asked) {
  const nlohmann::json digits = document.value(name, nlohmann::json());
  const auto bytes = digits.is_string() ? bytes_of<32>(digits.get<std::string>()) : std::nullopt;
  if (!bytes) throw gs::error(asked, fmt::format("its member \"{}\" is not 64 hexadecimal digits", name), make_another);
  return *bytes;
}

}  // namespace

std::string to_string(key_kind kind) { return kind == key_kind::local ? "local" : "instructor"; }

std::string to_hex(const public_key& key) { return hexadecimal(key.data(), key.size()); }

std::string fingerprint(const public_key& key) {
  std::array<std::uint8_t, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), key.data(), key.size());
  std::string groups;
  for (std::size_t k = 0; k < 16; k += 2) groups += (k > 0 ? " " : "") + hexadecimal(hash.data() + k, 2);
  return groups;
}

std::optional<public_key> public_key_of(std::string_view digits) { return bytes_of<32>(digits); }

public_key read_public_key(const std::string& digits_or_file) {
  if (const auto key = public_key_of(digits_or_file)) return *key;
  const std::string asked = fmt::format("reading the public key {}", digits_or_file);
  return key_member(read_key(digits_or_file, asked), "public", asked);
}

signing_key::signing_key(key_kind kind, const std::array<std::uint8_t, 32>& seed) : kind_(kind) {
  crypto_sign_seed_keypair(public_.data(), secret_.data(), seed.data());
}

signing_key::signing_key(signing_key&& other) noexcept
    : kind_(other.kind_), public_(other.public_), secret_(other.secret_) {
  sodium_memzero(other.secret_.data(), other.secret_.size());
}

signing_key::~signing_key() { sodium_memzero(secret_.data(), secret_.size()); }

signing_key signing_key::make(key_kind kind) {
  need_libsodium();
  std::array<std::uint8_t, 32> seed;
  randombytes_buf(seed.data(), seed.size());
  signing_key key(kind, seed);
  sodium_memzero(seed.data(), seed.size());
  return key;
}

signing_key signing_key::read(const fs::path& file) {
  need_libsodium();
  const std::string asked = fmt::format("reading the secret key {}", file.string());
  const nlohmann::json document = read_key(file, asked);
  struct stat status;
  if (stat(file.c_str(), &status) != 0 || (status.st_mode & 077) != 0)
    throw gs::error(asked,
                    fmt::format("users other than its owner may read or write it (mode {:o})", status.st_mode & 0777),
                    fmt::format("make a new key; or, if nobody has seen this one, chmod 600 {}", file.string()));
  if (!document.contains("secret"))
    throw gs::error(asked, "it is the public half of a key", "sign with the secret one, which has no .pub in its name");
  const nlohmann::json kind = document.value("kind", nlohmann::json());
  if (kind != "local" && kind != "instructor")
    throw gs::error(asked, R"(its member "kind" is neither "local" nor "instructor")", make_another);
  auto seed = key_member(document, "secret", asked);
  signing_key key(kind == "local" ? key_kind::local : key_kind::instructor, seed);
  sodium_memzero(seed.data(), seed.size());
  if (key.shared() != key_member(document, "public", asked))
    throw gs::error(asked, "its two halves don't match", make_another);
  return key;
}

signing_key signing_key::local(const fs::path& folder) {
  const fs::path file = folder / "key.json";
  std::error_code problem;
  if (!fs::exists(file, problem)) {
    const signing_key key = make(key_kind::local);
    write_text(file, key.document(), fmt::format("writing the local key {}", file.string()), existing::keep, 0600);
  }
  return read(file);  // another process may have been faster
}

std::string signing_key::document() const {
  nlohmann::json document = key_document(kind_, public_);
  document["secret"] = hexadecimal(secret_.data(), 32);
  return document.dump(2) + "\n";
}

void signing_key::write(const fs::path& file) const {
  const std::string asked = fmt::format("writing the secret key {}", file.string());
  if (!write_text(file, document(), asked, existing::keep, 0600))
    throw gs::error(asked, "the file exists", "give another name: a key is never overwritten");
}

void signing_key::write_public(const fs::path& file) const {
  const std::string asked = fmt::format("writing the public key {}", file.string());
  if (!write_text(file, key_document(kind_, public_).dump(2) + "\n", asked, existing::keep))
    throw gs::error(asked, "the file exists", "give another name: a key is never overwritten");
}

std::string signing_key::sign(std::string_view bytes) const {
  std::array<std::uint8_t, crypto_sign_BYTES> signature;
  crypto_sign_detached(signature.data(), nullptr, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                       secret_.data());
  return hexadecimal(signature.data(), signature.size());
}

bool is_signed(std::string_view bytes, std::string_view signature, const public_key& key) {
  need_libsodium();
  const auto value = bytes_of<crypto_sign_BYTES>(signature);
  return value && crypto_sign_verify_detached(value->data(), reinterpret_cast<const unsigned char*>(bytes.data()),
                                              bytes.size(), key.data()) == 0;
}

fs::path config_folder() {
  for (const auto& [variable, below] : {std::pair{"GRIDSTRIDE_CONFIG", ""}, std::pair{"HOME", ".config/gridstride"}})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      return *below != '\0' ? fs::path(value) / below : fs::path(value);
  throw gs::error("the folder of the local key", "neither GRIDSTRIDE_CONFIG nor HOME is set",
                  "set GRIDSTRIDE_CONFIG to a folder of yours, or give a key with --key FILE");
}

}  // namespace grader
