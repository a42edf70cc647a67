// SPDX-License-Identifier: Apache-2.0
/// @file
/// Options of algorithms and generators. Each is declared once, in a table; parsing, validation,
/// help texts and documentation all read that table. What is out of range is rejected, not clamped.
#ifndef DUET_OPTIONS_H
#define DUET_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What an option's value is.
typedef enum duet_option_type {
    DUET_OPTION_INTEGER, ///< a whole number in [minimum, maximum]
    DUET_OPTION_DECIMAL, ///< a decimal in [minimum, maximum] * 10^-3, held exactly in thousandths
    DUET_OPTION_BOOLEAN, ///< true or false
    DUET_OPTION_CHOICE,  ///< one of `choices`
    DUET_OPTION_TEXT,    ///< any text
    DUET_OPTION_SHARE    ///< a share in [minimum, maximum] * 10^-9, as "0.01" or "1%", exact
} duet_option_type;

/// One row of an options table. Tables are static and end with a row whose name is NULL.
typedef struct duet_option_spec {
    const char *name;      ///< the key
    duet_option_type type; ///< what its value is
    const char *fallback;  ///< the default, as a user would write it
    int64_t minimum;       ///< INTEGER; DECIMAL in thousandths, SHARE in billionths
    int64_t maximum;       ///< likewise
    const char *choices;   ///< CHOICE: "a|b|c"
    const char *unit;      ///< "" where it has none
    const char *text;      ///< one line for people
} duet_option_spec;

/// Values given by a user, as "key=value" in the order given. They are checked against a table when
/// the algorithm or generator is known.
typedef struct duet_options duet_options;

/// An empty set, owned by the caller (duet_options_free()). DUET_E_MEMORY.
DUET_API duet_code duet_options_create(duet_options **out, duet_error *error);
/// NULL is allowed.
DUET_API void duet_options_free(duet_options *options);
/// Adds one "key=value"; a later value for the same key replaces an earlier one. DUET_E_USAGE where
/// there is no '=' or the key is empty.
DUET_API duet_code duet_options_add(duet_options *options, const char *assignment,
                                    duet_error *error);
/// Checks every value against `table` (NULL: no options): unknown key (the message lists the known
/// ones), wrong type, out of range. `owner` names what the table belongs to, for the message.
DUET_API duet_code duet_options_check(const duet_options *options, const duet_option_spec *table,
                                      const char *owner, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
