// OpenBLAS chooses its kernels by the processor's model when it is loaded, and for a model that is newer than itself it
// falls back to those of 2004: Debian 12's version multiplies at a fifth of its speed on Intel's Emerald Rapids. We
// know what the processor can do, and ask for the kernels that suit it. We don't need its threads, and ask for none.
// OpenBLAS reads both from the environment only, when it is loaded: so it isn't linked, but loaded here, together with
// this library, normally before the program has a second thread.
#include "runtime/libraries/openblas.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

// Sets a variable of the environment for as long as it lives, unless the user has set it.
class default_setting {
 public:
  default_setting(const char* name, const char* value) : name_(std::getenv(name) || !value ? nullptr : name) {
    if (name_) setenv(name_, value, 1);
  }
  ~default_setting() {
    if (name_) unsetenv(name_);
  }
  default_setting(const default_setting&) = delete;
  default_setting& operator=(const default_setting&) = delete;

 private:
  const char* name_;
};

// The kernels that suit this processor, by OpenBLAS's name for them; null to leave the choice to OpenBLAS.
const char* kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return __builtin_cpu_is("amd") ? "Zen" : "Haswell";
#endif
  return nullptr;
}

struct loaded_library {
  openblas_functions functions;
  std::string failure;
};

loaded_library load() {
  const default_setting core("OPENBLAS_CORETYPE", kernels()), threads("OPENBLAS_NUM_THREADS", "1");
  loaded_library loaded;
  void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  const auto find = [&]<class F>(const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    if (!function) loaded.failure = dlerror();
  };
  if (!library) {
    loaded.failure = dlerror();
  } else {
    find("cblas_sgemm", loaded.functions.sgemm);
    find("cblas_dgemm", loaded.functions.dgemm);
    find("cblas_sdot", loaded.functions.sdot);
    find("cblas_ddot", loaded.functions.ddot);
    find("cblas_saxpy", loaded.functions.saxpy);
    find("cblas_daxpy", loaded.functions.daxpy);
    find("cblas_sscal", loaded.functions.sscal);
    find("cblas_dscal", loaded.functions.dscal);
    find("cblas_snrm2", loaded.functions.snrm2);
    find("cblas_dnrm2", loaded.functions.dnrm2);
    find("cblas_sasum", loaded.functions.sasum);
    find("cblas_dasum", loaded.functions.dasum);
    find("cblas_scopy", loaded.functions.scopy);
    find("cblas_dcopy", loaded.functions.dcopy);
    find("cblas_sswap", loaded.functions.sswap);
    find("cblas_dswap", loaded.functions.dswap);
    find("cblas_sgemv", loaded.functions.sgemv);
    find("cblas_dgemv", loaded.functions.dgemv);
    find("cblas_sger", loaded.functions.sger);
    find("cblas_dger", loaded.functions.dger);
    find("cblas_isamax", loaded.functions.isamax);
    find("cblas_idamax", loaded.functions.idamax);
    find("openblas_set_num_threads", loaded.functions.set_num_threads);
    find("openblas_get_corename", loaded.functions.core_name);
  }
  return loaded;
}

const loaded_library& library() {
  static const loaded_library loaded = load();
  return loaded;
}
[[maybe_unused]] const loaded_library& loaded_with_this_library = library();

}  // namespace

const openblas_functions& openblas() {
  if (!library().failure.empty())
    throw machine_error("gemm on the engine", "OpenBLAS can't be loaded: " + library().failure,
                        "install libopenblas-dev");
  return library().functions;
}

}  // namespace gs::inline GS_FLAVOUR::detail
