#include "exercises/compile_mistakes.h"

#include <array>
#include <regex>

#include "assessments/grader/compiler_messages.h"
#include "runtime/instruments/finding.h"

namespace exercises {
namespace {

struct mistake {
  const char* says;  ///< a regular expression for the first error
  const char* advice;
};

// The first one that fits counts.
constexpr std::array mistakes = {
    mistake{
        "a host (pointer|array) never reaches a kernel",
        "A kernel sees the device's memory only: bring the data there, auto x_device = gs::to_device(x), and launch "
        "with x_device."},
    mistake{"values are never converted|no signature of this ufunc takes exactly",
            "2.0 is a double, 2 an int, and nothing is converted silently: write 2.0f for a float, std::int64_t{2} for "
            "that type."},
    mistake{"number of arguments differs from the kernel's parameters",
            "A launch gives every parameter of the kernel but its first: gs::thread comes by itself."},
    mistake{
        "assignment of read-only|increment of read-only|cannot assign to a variable that is const|"
        "passing ‘const [^’]*’ as ‘this’ argument",
        "It is constant: an array that is written comes as gs::view<float>, one that is only read as gs::view<const "
        "float>."},
    mistake{"discards qualifiers|invalid conversion from ‘const [^’]*’ to|view<const [^>]*>[^\n]*to [^\n]*view<",
            "A const is missing: what only reads takes gs::view<const float> or const std::vector<float>&."},
    mistake{"class gs::(checked::)?shared<[^\n]*has no member named",
            "Shared memory is reached by an arrow: own->of[k]."},
    mistake{"request for member ‘(fetch_|exchange|compare_exchange)",
            "An element isn't atomic by itself: gs::atomic_ref(counts[k]).fetch_add(1u)."},
    mistake{"use of deleted function [^\n]*device_array",
            "A device array isn't copied by accident: pass it on by reference (const gs::device_array<float>&), or say "
            "x.copy()."},
    mistake{"no match for ‘operator\\[\\]’ [^\n]*device_array|cannot convert ‘[^’]*device_array[^’]*’ to "
            "‘(float|double|int|bool)’|device_array[^\n]* has no member named ‘(begin|data|at)’|"
            "‘(begin|data|at)’[^\n]*device_array",
            "The host can't reach into a device array: x.copy_to_host() waits for what runs on the device and returns "
            "the elements."},
    mistake{"could not convert [^\n]*device_array<[^\n]* to |conversion from ‘[^’]*device_array<[^\n]* to non-scalar",
            "The result lies where the inputs do, on the device: fetch it by .copy_to_host(), or give the call a host "
            "array with gs::out."},
    mistake{"layout|guvectorize",
            "The layout and the function's parameters must agree: an input (i) is gs::view<const float>, an output (i) "
            "gs::view<float>; () is a number, as an output float&."},
    mistake{"no return statement in function returning",
            "Some way through the function ends without a return: it promises a value."},
    mistake{"expected ‘[;,)}\\]]’|expected [^\n]* before ‘?[}]|expected primary-expression before ‘}|at end of input|"
            "expected unqualified-id before",
            "Brackets or semicolons don't match up: look at the end of the line before, too."},
    mistake{"is not a member of ‘std’|is not a member of ‘xt’",
            "The name is misspelt, or its header isn't included at the top of the file."},
    mistake{"was not declared in this scope|has not been declared|does not name a type",
            "Nothing of that name is known here: is it spelt as where it is declared, does gs:: or std:: belong before "
            "it, is it declared further down?"},
};

}  // namespace

std::string advice_for(const std::string& messages, const std::string& name) {
  const auto says = [&](const char* words) { return messages.find(words) != messages.npos; };
  if (says("multiple definition of `main'")) return "The checks bring a main of their own: leave yours out.";
  if (says("undefined reference to `")) return "It is declared, and called, but nowhere defined: its body is missing.";
  const std::string error = grader::first_error_text(messages);
  if (error.empty()) return "";
  if (std::regex_search(messages.substr(0, messages.find(": error: ")), std::regex("/checks\\.cpp:\\d+:\\d+$")) ||
      grader::first_error(messages, name).line == 0)
    return "The checks use what the starter declares: keep its names, its parameters and their types.";
  for (const mistake& m : mistakes)
    if (std::regex_search(error, std::regex(m.says))) return m.advice;
  return "";
}

}  // namespace exercises
