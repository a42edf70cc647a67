// SPDX-License-Identifier: Apache-2.0
/// @file
/// Version of the headers (macros) and of the library actually loaded (function).
#ifndef DUET_VERSION_H
#define DUET_VERSION_H

#include <duet/export.h>

#define DUET_VERSION_MAJOR 0 ///< the number in the library's soname
#define DUET_VERSION_MINOR 2 ///< find_package() takes no other
#define DUET_VERSION_PATCH 0 ///< grows with every other release

/// The day it dates from, on pages of the manual and in packages.
#define DUET_VERSION_DATE "2026-11-28"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the loaded library as "major.minor.patch". A static string; never NULL.
DUET_API const char *duet_version(void);

/// The optional parts of this build, for example "glpk gsl cairo openblas openmp"; an empty string
/// when every optional part is off. "cairo" and "openblas" are opened when they are first needed,
/// so that they may be missing all the same. A static string; never NULL.
DUET_API const char *duet_features(void);

#ifdef __cplusplus
}
#endif

#endif
