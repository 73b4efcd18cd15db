#pragma once
// The version of these headers. CHANGELOG.md says what it promises.

#define GS_VERSION_MAJOR 1
#define GS_VERSION_MINOR 0
#define GS_VERSION_PATCH 0
