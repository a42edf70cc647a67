// SPDX-License-Identifier: Apache-2.0
/// @file
/// Algorithms of the caller's own, under a name beside those of the library: duet_solve() runs them
/// with the same checks of platform, options and memory, has their schedule looked at by the
/// independent checker, and adds bounds and `improve` as for any other.
#ifndef DUET_CUSTOM_H
#define DUET_CUSTOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/bound.h>
#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One run of a custom algorithm: what it is given and where it puts its schedule. Good during the
/// call alone. Not to be used from two threads at once.
typedef struct duet_work duet_work;

/// Schedules every task of `instance` through duet_work_place(). On failure it records what is
/// wrong in `error` (duet_error_set()) and returns the code; the run then fails with it.
typedef duet_code duet_work_function(void *user, const duet_instance *instance, duet_work *work,
                                     duet_error *error);

/// An algorithm. Start from `{.struct_size = sizeof(duet_custom)}`.
typedef struct duet_custom {
    size_t struct_size;              ///< sizeof(duet_custom), so that it can grow
    const char *name;                ///< 1 to 31 of a-z, 0-9 and '-'; none of the library's own
    const char *summary;             ///< one line; may be NULL
    const char *reference;           ///< may be NULL
    unsigned needs;                  ///< OR of ::duet_requirement (<duet/registry.h>)
    const duet_option_spec *options; ///< ends with a NULL name; NULL: none. Borrowed
    duet_work_function *run;         ///< schedules the tasks; required
    void *user;                      ///< handed to `run`
    unsigned handles;                ///< OR of ::duet_feature. DUET_HANDLES_ANY_TYPES goes without
                                     ///< saying where `needs` has no DUET_NEEDS_TWO_TYPES
} duet_custom;

/// A set of custom algorithms: what duet_params.registry points to. May be read by several threads
/// at once while nobody adds to it.
typedef struct duet_registry duet_registry;

/// An empty one, owned by the caller (duet_registry_free()). DUET_E_MEMORY.
DUET_API duet_code duet_registry_create(duet_registry **out, duet_error *error);
/// NULL is allowed.
DUET_API void duet_registry_free(duet_registry *registry);
/// Adds an algorithm. Its texts are copied; its options table, which must outlive the registry, and
/// `user` are not. Errors: DUET_E_USAGE (`struct_size`, no name or one that is taken, no
/// function, both DUET_NEEDS_TWO_TYPES and DUET_HANDLES_ANY_TYPES), DUET_E_UNSUPPORTED
/// (`struct_size`, features that this library does not know), DUET_E_MEMORY.
DUET_API duet_code duet_registry_add(duet_registry *registry, const duet_custom *algorithm,
                                     duet_error *error);

/// Places a task: 0 <= task < n, a type it may run on, a processor of that type, a start >= 0 in
/// ticks. Placing it again moves it. Whether runs overlap is seen at the end, by the checker.
/// DUET_E_USAGE. O(log kinds).
DUET_API duet_code duet_work_place(duet_work *work, int64_t task, size_t type, int64_t processor,
                                   int64_t start, duet_error *error);
/// Offers a lower bound, such as duet_compute_bound() gives. It counts where its certificate proves
/// it; the bound stays the caller's. DUET_E_USAGE where it does not.
DUET_API duet_code duet_work_offer_bound(duet_work *work, const duet_bound *bound,
                                         duet_error *error);
/// Whether the time is up or a cancellation was requested: place what is left and return soon.
DUET_API bool duet_work_stop(const duet_work *work);
/// A word to the caller's progress function; `best` DUET_FORBIDDEN before the first schedule.
DUET_API void duet_work_report(const duet_work *work, const char *phase, int64_t lower_bound,
                               int64_t best);
/// The threads it may use, >= 1.
DUET_API int duet_work_threads(const duet_work *work);
/// The seed of everything random.
DUET_API uint64_t duet_work_seed(const duet_work *work);
/// The value of one of its own options, or its default; 0 for a name that is not in the table.
DUET_API int64_t duet_work_integer(const duet_work *work, const char *option);
/// As duet_work_integer(), of a decimal option, in thousandths.
DUET_API int64_t duet_work_decimal(const duet_work *work, const char *option);
/// As duet_work_integer(), of a boolean option.
DUET_API bool duet_work_boolean(const duet_work *work, const char *option);
/// As duet_work_integer(), of a choice: its index, from 0.
DUET_API int duet_work_choice(const duet_work *work, const char *option);
/// As duet_work_integer(), of a text, which lives as long as the run; NULL for a name that is not
/// in the table.
DUET_API const char *duet_work_text(const duet_work *work, const char *option);

#ifdef __cplusplus
}
#endif

#endif
