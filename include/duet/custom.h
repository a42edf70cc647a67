// SPDX-License-Identifier: Apache-2.0
/// @file
/// Algorithms of the caller's own, under a name beside those of the library: duet_solve() runs them
/// with the same checks of platform, options and memory, has their schedule looked at by the
/// independent checker, and adds bounds and `improve` as for any other.
///
/// The functions of a caller are C functions: no exception of C++ may leave them, and none may
/// longjmp() out of them, since the library's own calls lie in between. <duet/duet.hpp> wraps them
/// so that exceptions are kept and thrown again behind the call. They may be called from a thread
/// that the library made, but never from two at once during one call of the library.
#ifndef DUET_CUSTOM_H
#define DUET_CUSTOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/certificate.h>
#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/options.h>
#include <duet/params.h>
#include <duet/registry.h>

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

/// A task that is revealed to an online rule: its predecessors have completed. Good during the call
/// alone.
typedef struct duet_revealed duet_revealed;

/// An online rule: returns the type that the task goes to, one where it may run (anything else ends
/// the run with DUET_E_USAGE). The engine owns time: at each instant it asks for the tasks that the
/// completions of that instant reveal, one by one in order of their index, and puts each on the
/// processor of its type where it starts first, the lowest one where several do, before it asks for
/// the next. Independent tasks are all revealed at time 0.
typedef size_t duet_choose_function(void *user, const duet_revealed *task);

/// What an online rule is told of the tasks behind a revealed one, beside the times of revealed
/// tasks. Each level includes those before it.
enum duet_information {
    DUET_SEES_TIMES,      ///< nothing
    DUET_SEES_BOTTOM,     ///< duet_revealed_bottom_level()
    DUET_SEES_DESCENDANTS ///< duet_revealed_descendants()
};

/// An algorithm. Start from `{.struct_size = sizeof(duet_custom)}`.
typedef struct duet_custom {
    size_t struct_size;              ///< sizeof(duet_custom), so that it can grow
    const char *name;                ///< 1 to 31 of a-z, 0-9 and '-'; none of the library's own
    const char *summary;             ///< one line; may be NULL
    const char *reference;           ///< may be NULL
    unsigned needs;                  ///< OR of ::duet_requirement (<duet/registry.h>)
    const duet_option_spec *options; ///< ends with a NULL name; NULL: none. Borrowed
    duet_work_function *run;         ///< schedules the tasks; this or `choose` is required
    void *user;                      ///< handed to `run` or `choose`
    unsigned handles;                ///< OR of ::duet_feature. DUET_FEATURE_ANY_TYPES goes without
                                     ///< saying where `needs` has no DUET_NEEDS_TWO_TYPES
    duet_choose_function *choose;    ///< an online rule, in place of `run`. It handles precedence
                                     ///< and communication, and takes the options `bind` and
                                     ///< `order` of the library's rules where `options` is NULL
    int information;                 ///< ::duet_information, of an online rule
} duet_custom;

/// An empty registry, owned by the caller (duet_registry_free()). DUET_E_MEMORY.
DUET_API duet_code duet_registry_create(duet_registry **out, duet_error *error);
/// NULL is allowed.
DUET_API void duet_registry_free(duet_registry *registry);
/// Adds an algorithm. Its texts are copied; its options table, which must outlive the registry, and
/// `user` are not. Errors: DUET_E_USAGE (`struct_size`, no name or one that is taken, no
/// function or two, both DUET_NEEDS_TWO_TYPES and DUET_FEATURE_ANY_TYPES), DUET_E_UNSUPPORTED
/// (`struct_size`, features or information that this library does not know), DUET_E_MEMORY.
DUET_API duet_code duet_registry_add(duet_registry *registry, const duet_custom *algorithm,
                                     duet_error *error);

/// How many algorithms the registry has; NULL has none.
DUET_API size_t duet_registry_count(const duet_registry *registry);
/// Algorithm `index`, as duet_algorithm_entry() says it of the library's, without a guarantee; NULL
/// past the end. Good until an algorithm is added.
DUET_API const duet_entry *duet_registry_entry(const duet_registry *registry, size_t index);

/// What a plug-in is: a shared object that exports a function of this type under the name
/// DUET_PLUGIN_ENTRY, which adds algorithms to `registry` by duet_registry_add(). The command loads
/// it with --plugin FILE.so, and a program may do the same with dlopen(). It is called once; what
/// it hands over as `user` and `options` lives as long as the process.
typedef duet_code duet_plugin_function(duet_registry *registry, duet_error *error);
/// The name of that function: `duet_code duet_plugin(duet_registry *registry, duet_error *error)`.
#define DUET_PLUGIN_ENTRY "duet_plugin"

/// Places a task: 0 <= task < n, a type it may run on, a processor of that type, a start >= 0 in
/// ticks. Placing it again moves it. Whether runs overlap is seen at the end, by the checker.
/// DUET_E_USAGE. O(log kinds).
DUET_API duet_code duet_work_place(duet_work *work, int64_t task, size_t type, int64_t processor,
                                   int64_t start, duet_error *error);
/// When a task can start on a processor behind all that was placed there so far: it is released,
/// the processor is no longer busy, its predecessors that have places have ended, and their data
/// are there. A rule that chooses the processor asks for each that it considers, then calls
/// duet_work_place(). Errors: as duet_work_place(); DUET_E_MEMORY. O(predecessors), and
/// O(processors) the first time.
DUET_API duet_code duet_work_start(duet_work *work, int64_t task, size_t type, int64_t processor,
                                   int64_t *start, duet_error *error);
/// Places all tasks by list scheduling with insertion: the next task is the first of `order` whose
/// predecessors have places, and goes to the earliest idle interval that is long enough.
/// `order` has every task once; NULL: by falling bottom level (the longest way to the end in least
/// times), the lowest index first. `type` is the allocation, a type for every task; NULL: each goes
/// to the type where it ends first, the later one where it ends at the same time. Errors:
/// DUET_E_USAGE (no order of all tasks, a type where a task may not run), DUET_E_MEMORY,
/// DUET_E_LIMIT, DUET_E_UNSUPPORTED (moldable tasks). O(tasks log m + edges) for few gaps.
/// Reference: Topcuoglu, Hariri, Wu, IEEE TPDS 13(3), 2002.
DUET_API duet_code duet_work_list(duet_work *work, const int64_t *order, const size_t *type,
                                  duet_error *error);
/// Offers the lower bound that `certificate` proves, under a name of at most 31 bytes, such as
/// duet_bound_name() and duet_bound_certificate(). Both stay the caller's. DUET_E_USAGE where it
/// proves nothing of the instance.
DUET_API duet_code duet_work_offer_bound(duet_work *work, const char *name,
                                         const duet_certificate *certificate, duet_error *error);
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

/// The task's index.
DUET_API int64_t duet_revealed_task(const duet_revealed *task);
/// The instant at which it is revealed, in ticks; with bind=idle at which its type is chosen.
DUET_API int64_t duet_revealed_now(const duet_revealed *task);
/// How many decimal places of the unit of times a tick is: one tick is 10^-decimals of it.
DUET_API int duet_revealed_decimals(const duet_revealed *task);
/// Processor types.
DUET_API size_t duet_revealed_types(const duet_revealed *task);
/// What a type is called; "" past the last one.
DUET_API const char *duet_revealed_type_name(const duet_revealed *task, size_t type);
/// Processors of a type; 0 past the last one.
DUET_API int64_t duet_revealed_processors(const duet_revealed *task, size_t type);
/// Its time on a type, in ticks; DUET_FORBIDDEN where it may not run.
DUET_API int64_t duet_revealed_time(const duet_revealed *task, size_t type);
/// When it would start on a type, its data there; DUET_FORBIDDEN where it may not run.
DUET_API int64_t duet_revealed_start(const duet_revealed *task, size_t type);
/// The longest way from its start to the end of the graph, each task taking its shortest time, in
/// ticks; -1 where the rule has not asked for it (duet_custom.information).
DUET_API int64_t duet_revealed_bottom_level(const duet_revealed *task);
/// The shortest times of all its descendants in sum; -1 where the rule has not asked for it.
DUET_API int64_t duet_revealed_descendants(const duet_revealed *task);

#ifdef __cplusplus
}
#endif

#endif
