#pragma once
// The words that the instruments' sentences have in common: who does what to which element, and where.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/results/finding.h"
#include "runtime/instruments/results/place_text.h"

namespace gs::inline GS_FLAVOUR::finding_words {

/// "[5]" or "(3, 4)"
std::string brackets(const std::vector<std::ptrdiff_t>& index);
/// The access as the kernel writes it. Empty where what is written has another number of indices than the array has
/// dimensions: then a function takes them.
detail::access_text written_access(const finding& found, const source_place& where);
/// How the kernel calls the array, else how the host does.
std::string array_of(const finding& found);
std::string memory_of(const finding& found);
/// What the access reaches: "A(3, 4)" where the index is known, else as it is written, else in words.
std::string element_of(const finding& found);
std::string shape_of(const finding& found);
/// "3" or "(3, 1)": as many dimensions as `at` and the position beside it need.
std::string position(const index3& at, const index3& beside);
/// The access that came first, and the one it is told beside.
const finding_access& earlier_of(const finding& found);
const finding_access& beside(const finding& found, const finding_access& access);
std::string thread_of(const finding& found, const finding_access& access);
std::string kernel_of(const finding_access& access);
std::string thread_and_block(const finding& found, const finding_access& access);
std::string thread_and_block(const finding& found);
/// With a capital letter, unless it begins with a name, as cudaMemcpy and copy_to_host are.
std::string capitalized(std::string text);
/// "line 12", with the file's name where it isn't that of the finding.
std::string line_of(const finding& found, const source_place& where);
/// "reads x[5]", "updates x[5] atomically"
std::string does(access_kind kind, std::string_view what);
/// The array by its name on the host: "x_device", else "an array".
std::string made_array(const finding& found);

}  // namespace gs::inline GS_FLAVOUR::finding_words
