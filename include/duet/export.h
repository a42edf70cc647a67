// SPDX-License-Identifier: Apache-2.0
/// @file
/// Marks the functions a program may call; everything else in the library is hidden.
#ifndef DUET_EXPORT_H
#define DUET_EXPORT_H

/// @def DUET_API
/// Marks what the library exports.
/// @def DUET_PRINTF(format_at, first_at)
/// Has the compiler check a format, argument `format_at`, against the arguments from `first_at` on.

#if defined(__GNUC__) || defined(__clang__)
#define DUET_API __attribute__((visibility("default")))
#define DUET_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define DUET_API
#define DUET_PRINTF(format_at, first_at)
#endif

#endif
