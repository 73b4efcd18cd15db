#include "assessments/grader/certificate/name_font.h"

#include <fontconfig/fontconfig.h>

#include <memory>

#include "runtime/core/printable.h"

namespace grader {

using gs::detail::character, gs::detail::characters_of;
namespace {

template <class T>
using owned = std::unique_ptr<T, void (*)(T*)>;

const FcChar8* bytes(const std::string& text) { return reinterpret_cast<const FcChar8*>(text.c_str()); }

}  // namespace

name_font font_for(const std::string& text, const std::string& preferred) {
  const owned<FcCharSet> letters(FcCharSetCreate(), FcCharSetDestroy);
  for (const character& c : characters_of(text)) FcCharSetAddChar(letters.get(), c.code);

  // In the comparison of fonts, the letters they have count more than their family.
  const owned<FcPattern> pattern(FcPatternCreate(), FcPatternDestroy);
  FcPatternAddString(pattern.get(), FC_FAMILY, bytes(preferred));
  FcPatternAddCharSet(pattern.get(), FC_CHARSET, letters.get());
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  FcResult result = FcResultMatch;
  const owned<FcPattern> found(FcFontMatch(nullptr, pattern.get(), &result), FcPatternDestroy);

  FcChar8* family = nullptr;
  FcCharSet* has = nullptr;
  if (!found || FcPatternGetString(found.get(), FC_FAMILY, 0, &family) != FcResultMatch ||
      FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &has) != FcResultMatch)
    return {preferred, text};  // no font at all is installed

  name_font font{reinterpret_cast<const char*>(family), {}};
  for (const character& c : characters_of(text))
    if (c.code != U' ' && !FcCharSetHasChar(has, c.code)) font.missing += c.text;
  return font;
}

}  // namespace grader
