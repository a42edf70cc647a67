// SPDX-License-Identifier: Apache-2.0
/// @file
/// What there is: algorithms, bounds, instance families and file formats, as data. The command, the
/// harness, the documentation and the conformance tests read these tables.
#ifndef DUET_REGISTRY_H
#define DUET_REGISTRY_H

#include <duet/export.h>
#include <duet/instance.h>
#include <duet/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What an algorithm or a bound asks of the platform or of the build.
enum duet_requirement {
    /// Exactly two types: CPU first, GPU second. Said by custom algorithms alone; a row of the
    /// library says the contrary, DUET_FEATURE_ANY_TYPES, in duet_entry.handles.
    DUET_NEEDS_TWO_TYPES = 1,
    DUET_NEEDS_GLPK = 2, ///< a build with GLPK
    /// Of a bound: edges to say something of its own. Of independent tasks it is one of the others,
    /// and left out where all are asked for.
    DUET_NEEDS_EDGES = 4,
    /// Moldable tasks: an algorithm or a bound that is of no use without, and refuses others.
    DUET_NEEDS_MOLDABLE = 8,
    DUET_NEEDS_TWO_TYPES_WITH_EDGES = 16, ///< two types where there are edges, else any number
    DUET_NEEDS_NO_MOLDABLE_EDGES = 32     ///< no edges between moldable tasks
};

/// What a user may know about an algorithm, a bound, a family or a format.
typedef struct duet_entry {
    const char *name;                ///< what users call it; unique in its table
    const char *summary;             ///< one line
    const char *guarantee;           ///< formula in m and k, or NULL: what an algorithm
                                     ///< proves, what a worst-case family reaches
    const char *reference;           ///< where it comes from; "" where it is ours
    unsigned needs;                  ///< OR of ::duet_requirement
    const duet_option_spec *options; ///< ends with a NULL name; NULL: none
    unsigned handles;                ///< of an algorithm or a bound: OR of ::duet_feature.
                                     ///< 0: independent tasks on CPU (first) and GPU (second);
                                     ///< of a family: what its instances may have
} duet_entry;

/// Number of algorithms. Their order is fixed, as that of the other tables.
DUET_API size_t duet_algorithm_count(void);
/// Algorithm `index`; NULL past the end.
DUET_API const duet_entry *duet_algorithm_entry(size_t index);
/// Number of lower bounds.
DUET_API size_t duet_bound_count(void);
/// Bound `index`; NULL past the end.
DUET_API const duet_entry *duet_bound_entry(size_t index);
/// Number of instance families.
DUET_API size_t duet_family_count(void);
/// Family `index`; NULL past the end.
DUET_API const duet_entry *duet_family_entry(size_t index);
/// Number of file formats.
DUET_API size_t duet_format_count(void);
/// Format `index`; NULL past the end.
DUET_API const duet_entry *duet_format_entry(size_t index);

/// The options that every algorithm takes beside its own: a table as an entry's.
DUET_API const duet_option_spec *duet_common_options(void);
/// The options that every reader of instances takes (duet_read_params.options): a table as an
/// entry's.
DUET_API const duet_option_spec *duet_reading_options(void);
/// Checks options as duet_solve() does for an algorithm: against its table and the common one.
/// Errors: DUET_E_USAGE.
DUET_API duet_code duet_check_algorithm_options(const duet_entry *algorithm,
                                                const duet_options *options, duet_error *error);

/// Writes the proven ratio of `algorithm` for independent tasks on that platform with `options`
/// (may be NULL) into `buffer` of at least 96 bytes and returns it; NULL where it has none. The
/// exact test that a makespan respects it is duet_guarantee_holds().
DUET_API const char *duet_guarantee(const char *algorithm, size_t types, const int64_t *counts,
                                    const duet_options *options, char *buffer);

/// Whether makespan <= ratio * optimum, in exact integer arithmetic, where ratio is the proven
/// ratio of `algorithm` for independent tasks on that platform: 1 yes, 0 no, -1 where the algorithm
/// has no proven ratio there.
DUET_API int duet_guarantee_holds(const char *algorithm, size_t types, const int64_t *counts,
                                  const duet_options *options, int64_t makespan, int64_t optimum);
/// The same on an instance's platform and edges. A ratio for independent tasks need not hold on
/// task graphs, and none is proven where data take time.
DUET_API int duet_instance_guarantee_holds(const char *algorithm, const duet_instance *instance,
                                           const duet_options *options, int64_t makespan,
                                           int64_t optimum);

#ifdef __cplusplus
}
#endif

#endif
