#pragma once
// What the sources of NVIDIA's cuda-samples take from their helper_string.h: arguments written -name, --name or
// -name=value. The names are theirs.

#include <strings.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, bytes, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) ((result) == nullptr)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

namespace dialect::samples {

/// What follows the argument's name: nullptr if it isn't there, "" behind `-name`, "=value" behind `-name=value`.
inline const char* behind_flag(int argc, const char** argv, const char* name) {
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    while (*word == '-') ++word;
    const std::size_t length = std::strlen(name);
    if (word != argv[i] && strncasecmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '='))
      return word + length;
  }
  return nullptr;
}

}  // namespace dialect::samples

inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) {
  return dialect::samples::behind_flag(argc, argv, name) != nullptr;
}
/// 0 where it isn't there, or has no value.
inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
  const char* const found = dialect::samples::behind_flag(argc, argv, name);
  return found && *found == '=' ? std::atoi(found + 1) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
  const char* const found = dialect::samples::behind_flag(argc, argv, name);
  return found && *found == '=' ? static_cast<float>(std::atof(found + 1)) : 0;
}
/// Whether it is there; `value` becomes a pointer into the arguments, or null.
inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
  const char* const found = dialect::samples::behind_flag(argc, argv, name);
  *value = found && *found == '=' ? const_cast<char*>(found + 1) : nullptr;
  return *value != nullptr;
}
/// Whether it is there and has a value, which is then stored.
template <class T>
bool getCmdLineArgumentValue(int argc, const char** argv, const char* name, T* value) {
  const char* const found = dialect::samples::behind_flag(argc, argv, name);
  if (!found || *found != '=') return false;
  *value = static_cast<T>(std::atof(found + 1));
  return true;
}

/// The file in this folder, in its folder data, or where the program lies; null if it is in none of them. For free().
inline char* sdkFindFilePath(const char* file, const char* program) {
  std::string beside = program ? program : "";
  beside.erase(beside.find_last_of('/') == beside.npos ? 0 : beside.find_last_of('/') + 1);
  for (const std::string& folder : {std::string(), std::string("data/"), beside, beside + "data/"})
    if (std::FILE* const found = std::fopen((folder + file).c_str(), "rb")) {
      std::fclose(found);
      return strdup((folder + file).c_str());
    }
  return nullptr;
}
