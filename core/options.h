// SPDX-License-Identifier: Apache-2.0
// Reading checked option values through the table that declares them.
#ifndef DUET_CORE_OPTIONS_H
#define DUET_CORE_OPTIONS_H

#include <duet/options.h>

// As duet_options_check(), with the options of `table` and those of `common` (NULL: none).
duet_code duet_options_check_both(const duet_options *options, const duet_option_spec *table,
                                  const duet_option_spec *common, const char *owner,
                                  duet_error *error);

// Moves what was set of the options of `table` from `options` (NULL: nothing was) to `*taken`,
// which is NULL where nothing is. The caller's.
duet_code duet_options_take(duet_options *options, const duet_option_spec *table,
                            duet_options **taken, duet_error *error);

// As duet_options_add(), of what a command asks where its user asks nothing: it counts, but was not
// set, and what is set already stays. `*options` is created where it is NULL.
duet_code duet_options_imply(duet_options **options, const char *text, duet_error *error);

// Whether the option was set, be it to its default.
bool duet_option_given(const duet_options *options, const char *name);

// Value of an option of `table`, or its default. The options were checked, so these cannot fail; a
// name that is not in the table is a bug of the caller and gives 0.
int64_t duet_option_integer(const duet_options *options, const duet_option_spec *table,
                            const char *name);
// In thousandths.
int64_t duet_option_thousandths(const duet_options *options, const duet_option_spec *table,
                                const char *name);
// In billionths.
enum { DUET_BILLION = 1000000000 };
int64_t duet_option_billionths(const duet_options *options, const duet_option_spec *table,
                               const char *name);
bool duet_option_boolean(const duet_options *options, const duet_option_spec *table,
                         const char *name);
// Index of the chosen word among the table's choices.
int duet_option_choice(const duet_options *options, const duet_option_spec *table,
                       const char *name);
const char *duet_option_text(const duet_options *options, const duet_option_spec *table,
                             const char *name);

#endif
