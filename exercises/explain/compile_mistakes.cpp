#include "exercises/explain/compile_mistakes.h"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>
#include <vector>

#include "exercises/explain/compiler_text.h"
#include "runtime/instruments/results/finding.h"
#include "workbook/exercise/text_lines.h"
#include "workshop/compiler_messages.h"

namespace exercises {
namespace {

struct mistake {
  const char* says;  ///< a regular expression for an error
  const char* advice;
};

// The first one that fits an error counts.
constexpr std::array mistakes = {
    // What the plugin says, and nvcc would.
    mistake{
        "runs on the device and isn't a function",
        "g++ alone doesn't mind, but a GPU has no lambda that is kept outside of a function: write it as a function "
        "that begins with GS_FN."},
    mistake{
        "runs on the device and isn't marked GS_FN",
        "g++ alone doesn't mind, but a GPU has only the functions that are marked: write GS_FN before the type that "
        "it returns; where there is none, before the name."},
    // What is written in CUDA C++.
    mistake{
        "‘(threadIdx|blockIdx|blockDim|gridDim)’",
        "A kernel asks its first parameter, gs::thread t: t.grid() is blockIdx.x * blockDim.x + threadIdx.x, and its "
        "parts are t.block_idx().x, t.block_dim().x and t.thread_idx().x; the grid has t.gridsize() threads."},
    mistake{
        "‘__(global|device|host)__’",
        "GS_FN stands where CUDA has __global__ or __device__, and a kernel's first parameter is gs::thread t: GS_FN "
        "void mix(gs::thread t, gs::view<float> x)."},
    mistake{
        "‘__shared__’",
        "Shared memory is a struct, and the kernel's second parameter: struct buffer { gs::tile<float, 32> of; }; and "
        "GS_FN void mix(gs::thread t, gs::shared<buffer> s, ...), which reaches it by s->of[k]."},
    mistake{"‘__sync(threads|warp)’",
            "t.sync() of the kernel's gs::thread t is the barrier that all threads of a block meet."},
    mistake{"‘atomic(Add|Sub|Max|Min|And|Or|Xor|Exch|CAS|Inc|Dec)’",
            "gs::atomic_ref(counts[k]).fetch_add(1u) is atomicAdd(&counts[k], 1); beside it are fetch_max, fetch_min, "
            "exchange and compare_exchange."},
    mistake{"‘cuda[A-Z][A-Za-z]*’",
            "Arrays take care of themselves: auto x_device = gs::to_device(x) makes room and copies, "
            "x_device.copy_to_host() "
            "waits and copies back, and the memory goes with the array; gs::synchronize() waits."},
    // What is written in Python.
    mistake{"‘cuda’ (was not declared|has not been declared)",
            "Numba's cuda.grid(1) is t.grid() of the kernel's gs::thread t, cuda.gridsize(1) is t.gridsize(), "
            "cuda.syncthreads() is t.sync(), and cuda.atomic.add(counts, k, 1) is "
            "gs::atomic_ref(counts[k]).fetch_add(1u)."},
    mistake{"‘(np|numpy|math)’ (was not declared|has not been declared)",
            "The functions of single numbers are in std:: here, std::sqrt(x) and std::exp(x), and those of arrays in "
            "gs::."},
    mistake{"‘None’ was not declared", "What Python calls None is std::nullopt where a std::optional is returned."},
    mistake{"‘(True|False)’ was not declared", "C++ writes true and false with a small letter."},
    mistake{"‘(len|range)’ was not declared",
            "Python's len(x) is x.size() here, and its for i in range(n) is for (std::size_t i = 0; i < n; ++i)."},
    mistake{"operands of types [^\n]* to binary ‘operator\\^’",
            "^ works on bits, and C++ has no operator for powers: the square is t * t, any other std::pow(t, 1.5f)."},
    mistake{"‘[^’]*’ is not a member of ‘gs::(checked::)?target’",
            "There are three targets: gs::target::cpu, which is one core, gs::target::parallel, all cores, and "
            "gs::target::device."},
    mistake{"ignoring return value of [^\n]*gs::",
            "The call returns a new array and leaves its arguments as they are: keep what it returns, or say where it "
            "goes, "
            "add(sum, noise, gs::out(sum))."},
    mistake{"ignoring return value of", "The call changes nothing, it only returns something, and nobody takes it."},
    mistake{
        "unable to deduce ‘auto’ from",
        "Which function is meant? Two of one name can't be told apart here, and a template isn't a function yet: give "
        "each a name of its own, or say which, square<float>."},
    mistake{
        "a host (pointer|array) never reaches a kernel",
        "A kernel sees the device's memory only: bring the data there, auto x_device = gs::to_device(x), and launch "
        "with x_device."},
    mistake{
        "a kernel takes gs::view, not a pointer|a kernel takes its parameters by value|a kernel's parameters must be "
        "trivially copyable|where the kernel takes a scalar",
        "A kernel takes numbers and views, each by value: gs::view<const float> for an array that it reads, "
        "gs::view<float> for one that it writes, no pointer, no reference, no container."},
    mistake{"another type of element than the kernel's view|the view's rank or element type differs",
            "The launch gives an array of other elements than this parameter's: a gs::device_array<float> comes as "
            "gs::view<float> or gs::view<const float>, if it has two dimensions as gs::view<float, 2>."},
    mistake{"a kernel's first parameter is",
            "A kernel begins with gs::thread t, by value, or in block style with gs::block<...> block; then comes the "
            "shared memory, if it has any, and then what the launch gives."},
    mistake{"a kernel returns void", "A kernel begins with GS_FN void: what it finds out, it writes into an array."},
    mistake{"v\\[i\\] is for views of 1 dimension|v\\(i, j\\)|index per dimension",
            "A view has as many dimensions as its type says: v[i] is for gs::view<float>, v(i, j) for gs::view<float, "
            "2>."},
    mistake{"a ufunc takes numbers, host arrays",
            "A ufunc is called with numbers and arrays. A target isn't one of them and comes before: "
            "work.on(gs::target::cpu)(x). What a function of xtensor returns is mostly only how to compute an array: "
            "keep it first, const xt::xtensor<float, 2> column = xt::reshape_view(...), and call with that."},
    mistake{
        "passing \\S*const gs::[a-z:]*device_array<.*discards qualifiers|"
        "no matching function for call to ‘gs::[a-z:]*device_array<[^\n]*::(copy_from_host|fill)\\([^\n]*\\) const’",
        "What the call changes was declared const: make the array without it, auto x = gs::device_array<float>(n)."},
    mistake{"no matching function for call to ‘gs::[a-z:]*device_array<[^\n]*>::device_array\\(<brace-enclosed",
            "The extents in the braces must be of one type, {std::size_t{3}, n}; or take the shape of another array, "
            "gs::device_array<float>(x.shape())."},
    mistake{"call of overloaded \\S*device_array\\(",
            "Braces are for several dimensions, {rows, columns}; an array of one takes its length: "
            "gs::device_array<float>(n). gs::device_array_like(x) has the shape of x."},
    mistake{"values are never converted|no signature of this ufunc takes exactly",
            "2.0 is a double, 2 an int, and nothing is converted silently: write 2.0f for a float, std::int64_t{2} for "
            "that type. If the value is right, the parameter has the wrong type."},
    mistake{"vectorize<f, \\.\\.\\.>: nvcc can't make a kernel of a lambda",
            "A ufunc is made of a function with a name: GS_FN float line(float x) { return 2 * x; } outside of any "
            "function, and then gs::vectorize<line>."},
    mistake{"missing template arguments before ‘\\(’",
            "The function that gs::vectorize, gs::reduce and their like work with stands in angle brackets, by its "
            "name: gs::reduce<add>(x, 0.0f), with GS_FN float add(float a, float b) { return a + b; } outside of any "
            "function."},
    mistake{
        "no matching function for call to ‘launch\\([^\n]*<lambda",
        "The kernel that gs::launch runs stands in angle brackets, by its name: gs::launch<double_all>({}, x), with "
        "GS_FN void double_all(gs::thread t, gs::view<float> x) { ... } outside of any function."},
    mistake{"is not usable in a constant expression|is not a constant expression",
            "What stands in angle brackets is known when the program is compiled: a constexpr number, or the name of a "
            "function; no variable, and no lambda that captures one. What a function needs beside the elements is a "
            "parameter more, and the call gives it."},
    mistake{"number of arguments differs from the kernel's parameters",
            "A launch gives every parameter of the kernel but its first: gs::thread comes by itself."},
    mistake{"guvectorize<f, layout>: f returns void",
            "A function for gs::guvectorize returns nothing: GS_FN void, and the outputs come last, as parameters."},
    mistake{
        "another number of operands than the function has parameters",
        "Each pair of parentheses in the layout is one parameter, in the same order: first the inputs, then, behind "
        "the arrow, the outputs."},
    mistake{"another number of dimensions in the layout than in the function",
            "A parameter has as many dimensions as its parentheses have names: () is a number, (n) a gs::view<float>, "
            "(m,n) a gs::view<float, 2>. Compare them one by one; the call is not to blame."},
    mistake{
        "an input is gs::view<const T, Rank>",
        "An input is only read: gs::view<const float> for (i), a plain float for (). One of the first parameters is "
        "something else; the call is not to blame."},
    mistake{"an output is gs::view<T, Rank>",
            "An output is written: gs::view<float> for (i), float& for (). One of the last parameters is something "
            "else; the call is not to blame."},
    mistake{"passing ‘const gs::[a-z:]*(stream|event)’ as ‘this’ argument",
            "To wait for a stream or to record an event changes it: take it by reference without the const, for (auto& "
            "s : streams) s.synchronize()."},
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
    mistake{
        "use of deleted function ‘(\\w+)::\\1\\(const \\1&\\)’|use of deleted function [^\n]*::(stream|event)\\(const ",
        "It can't be copied, because it holds a stream, a device array or the like: take a reference, auto& mine = "
        "all[k]."},
    mistake{"use of deleted function [^\n]*device_array",
            "A device array isn't copied by accident: pass it on by reference (const gs::device_array<float>&), or say "
            "x.copy()."},
    mistake{"no match for ‘operator\\[\\]’ [^\n]*device_array|cannot convert ‘[^’]*device_array[^’]*’ to "
            "‘(float|double|int|bool)’|device_array[^\n]* has no member named ‘(begin|data|at)’|"
            "‘(begin|data|at)’[^\n]*device_array",
            "The host can't reach into a device array: x.copy_to_host() waits for what runs on the device and returns "
            "the elements."},
    mistake{
        "cannot convert ‘gs::(checked::)?atomic_ref<|no match for ‘operator[^’]+’ [^\n]*gs::(checked::)?atomic_ref<",
        "A gs::atomic_ref isn't a number: it is read by load(), and changed by store, fetch_add, exchange and the "
        "like."},
    mistake{"cannot convert ‘gs::(checked::)?stream’ to ‘const gs::(checked::)?event&’",
            "A stream doesn't wait for another stream but for an event, which marks how far the other one has come: "
            "e.record(first) puts the mark there."},
    mistake{"no matching function for call to ‘gs::(checked::)?stream::wait\\(\\)’",
            "The host waits for all that a stream does by s.synchronize(); s.wait(e) is for a stream that waits for an "
            "event."},
    mistake{
        "call of overloaded ‘abs\\([^\n)]*(unsigned|size_t|uint\\d+_t)",
        "An unsigned number, as sizes and indices are, is never negative: 3 - 5 is a huge one. Write a < b ? b - a : "
        "a - b, or compute in std::ptrdiff_t."},
    mistake{"no matching function for call to ‘(max|min)\\(",
            "std::max and std::min compare two values of one type; say which, if it isn't the same: "
            "std::max<std::size_t>(1, n)."},
    mistake{"no match for ‘operator[-+*/<>=]+’ \\(operand types are ‘(const )?([A-Za-z_]\\w*)&?’ and ‘(const )?\\2&?’",
            "A struct has no such operator unless somebody writes one: call the function that is there for it, or "
            "work with its members, a.value < b.value."},
    mistake{"could not convert [^\n]* from ‘(float|double|int|unsigned int|std::size_t)’ to ‘[A-Za-z_]\\w*’",
            "A struct is returned here, not a number: give all of its members in braces, return {largest, sum};"},
    mistake{"could not convert [^\n]*device_array<[^\n]* to |conversion from ‘[^’]*device_array<[^\n]* to non-scalar",
            "The result lies where the inputs do, on the device: fetch it by .copy_to_host(), or give the call a host "
            "array with gs::out."},
    mistake{
        "calling a __host__ function",
        "What runs on a GPU calls only what a GPU has: functions with GS_FN, those of gs:: and the mathematical ones "
        "of std::, but none that prints, allocates or handles text; gs::print prints."},
    mistake{
        "is undefined in device code",
        "A GPU doesn't have the program's variables: hand the value to the kernel as an argument, or write it down as "
        "a constant in the function."},
    mistake{"device code does not support exception",
            "Nothing is thrown on a GPU: write what went wrong into an array, and look at it on the host."},
    mistake{"layout: |guvectorize",
            "The layout and the function's parameters must agree: an input (i) is gs::view<const float>, an output (i) "
            "gs::view<float>; () is a number, as an output float&."},
    mistake{"cuda[a-z_]*\\.h: No such file or directory",
            "CUDA C++ is compiled as such where the name of one of the sources ends in .cu: rename this one."},
    mistake{"thrust/[^\n:]*: No such file or directory|'thrust/[^\n']*' file not found",
            "Thrust's headers come from the package libthrust-dev: sudo apt install libthrust-dev, if it isn't "
            "installed."},
    mistake{"no return statement in function returning|control reaches end of non-void function",
            "Some way through the function ends without a return: it promises a value."},
    mistake{"expected ‘[;,)}\\]]’|expected [^\n]* before ‘?[}]|expected primary-expression before ‘}|at end of input|"
            "expected unqualified-id before",
            "Brackets or semicolons don't match up: look at the end of the line before, too."},
    mistake{"is not a member of ‘std’|is not a member of ‘xt’",
            "The name is misspelt, or its header isn't included at the top of the file."},
    mistake{"was not declared in this scope|has not been declared|does not name a type|"
            "use of undeclared identifier|unknown type name",
            "Nothing of that name is known here: is it spelt as where it is declared, does gs:: or std:: belong before "
            "it, is it declared further down?"},
};

}  // namespace

std::string advice_for(const std::string& messages, const std::string& name, compiled_with companions) {
  const auto says = [&](const char* words) { return messages.find(words) != messages.npos; };
  const bool has_two_mains =
      std::regex_search(messages, std::regex("multiple definition of `main'|duplicate symbol: .*: main(\n|$)"));
  if (has_two_mains) return "The checks bring a main of their own: leave yours out.";
  if (says("undefined reference to `") || says("undefined symbol: "))
    return "It is declared, and called, but nowhere defined: its body is missing.";
  if (workshop::first_error_text(messages).empty()) return "";
  if (says("<<<") && !says("<<<<"))  // in the line that is shown below its error
    return "CUDA's mix<<<blocks, 128>>>(x, y) is gs::launch<mix>({.grid = blocks, .block = 128}, x, y) here.";
  if (says("invalid type argument of unary ‘*’") && says("**"))
    return "C++ has no operator for powers: the square is t * t, any other std::pow(t, 1.5f).";
  // The runtime's own assertions say more than what led to them or follows from them.
  std::vector<std::string> errors;
  for (const std::string_view line : workbook::lines_of(messages))
    if (is_runtime_assertion(line)) errors.emplace_back(line.substr(line.find("error: ")));
  // These two are about what a ufunc is made of, and name no line of the learner's.
  const bool of_a_ufunc = !errors.empty() && (errors[0].find("layout") != errors[0].npos ||
                                              errors[0].find("vectorize<f, ...>") != errors[0].npos);
  if (companions == compiled_with::checks && !of_a_ufunc &&
      (std::regex_search(messages.substr(0, messages.find(": error: ")), std::regex("/checks\\.cpp:\\d+:\\d+$")) ||
       workshop::first_error(messages, name).line == 0))
    return "The checks use what the starter declares: keep its names, its parameters and their types.";
  errors.push_back(workshop::first_error_text(messages));
  for (const std::string& error : errors)
    for (const mistake& m : mistakes)
      if (std::regex_search(error, std::regex(m.says))) return m.advice;
  return "";
}

std::string advice_on_cuda(const std::string& messages) {
  const std::string error = workshop::first_error_text(messages);
  if (error.empty()) return "";
  const auto known =
      std::ranges::find_if(mistakes, [&](const mistake& m) { return std::regex_search(error, std::regex(m.says)); });
  if (known == std::end(mistakes)) return "";
  const std::string advice = known->advice;
  const bool speaks_of_gs = advice.find("gs::") != advice.npos || advice.find("GS_") != advice.npos;
  return speaks_of_gs ? "" : advice;
}

}  // namespace exercises
