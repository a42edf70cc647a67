// SPDX-License-Identifier: Apache-2.0
/// @file
/// Certificates: proofs of lower bounds that duet_certificate_check() checks in integers.
#ifndef DUET_CERTIFICATE_H
#define DUET_CERTIFICATE_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/params.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What kind of argument proves a bound.
typedef enum duet_proof {
    DUET_PROOF_NONE = 0,  ///< no certificate: the bound rests on the algorithm that claims it
    DUET_PROOF_LONGEST,   ///< one task takes at least lambda wherever it runs
    DUET_PROOF_AREA,      ///< weights on the types show that the work does not fit into lambda - 1
    DUET_PROOF_SHELF,     ///< weights on work and on long tasks show it
    DUET_PROOF_TABLE,     ///< the 4/3 table answers NO at lambda - 1: see duet_verify_deep()
    DUET_PROOF_KNAPSACK,  ///< the work cannot be divided between the types
    DUET_PROOF_PRICES,    ///< prices by which the demand exceeds the supply
    DUET_PROOF_FLOW,      ///< of a task graph: prices of the types and a flow along its edges
    DUET_PROOF_HEAD_TAIL, ///< of a task graph: the work between a head and a tail does not fit
    DUET_PROOF_LINES,     ///< the text of a proof, as duet_verify_proof() reads it from a file
    DUET_PROOF_MOLDABLE_PRICES,   ///< of moldable tasks: prices of areas and of long tasks
    DUET_PROOF_MOLDABLE_KNAPSACK, ///< no mode for each fits them: see duet_verify_deep()
    DUET_PROOF_MOLDABLE_STEPS     ///< of moldable tasks: what times are worth on a processor
} duet_proof;

/// The name of a kind of argument, as in files: "head-tail"; "none" for DUET_PROOF_NONE and for
/// numbers of no kind. A static string.
DUET_API const char *duet_proof_name(duet_proof proof);

/// How the limit of prices holds for a type.
typedef enum duet_price_mode {
    DUET_PRICE_SET = 0, ///< for every set of tasks that fits one processor: a knapsack shows it
    DUET_PRICE_AREA     ///< by density: price * capacity <= limit * time for every class
} duet_price_mode;

/// A number of an edge or of a task.
typedef struct duet_flow_term {
    int64_t at;    ///< index of the edge or task
    int64_t value; ///< its number
} duet_flow_term;

/// Numbers of edges or of tasks, those that are not 0.
typedef struct duet_flow_list {
    const duet_flow_term *term; ///< in any order
    size_t count;               ///< how many
} duet_flow_list;

/// A flow along the edges of a task graph.
typedef struct duet_flow_lists {
    duet_flow_list edges;   ///< f_e
    duet_flow_list tasks;   ///< phi_i, where it exceeds what flows in and out
    duet_flow_list charges; ///< g_e: what may be charged for communication
} duet_flow_lists;

/// A proof that no schedule has a makespan below `lambda`, checkable in integers by
/// duet_certificate_check() without any solver (but for DUET_PROOF_TABLE). L stands for lambda - 1;
/// a type *can run* task j if it has processors, allows j, and p_jt <= L.
///
/// - DUET_PROOF_LONGEST: task `task` ends at lambda or later on every type that has processors,
/// where
///   it starts at its release, or when the first processor of the type is no more busy.
/// - DUET_PROOF_AREA: with weights u_t >= 0, not all 0, the sum over the tasks of
///   min { u_t p_jt : type t can run j } exceeds L * sum u_t m_t; a task that fits nowhere within L
///   proves it alone. With releases or busy processors it is about the tasks that are released at
///   `from` or later: in place of L m_t stands what the processors have from then on to L where
///   they are not busy, and type t can run j only if j ends by L there.
/// - DUET_PROOF_SHELF: in a schedule of length L a processor runs at most one task longer than L/2;
///   of tasks longer than L/3 at most two, and only one where one of them is longer than 2L/3. So
///   with w_t(j) = 1 if 2 p_jt > L, else 0 (`parts` = 2), or w_t(j) = 2 if 3 p_jt > 2 L, 1 if
///   3 p_jt > L, else 0 (`parts` = 3), the tasks of a processor have w of at most parts - 1 in sum.
///   For any u_t, a_t >= 0 such a schedule has
///   sum_j min { u_t p_jt + a_t w_t(j) : type t can run j } <= sum_t m_t (u_t L + a_t (parts - 1));
///   weights that break this inequality prove that there is none.
/// - DUET_PROOF_TABLE: the table of the 4/3 approximation, with the work of type `rounded` counted
///   on the grid `grid` (0: exactly), answers NO at L. Only computing it again can confirm this.
///
/// The next two are about *classes*: a time is usable if its type can run the task; kinds with a
/// usable time of 0 are left out; the others are classes of equal usable times, numbered in the
/// order of first appearance. The capacity C_t of a processor is the largest multiple of the
/// greatest common divisor of the usable times of t that is at most L.
///
/// - DUET_PROOF_KNAPSACK (two types): no choice of a type for every task has CPU work <= m_0 C_0
///   and GPU work <= m_1 C_1. The weights u_t guide the search that confirms it. With releases or
///   busy processors, on any number of types: no choice of a type on which every task can end by
///   lambda - 1 has, for each release r and for 0, on each type at most as much work that is
///   released at r or later as its processors can do from r to lambda - 1. On two types the claim
///   without releases and busy processors is enough, since schedules only get longer with them.
/// - DUET_PROOF_PRICES: no set of tasks with times of at most C_t in sum has prices of more than
///   the limit M_t of its type, but the sum over the tasks of the least of their prices, of the
///   types that can run them, exceeds sum m_t M_t. A task that no type can run adds nothing.
///
/// The next is about sequential tasks, with edges or without:
///
/// - DUET_PROOF_LINES: see duet_verify_proof(); the bound that the text proves is at least lambda.
///
/// The next two are about task graphs, with any number of types:
///
/// - DUET_PROOF_FLOW: prices a_t >= 0 per type (`weight`) and a flow f_e >= 0 per edge. Of task i
///   let in_i and out_i be the flow on the edges that enter and leave it, and phi_i the larger of
///   them, or what `flow.tasks` says, which is no less. With F = sum_i (phi_i - in_i) every
///   schedule has makespan * (sum_t m_t a_t + F) >= sum_i min { p_it (a_t + phi_i) : i is allowed
///   on t }, so that a right side above (lambda - 1) times the bracket proves lambda. On two types
///   each edge may have a charge -f_e c(1, 0) <= g_e <= f_e c(0, 1) for its communication costs: it
///   is added to what the task that it leaves costs on type 0, and taken from what the task that it
///   enters costs there. With releases or busy processors task i costs (phi_i - in_i) max(r_i, f_t)
///   more on a type whose first processor is busy until f_t (with mixed sets (phi_i - in_i) r_i),
///   and in place of m_t * makespan a type has what its processors have behind their busy times.
/// - DUET_PROOF_HEAD_TAIL: the head of a task is the longest path that ends before it, its tail the
///   longest one that begins after it, every task with its least time. Of the tasks whose heads are
///   at least `head` and whose tails are at least `tail` there is one, and in a schedule of length
///   L all of them run within L - head - tail. With weights u_t >= 0, not all 0, the sum over them
///   of min { u_t p_jt : j is allowed on t } exceeds (L - head - tail) * sum u_t m_t, or one of
///   them takes longer than that length wherever it runs, or it is negative. With releases or busy
///   processors a head is at least the release, and when the first processor that may run the task
///   is no more busy, and a processor has what is left of that length when it is no more busy.
///
/// With mixed sets (duet_instance_mixed_sets()) three of them hold alone, as docs/problem.md says
/// under C4: DUET_PROOF_LONGEST with the least time over the best mixes of types, DUET_PROOF_AREA
/// with a task's time on one processor of a type for p_jt, and DUET_PROOF_FLOW without prices.
///
/// Moldable tasks, whose *modes* are p processors of type t for p_j(t, p) <= L ticks, are proven by
/// DUET_PROOF_LONGEST, DUET_PROOF_FLOW (a mode of p processors costs p_j(t, p) (p a_t + phi_j)),
/// and
///
/// - DUET_PROOF_MOLDABLE_PRICES: with u_t, a_t >= 0 the sum over the tasks of the least of u_t p
///   p_j(t, p) + a_t p [2 p_j(t, p) > L] over their modes exceeds sum_t m_t (u_t L + a_t): modes
///   longer than L/2 all run at the same time. A task without a mode proves it alone.
/// - DUET_PROOF_MOLDABLE_KNAPSACK: no choice of a mode for each task keeps within these rows, area
///   and long modes of each type. Only computing it again can confirm this.
/// - DUET_PROOF_MOLDABLE_STEPS: on each type a time of at least s_i is worth v_i, the largest of
///   these; `lines` has a line per type, "s_1 v_1 s_2 v_2 ...", both rising. Times of L ticks at
///   most in sum are worth u_t at most, which is up to 65536. The sum over the tasks of the least
///   of p times the worth of p_j(t, p), over their modes, exceeds sum_t m_t u_t.
///
/// A new argument is a line of DUET_PROOF_LINES, not a new kind.
///
/// A certificate is immutable. That of a bound or a solution belongs to it and lives as long;
/// whoever creates one frees it.
typedef struct duet_certificate duet_certificate;

/// What a certificate says. The kinds of argument that read a member stand behind it; in others it
/// is 0. Start from `{.struct_size = sizeof(duet_certificate_desc)}`.
typedef struct duet_certificate_desc {
    size_t struct_size; ///< sizeof(duet_certificate_desc), so that it can grow
    duet_proof proof;   ///< which argument
    int64_t lambda;     ///< the proven bound, in ticks
    int64_t task;       ///< DUET_PROOF_LONGEST
    size_t types;       ///< entries of each array of one number per type, at most DUET_MAX_TYPES
    /// u_t: DUET_PROOF_AREA, DUET_PROOF_SHELF, DUET_PROOF_KNAPSACK, DUET_PROOF_HEAD_TAIL,
    /// DUET_PROOF_MOLDABLE_PRICES, DUET_PROOF_MOLDABLE_STEPS; a_t: DUET_PROOF_FLOW. NULL: all 0
    const int64_t *weight;
    /// a_t = count_weight_high[t] * 2^62 + count_weight[t], each part >= 0: DUET_PROOF_SHELF; the
    /// low part alone: DUET_PROOF_MOLDABLE_PRICES. NULL: all 0. (Times of up to 2^62 ticks need
    /// products of two of them.)
    const int64_t *count_weight;
    const int64_t *count_weight_high; ///< the high parts, see `count_weight`
    int parts;                        ///< 2 or 3: DUET_PROOF_SHELF
    size_t rounded;                   ///< index of a type: DUET_PROOF_TABLE
    int64_t grid; ///< grid steps per unit of the published rounding; 0: exact: DUET_PROOF_TABLE
    int64_t head; ///< ticks, >= 0: DUET_PROOF_HEAD_TAIL
    int64_t tail; ///< ticks, >= 0: DUET_PROOF_HEAD_TAIL
    const duet_price_mode *mode; ///< one per type: DUET_PROOF_PRICES, as the next three
    const int64_t *limit;        ///< M_t: the most that the tasks of one processor are priced
    const int64_t *price;        ///< a row of one per type for each class
    size_t classes;              ///< rows of `price`
    duet_flow_lists flow;        ///< DUET_PROOF_FLOW
    const char *lines;           ///< text: DUET_PROOF_LINES, DUET_PROOF_MOLDABLE_STEPS
    size_t length;               ///< bytes of `lines`
    int64_t from; ///< ticks, >= 0: DUET_PROOF_AREA: it is about the tasks released from then on
} duet_certificate_desc;

/// Copies a certificate from its description. On success `*out` is the caller's
/// (duet_certificate_free()). Nothing is checked but sizes; the rest is for
/// duet_certificate_check(). Errors: DUET_E_USAGE (`struct_size`, the number of types),
/// DUET_E_UNSUPPORTED (`struct_size`), DUET_E_LIMIT, DUET_E_MEMORY. O(size, with log size for the
/// terms of a flow).
DUET_API duet_code duet_certificate_create(const duet_certificate_desc *desc,
                                           duet_certificate **out, duet_error *error);
/// Frees what duet_certificate_create() made. NULL is allowed.
DUET_API void duet_certificate_free(duet_certificate *certificate);

/// Which argument it makes; DUET_PROOF_NONE: it proves nothing.
DUET_API duet_proof duet_certificate_proof(const duet_certificate *certificate);
/// The bound that it proves, in ticks.
DUET_API int64_t duet_certificate_lambda(const duet_certificate *certificate);
/// All that it says: fills as much of `*desc` as its `struct_size`, which the caller has set,
/// reaches. Pointers in it belong to the certificate; flows are sorted by index. O(1).
DUET_API void duet_certificate_describe(const duet_certificate *certificate,
                                        duet_certificate_desc *desc);

/// Whether `certificate` proves that no schedule of `instance` is shorter than its lambda. Integer
/// arithmetic only. Of `params` (may be NULL) the limits of time and memory and the cancellation
/// count: what is neither proven nor refuted by then is DUET_E_LIMIT or DUET_E_CANCELLED. It looks
/// at the clock every few milliseconds, also inside a single line of a proof; of DUET_PROOF_LINES a
/// few bytes may ask for hours. Where the limit of memory is 0, it is 1 GiB, or 1,000 times the
/// text of the certificate where that is more.
///
/// Errors: DUET_E_INPUT (it does not hold, with the reason); DUET_E_UNSUPPORTED (a well-formed
/// DUET_PROOF_TABLE or DUET_PROOF_MOLDABLE_KNAPSACK, which takes duet_verify_deep()); DUET_E_USAGE
/// and DUET_E_UNSUPPORTED (`params`). O(kinds x types), but for DUET_PROOF_FLOW (O(entries of the
/// flow + tasks x types)), DUET_PROOF_HEAD_TAIL (O(edges + tasks x types)), DUET_PROOF_KNAPSACK (a
/// dynamic program over lists of at most 2^24 pairs of works) and DUET_PROOF_PRICES (a knapsack for
/// each type whose mode is DUET_PRICE_SET: O(classes log classes) for most, at worst a dynamic
/// program over the prices up to M_t; refused where M_t > 2^26 or where the number of classes times
/// M_t exceeds 2^36).
DUET_API duet_code duet_certificate_check(const duet_certificate *certificate,
                                          const duet_instance *instance, const duet_params *params,
                                          duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
