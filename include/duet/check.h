// SPDX-License-Identifier: Apache-2.0
/// @file
/// The independent checker: what an outsider would trust. duet_check_solution() shares no code with
/// any algorithm.
#ifndef DUET_CHECK_H
#define DUET_CHECK_H

#include <duet/bound.h>
#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/params.h>
#include <duet/solution.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How far a lower bound is proven.
typedef enum duet_bound_check {
    DUET_BOUND_NONE,      ///< it claims none
    DUET_BOUND_UNPROVEN,  ///< it claims one without a certificate
    DUET_BOUND_CERTIFIED, ///< the certificate proves it
    DUET_BOUND_DEEP       ///< the certificate is a table or a knapsack of modes, which was not
                          ///< computed again: see duet_verify_deep()
} duet_bound_check;

/// Checks the schedule by the clauses S1 to S6 of docs/problem.md: every task placed once, on an
/// allowed type (of moldable tasks: on a set of processors of one type, or of several with mixed
/// sets), on an existing processor, at a start >= 0, without overlap (spoliated runs occupy their
/// processor too), not before its predecessors have ended and their data are there (nor did a
/// spoliated run); then the claimed numbers: the makespan is the latest completion, the lower bound
/// is at most the makespan, and equals it where the status is optimal; then the certificate, which
/// must prove at least the claimed lower bound. The first fault found is reported as DUET_E_INPUT
/// with task and numbers. `bound` (may be NULL) receives how far the bound is proven. O(n log n)
/// time, O(n) memory; of a schedule held as runs, with their number for n.
///
/// Of `params` (may be NULL) the limits and the cancellation hold for schedule and certificate, as
/// in duet_certificate_check(); errors as there.
DUET_API duet_code duet_check_solution(const duet_instance *instance, const duet_solution *solution,
                                       const duet_params *params, duet_bound_check *bound,
                                       duet_error *error);

/// How far a bound that duet_compute_bound() made for `instance` is proven: DUET_BOUND_UNPROVEN
/// where its certificate proves less than its value, or it has none. Where tasks are given their
/// ends are a bound, too, and the certificate is about the rest. Of `params` (may be NULL) the
/// limits and the cancellation hold; errors as duet_certificate_check(), but that a certificate
/// for duet_verify_deep() is DUET_BOUND_DEEP; also DUET_E_USAGE (no platform), DUET_E_MEMORY.
DUET_API duet_code duet_check_bound(const duet_instance *instance, const duet_bound *bound,
                                    const duet_params *params, duet_bound_check *check,
                                    duet_error *error);

/// duet_certificate_check() of every kind: also computes the table of a DUET_PROOF_TABLE
/// certificate again, or what a DUET_PROOF_MOLDABLE_KNAPSACK one rests on. DUET_OK where it answers
/// NO at lambda - 1, so that no schedule is shorter than lambda; DUET_E_INPUT where it does not.
/// Unlike the rest of this header it runs the library's own table. `params` (may be NULL) gives
/// threads, memory limit, deadline and cancellation. Errors also: DUET_E_USAGE (`params`, no
/// platform), DUET_E_UNSUPPORTED (`params`), DUET_E_LIMIT, DUET_E_CANCELLED, DUET_E_MEMORY.
DUET_API duet_code duet_verify_deep(const duet_instance *instance,
                                    const duet_certificate *certificate, const duet_params *params,
                                    duet_error *error);

/// What was found in a proof, as far as it was read.
typedef struct duet_proof_stats {
    bool is_proof;       ///< the file could be read, and begins as a proof does
    int64_t bound;       ///< that it claims, in ticks
    int64_t nodes;       ///< of its tree
    int64_t vectors;     ///< of prices
    int64_t depth;       ///< most nodes on a path from the root, both ends included
    int64_t reserved[4]; ///< 0: room to grow
} duet_proof_stats;

/// Checks the file of a proof by search ("-": standard input): DUET_OK where it proves that no
/// schedule of `instance`, whose tasks are sequential, is shorter than `bound` ticks. The format
/// and why it proves that: docs/formats.md, docs/theory/certificates.md. Shares no code with any
/// algorithm, and decides in integers. The file is read once, from front to back; memory grows with
/// its vectors and its depth, not with its nodes. `params` (may be NULL) gives memory limit (0: 1
/// GiB, or 1,000 times the file where that is more), deadline and cancellation; `stats` (may be
/// NULL) is filled whatever comes back. Errors: DUET_E_INPUT (unreadable, or no proof of that:
/// file, line, and what was expected), DUET_E_USAGE (no platform, `params`), DUET_E_UNSUPPORTED
/// (moldable tasks), DUET_E_LIMIT, DUET_E_CANCELLED, DUET_E_MEMORY.
DUET_API duet_code duet_verify_proof(const duet_instance *instance, const char *path, int64_t bound,
                                     const duet_params *params, duet_proof_stats *stats,
                                     duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
