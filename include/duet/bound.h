// SPDX-License-Identifier: Apache-2.0
/// @file
/// Lower bounds on the makespan, and the certificates that prove them.
#ifndef DUET_BOUND_H
#define DUET_BOUND_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What kind of argument proves a bound.
typedef enum duet_proof {
    DUET_PROOF_NONE = 0,  ///< no certificate: the bound rests on the algorithm that claims it
    DUET_PROOF_LONGEST,   ///< one task takes at least lambda wherever it runs
    DUET_PROOF_AREA,      ///< weights on the types show that the work does not fit into lambda - 1
    DUET_PROOF_SHELF,     ///< weights on work and on long tasks show it
    DUET_PROOF_TABLE,     ///< the 4/3 table answers NO at lambda - 1: see duet_verify_table()
    DUET_PROOF_KNAPSACK,  ///< the work cannot be divided between the two types
    DUET_PROOF_PRICES,    ///< prices by which the demand exceeds the supply
    DUET_PROOF_FLOW,      ///< of a task graph: prices of the types and a flow along its edges
    DUET_PROOF_HEAD_TAIL, ///< of a task graph: the work between a head and a tail does not fit
    DUET_PROOF_LINES,     ///< the text of a proof, as duet_verify_proof() reads it from a file
    DUET_PROOF_MOLDABLE_PRICES,   ///< of moldable tasks: prices of areas and of long tasks
    DUET_PROOF_MOLDABLE_KNAPSACK, ///< no mode for each fits them: see duet_verify_table()
    DUET_PROOF_MOLDABLE_STEPS     ///< of moldable tasks: what times are worth on a processor
} duet_proof;

/// How the limit of a price list holds for a type.
typedef enum duet_price_mode {
    DUET_PRICE_SET = 0, ///< for every set of tasks that fits one processor: a knapsack shows it
    DUET_PRICE_AREA     ///< by density: price * capacity <= limit * time for every class
} duet_price_mode;

/// Prices per class of equal tasks and type, with a limit per type. Immutable; shared by counting
/// references, so that copying a bound costs a duet_price_list_retain().
typedef struct duet_price_list duet_price_list;

/// Copies prices for `types` processor types, 1 to DUET_MAX_TYPES: `prices` has a row of `types`
/// prices for each of `classes` classes, `modes` and `limits` one entry per type. On success `*out`
/// holds one reference, the caller's. Nothing is checked but the size; the rest is for
/// duet_certificate_check(). Errors: DUET_E_USAGE (no such number of types), DUET_E_LIMIT,
/// DUET_E_MEMORY.
DUET_API duet_code duet_price_list_create_types(size_t types, size_t classes,
                                                const duet_price_mode *modes, const int64_t *limits,
                                                const int64_t *prices, const duet_price_list **out,
                                                duet_error *error);
/// The same for two types: `prices` has pairs (CPU, GPU).
DUET_API duet_code duet_price_list_create(size_t classes, const duet_price_mode *modes,
                                          const int64_t *limits, const int64_t *prices,
                                          const duet_price_list **out, duet_error *error);
/// One more reference; returns `list`. NULL is allowed.
DUET_API const duet_price_list *duet_price_list_retain(const duet_price_list *list);
/// One reference less; the last frees the list. NULL is allowed.
DUET_API void duet_price_list_release(const duet_price_list *list);

/// Number of processor types it has prices for.
DUET_API size_t duet_price_list_types(const duet_price_list *list);
/// Number of classes it prices.
DUET_API size_t duet_price_list_classes(const duet_price_list *list);
/// How the limit of a type holds; `type` is below duet_price_list_types(), of two types 0 (CPU) or
/// 1 (GPU).
DUET_API duet_price_mode duet_price_list_mode(const duet_price_list *list, size_t type);
/// The limit of the type: the most that the tasks of one processor are priced.
DUET_API int64_t duet_price_list_limit(const duet_price_list *list, size_t type);
/// The prices: a row of one per type for each class, of two types a pair (CPU, GPU); valid as long
/// as the list.
DUET_API const int64_t *duet_price_list_prices(const duet_price_list *list);

/// A number of an edge or of a task.
typedef struct duet_flow_term {
    int64_t at;    ///< index of the edge or task
    int64_t value; ///< its number
} duet_flow_term;

/// A flow along the edges of a task graph, by its entries that are not 0. Immutable; shared by
/// counting references, as a price list.
typedef struct duet_flow duet_flow;

/// What duet_flow_create() copies a flow from; each list in any order. Start from
/// `{.struct_size = sizeof(duet_flow_desc)}`.
typedef struct duet_flow_desc {
    size_t struct_size;          ///< sizeof(duet_flow_desc), so that it can grow
    const duet_flow_term *edge;  ///< f_e of edges
    size_t edges;                ///< how many
    const duet_flow_term *task;  ///< phi_i of tasks, where it exceeds what flows in and out
    size_t tasks;                ///< how many
    const duet_flow_term *cross; ///< g_e of edges: what may be charged for communication
    size_t crosses;              ///< how many
} duet_flow_desc;

/// Copies a flow and sorts its entries by index. On success `*out` holds one reference, the
/// caller's. Nothing is checked; that is for duet_certificate_check(). Errors: DUET_E_USAGE and
/// DUET_E_UNSUPPORTED (`struct_size`), DUET_E_MEMORY. O(entries log entries).
DUET_API duet_code duet_flow_create(const duet_flow_desc *desc, const duet_flow **out,
                                    duet_error *error);
/// One more reference; returns `flow`. NULL is allowed.
DUET_API const duet_flow *duet_flow_retain(const duet_flow *flow);
/// One reference less; the last frees the flow. NULL is allowed.
DUET_API void duet_flow_release(const duet_flow *flow);
/// The entries of edges, by rising index; `*count` receives how many. Valid as long as the flow.
DUET_API const duet_flow_term *duet_flow_edges(const duet_flow *flow, size_t *count);
/// The entries of tasks, likewise.
DUET_API const duet_flow_term *duet_flow_tasks(const duet_flow *flow, size_t *count);
/// What is charged for communication, likewise.
DUET_API const duet_flow_term *duet_flow_crosses(const duet_flow *flow, size_t *count);

/// The text of a proof. Immutable; shared by counting references, as a flow is.
typedef struct duet_proof_lines duet_proof_lines;

/// Copies `length` bytes of text. On success `*out` holds one reference, the caller's. Nothing is
/// checked; that is for duet_certificate_check(). Errors: DUET_E_LIMIT, DUET_E_MEMORY.
DUET_API duet_code duet_proof_lines_create(const char *text, size_t length,
                                           const duet_proof_lines **out, duet_error *error);
/// One more reference; returns `lines`. NULL is allowed.
DUET_API const duet_proof_lines *duet_proof_lines_retain(const duet_proof_lines *lines);
/// One reference less; the last frees the text. NULL is allowed.
DUET_API void duet_proof_lines_release(const duet_proof_lines *lines);
/// The text, with a NUL behind it; `*length` receives its bytes. Valid as long as the lines.
DUET_API const char *duet_proof_lines_text(const duet_proof_lines *lines, size_t *length);

/// A proof that no schedule has a makespan below `lambda`, checkable in integers by
/// duet_certificate_check() without any solver (but for DUET_PROOF_TABLE). L stands for lambda - 1;
/// a type *can run* task j if it has processors, allows j, and p_jt <= L.
///
/// - DUET_PROOF_LONGEST: task `task` takes >= lambda on every type that has processors.
/// - DUET_PROOF_AREA: with weights u_t >= 0, not all 0, the sum over the tasks of
///   min { u_t p_jt : type t can run j } exceeds L * sum u_t m_t; a task that fits nowhere within L
///   proves it alone.
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
///   and GPU work <= m_1 C_1. The weights u_t guide the search that confirms it.
/// - DUET_PROOF_PRICES: no set of tasks with times of at most C_t in sum has prices of more than
///   the limit M_t of its type, but the sum over the tasks of the least of their prices, of the
///   types that can run them, exceeds sum m_t M_t.
///
/// The last three are about task graphs, with any number of types:
///
/// - DUET_PROOF_FLOW: prices a_t >= 0 per type (`weight`) and a flow f_e >= 0 per edge. Of task i
///   let in_i and out_i be the flow on the edges that enter and leave it, and phi_i the larger of
///   them, or what `flow` says, which is no less. With F = sum_i (phi_i - in_i) every schedule has
///   makespan * (sum_t m_t a_t + F) >= sum_i min { p_it (a_t + phi_i) : i is allowed on t }, so
///   that a right side above (lambda - 1) times the bracket proves lambda. On two types each edge
///   may have a charge -f_e c(1, 0) <= g_e <= f_e c(0, 1) for its communication costs: it is added
///   to what the task that it leaves costs on type 0, and taken from what the task that it enters
///   costs there.
/// - DUET_PROOF_LINES: see duet_verify_proof(); the bound that the text proves is at least lambda.
/// - DUET_PROOF_HEAD_TAIL: the head of a task is the longest path that ends before it, its tail the
///   longest one that begins after it, every task with its least time. Of the tasks whose heads are
///   at least `head` and whose tails are at least `tail` there is one, and in a schedule of length
///   L all of them run within L - head - tail. With weights u_t >= 0, not all 0, the sum over them
///   of min { u_t p_jt : j is allowed on t } exceeds (L - head - tail) * sum u_t m_t, or that
///   length is negative.
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
typedef struct duet_certificate {
    duet_proof proof; ///< which argument; it says what else counts
    int64_t lambda;   ///< the proven bound, in ticks
    int64_t task;     ///< DUET_PROOF_LONGEST
    size_t types;     ///< number of weights, unless for DUET_PROOF_KNAPSACK
    /// u_t: DUET_PROOF_AREA, DUET_PROOF_SHELF, DUET_PROOF_KNAPSACK, DUET_PROOF_HEAD_TAIL,
    /// DUET_PROOF_MOLDABLE_PRICES, DUET_PROOF_MOLDABLE_STEPS; a_t: DUET_PROOF_FLOW
    int64_t weight[DUET_MAX_TYPES];
    /// a_t = count_weight_high[t] * 2^62 + count_weight[t], each part >= 0: DUET_PROOF_SHELF; the
    /// low part alone: DUET_PROOF_MOLDABLE_PRICES.
    /// (Times of up to 2^62 ticks need products of two of them.)
    int64_t count_weight[DUET_MAX_TYPES];
    int64_t count_weight_high[DUET_MAX_TYPES]; ///< the high parts, see `count_weight`
    int parts;                                 ///< 2 or 3: DUET_PROOF_SHELF
    size_t rounded;                            ///< index of a type: DUET_PROOF_TABLE
    int64_t grid; ///< grid steps per unit of the published rounding; 0: exact: DUET_PROOF_TABLE
    /// DUET_PROOF_PRICES. A bound that duet_compute_bound() gave out holds a reference
    /// (duet_bound_release()), a solution holds its own; elsewhere whoever sets it sees to that.
    const duet_price_list *prices;
    int64_t reserved[4]; ///< 0, which the checker insists on: room for proofs to come
    const duet_proof_lines
        *lines;   ///< DUET_PROOF_LINES, DUET_PROOF_MOLDABLE_STEPS; whose it is, as of `prices`
    int64_t head; ///< ticks, >= 0: DUET_PROOF_HEAD_TAIL
    int64_t tail; ///< likewise
    const duet_flow *flow; ///< DUET_PROOF_FLOW; whose it is, as of `prices`
} duet_certificate;

/// A lower bound: its exact value as a reduced fraction of ticks, and as an integer (the ceiling).
/// One that comes from a linear program, and is at least what its certificate proves, has no exact
/// value.
typedef struct duet_bound {
    const char *name;             ///< of the bound, a static string
    int64_t value;                ///< ticks: no schedule is shorter
    char exact[96];               ///< "p/q" in ticks, or "p" where it is whole; "": none
    duet_certificate certificate; ///< proof NONE where the bound has none
    int64_t reserved[4];          ///< 0: room to grow
} duet_bound;

/// Gives back what a bound holds: the prices, the flow or the lines of its certificate. Safe on
/// every bound, also twice; needed only where the certificate has either.
DUET_API void duet_bound_release(duet_bound *bound);

/// Whether `certificate` proves that no schedule of `instance` is shorter than its lambda. Integer
/// arithmetic only. On a certificate that does not hold: DUET_E_INPUT with the reason. One with
/// reserved members set, of a later version: DUET_E_UNSUPPORTED. A
/// well-formed DUET_PROOF_TABLE or DUET_PROOF_MOLDABLE_KNAPSACK: DUET_E_UNSUPPORTED, since it takes
/// duet_verify_table(). O(kinds x types), but for DUET_PROOF_FLOW (O(entries of the flow + tasks x
/// types)), DUET_PROOF_HEAD_TAIL (O(edges + tasks x types)), DUET_PROOF_KNAPSACK (a dynamic program
/// over at most 2^24 pairs of works) and DUET_PROOF_PRICES (a knapsack for each type whose mode is
/// DUET_PRICE_SET: O(classes log classes) for most, at worst a dynamic program over the prices up
/// to M_t; refused where M_t > 2^26 or where the number of classes times M_t exceeds 2^36). Of
/// DUET_PROOF_LINES a few bytes may ask for hours: duet_certificate_check_with() (duet/check.h) has
/// limits.
DUET_API duet_code duet_certificate_check(const duet_certificate *certificate,
                                          const duet_instance *instance, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
