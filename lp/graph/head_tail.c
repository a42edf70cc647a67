// SPDX-License-Identifier: Apache-2.0
// Bound: head, area and tail.
// Method:    the head of a task is the longest path to it, its tail the longest path from it. The
//            tasks with a head of at least a and a tail of at least b run within [a, C - b], so
//            that a + b and their area bound are a bound. For given prices of the types the best
//            pair (a, b) is found exactly: by falling heads tasks enter a tree over the tails,
//            whose leaf for b holds b and the priced work of the tasks that have entered with a
//            tail of at least b; its maximum and the head at hand are the best pair of that head.
//            For a given pair the best prices are those of its area bound. Both in turn never get
//            worse, and stop at a pair and prices that are best for each other; several starts.
//            With releases a head is the longest path from one, and what processors that are busy
//            for longer than the head cannot give comes on top of the best pair at the end.
// Cost:      O((tasks + edges) + turns x tasks x log tails); turns are at most some twenty, and
//            fewer where tasks are many. Memory: 56 bytes a task.
// Proof:     a, b and the prices (DUET_PROOF_HEAD_TAIL).
// Reference: Fernandez, Bussell, "Bounds on the number of processors and time for multiprocessor
//            optimal schedules", IEEE Transactions on Computers C-22(8), 1973, for work in
//            intervals.
#include "lp/graph/head_tail.h"

#include <math.h>

#include "core/instance/available.h"
#include "core/instance/order.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/area/area.h"
#include "lp/area/weights.h"
#include "lp/graph/tuning.h"

// Tails at which the tree has its leaves, and the best of each subtree. Node i has the children 2i
// and 2i + 1.
typedef struct tail_tree {
    size_t leaves; // a power of two, at least `used`
    size_t used;   // leaves that have been entered
    double *best;  // the largest value below a node, without what was added above it
    double *added; // to all leaves below a node
} tail_tree;

typedef struct search {
    const duet_network *net;
    duet_instance part; // the instance's kinds with the tasks between head and tail alone
    duet_acceleration_order kinds; // of two types

    // Heads and tails.
    int64_t *head, *tail;
    int32_t *by_head;   // the tasks by falling heads
    int32_t *rank;      // of each task's tail among the different ones, by rising tails
    int64_t *leaf_tail; // the different tails
    size_t tails;

    double
        *cost; // of each kind's tasks for the prices at hand, where all processors together cost 1
    tail_tree tree;

    duet_fraction value; // the best so far
    duet_bound best;
} search;

// A pair of thresholds.
typedef struct pair {
    int64_t head, tail;
} pair;

// --- heads and tails -----------------------------------------------------------------------------

void duet_network_heads(const duet_network *network, int64_t *head)
{
    const duet_graph *graph = network->graph;
    for (int64_t j = 0; j < network->tasks; j++) {
        head[j] = duet_earliest_start(network->instance, (size_t)network->kind[j]);
    }
    for (int64_t i = 0; i < network->tasks; i++) {
        int32_t task = network->order[i];
        int64_t end = head[task] + network->shortest[network->kind[task]];
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int64_t *next = &head[graph->head[graph->leaving[at]]];
            *next = duet_max(end, *next);
        }
    }
}

void duet_network_tails(const duet_network *network, int64_t *tail)
{
    for (int64_t j = 0; j < network->tasks; j++) {
        tail[j] = network->shortest[network->kind[j]];
    }
    duet_graph_raise(network->graph, network->order, tail);
    for (int64_t j = 0; j < network->tasks; j++) {
        tail[j] -= network->shortest[network->kind[j]];
    }
}

// Sorts the tasks by falling heads, and ranks their tails. `items`: room for an entry per task.
static duet_code sort_tasks(search *s, duet_ordered *items, duet_error *error)
{
    size_t tasks = (size_t)s->net->tasks;
    for (size_t j = 0; j < tasks; j++) {
        items[j] = (duet_ordered){.key = (uint64_t)s->head[j], .kind = j};
    }
    DUET_TRY(duet_order_by_key(items, tasks, error));
    for (size_t j = 0; j < tasks; j++) {
        s->by_head[j] = (int32_t)items[j].kind;
        items[j] = (duet_ordered){.key = UINT64_MAX - (uint64_t)s->tail[j], .kind = j};
    }
    DUET_TRY(duet_order_by_key(items, tasks, error));
    for (size_t j = 0; j < tasks; j++) {
        int64_t tail = s->tail[items[j].kind];
        if (s->tails == 0 || s->leaf_tail[s->tails - 1] != tail) {
            s->leaf_tail[s->tails++] = tail;
        }
        s->rank[items[j].kind] = (int32_t)(s->tails - 1);
    }
    return DUET_OK;
}

// --- the tree over the tails ---------------------------------------------------------------------

static void tree_clear(tail_tree *tree)
{
    tree->used = 0;
    for (size_t i = 0; i < 2 * tree->leaves; i++) {
        tree->best[i] = -INFINITY;
        tree->added[i] = 0.0;
    }
}

static void tree_lift(tail_tree *tree, size_t node)
{
    for (node /= 2; node > 0; node /= 2) {
        double left = tree->best[2 * node] + tree->added[2 * node];
        double right = tree->best[2 * node + 1] + tree->added[2 * node + 1];
        tree->best[node] = duet_max(left, right);
    }
}

// Enters a task: its leaf and those of smaller tails gain `cost`. A leaf counts from the first task
// on that has a tail of at least its own: no pair is without tasks.
static void tree_enter(search *s, size_t rank, double cost)
{
    tail_tree *tree = &s->tree;
    for (; tree->used <= rank; tree->used++) {
        // Nothing was added above this leaf, since it would have been to this leaf, too.
        tree->best[tree->leaves + tree->used] = (double)s->leaf_tail[tree->used];
        tree_lift(tree, tree->leaves + tree->used);
    }
    // On the way up from the leaf, what hangs off to the left lies below it.
    size_t node = tree->leaves + rank;
    tree->added[node] += cost;
    for (; node > 1; node /= 2) {
        if (node % 2 == 1) {
            tree->added[node - 1] += cost;
        }
        double left = tree->best[node & ~(size_t)1] + tree->added[node & ~(size_t)1];
        double right = tree->best[node | 1] + tree->added[node | 1];
        tree->best[node / 2] = duet_max(left, right);
    }
}

static double tree_best(const tail_tree *tree)
{
    return tree->best[1] + tree->added[1];
}

// The rank of the best tail.
static size_t tree_find(const tail_tree *tree)
{
    size_t node = 1;
    while (node < tree->leaves) {
        double left = tree->best[2 * node] + tree->added[2 * node];
        double right = tree->best[2 * node + 1] + tree->added[2 * node + 1];
        node = 2 * node + (left >= right ? 0 : 1);
    }
    return node - tree->leaves;
}

// --- prices and pairs in turn --------------------------------------------------------------------

static void price_kinds(search *s, const int64_t *weight)
{
    const duet_instance *instance = s->net->instance;
    double all = 0.0;
    for (size_t t = 0; t < instance->types; t++) {
        all += (double)weight[t] * (double)instance->processors[t];
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        double least = INFINITY;
        for (size_t t = 0; t < instance->types; t++) {
            if (duet_allowed(instance, i, t)) {
                least = fmin(least, (double)weight[t] * (double)duet_time(instance, i, t));
            }
        }
        s->cost[i] = least / all;
    }
}

// The best pair for the prices at hand.
static pair best_pair(search *s)
{
    pair best = {0, 0};
    double value = -INFINITY;
    tree_clear(&s->tree);
    for (int64_t at = 0; at < s->net->tasks; at++) {
        int32_t task = s->by_head[at];
        tree_enter(s, (size_t)s->rank[task], s->cost[s->net->kind[task]]);
        bool is_last = at + 1 == s->net->tasks || s->head[s->by_head[at + 1]] != s->head[task];
        double found = (double)s->head[task] + tree_best(&s->tree);
        if (is_last && found > value) {
            value = found;
            best = (pair){s->head[task], s->leaf_tail[tree_find(&s->tree)]};
        }
    }
    return best;
}

// Head, area and tail; the area rounded up where its terms are too large for the exact sum.
static duet_fraction add_pair(pair at, duet_fraction area)
{
    duet_uint128 whole = (duet_uint128)at.head + (duet_uint128)at.tail;
    duet_fraction sum = {0, area.den};
    if (__builtin_mul_overflow(whole, area.den, &sum.num) ||
        __builtin_add_overflow(sum.num, area.num, &sum.num)) {
        return (duet_fraction){whole + duet_fraction_ceil(area), 1};
    }
    return sum;
}

// What the area bound of the tasks of a pair, which has one at least, proves with it.
static duet_bound area_between(search *s, pair at, duet_fraction *value)
{
    const duet_instance *instance = s->net->instance;
    int64_t *first = s->part.first;
    first[0] = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t count = 0;
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            count += s->head[j] >= at.head && s->tail[j] >= at.tail;
        }
        first[i + 1] = first[i] + count;
    }
    duet_bound bound = instance->types == 2 ? duet_area_bound_of(&s->part, &s->kinds)
                                            : duet_area_estimate(&s->part);
    *value = add_pair(at, duet_area_value(&s->part, bound.certificate.weight));
    return bound;
}

// Keeps what a pair and its area bound prove where that is more.
static void offer(search *s, pair at, const duet_bound *area, duet_fraction value)
{
    if (duet_fraction_compare(value, s->value) <= 0) {
        return;
    }
    s->value = value;
    s->best.value = (int64_t)duet_fraction_ceil(value);
    duet_fraction_format(value, s->best.exact);
    s->best.certificate = area->certificate;
    s->best.certificate.proof = DUET_PROOF_HEAD_TAIL;
    s->best.certificate.lambda = s->best.value;
    s->best.certificate.head = at.head;
    s->best.certificate.tail = at.tail;
}

// Pairs and prices in turn from a pair on, as long as that pays. `*looks` falls by the tasks that
// were looked at.
static void climb(search *s, pair from, const duet_context *context, int64_t *looks)
{
    duet_fraction before = {0, 1};
    while (!duet_context_stop(context)) {
        duet_fraction value;
        duet_bound area = area_between(s, from, &value);
        offer(s, from, &area, value);
        if (*looks < 0 || duet_fraction_compare(value, before) <= 0) {
            return;
        }
        before = value;
        price_kinds(s, area.certificate.weight);
        from = best_pair(s);
        *looks -= s->net->tasks;
    }
}

static bool has_tasks(const search *s, pair at)
{
    for (int64_t j = 0; j < s->net->tasks; j++) {
        if (s->head[j] >= at.head && s->tail[j] >= at.tail) {
            return true;
        }
    }
    return false;
}

// From all tasks first, then from the inner ones: what is left out grows with the start.
static void climb_from_all(search *s, const duet_context *context)
{
    static const int64_t eighths[] = {0, 1, 2, 4};
    const size_t starts = sizeof eighths / sizeof *eighths;
    int64_t looks = DUET_HEAD_TAIL_LOOKS;
    int64_t longest = 0;
    for (int64_t j = 0; j < s->net->tasks; j++) {
        int64_t through = s->head[j] + s->tail[j];
        longest = duet_max(through, longest);
    }
    for (size_t sum = 0; sum <= 2 * (starts - 1); sum++) {
        for (size_t i = 0; i <= sum; i++) {
            if (i < starts && sum - i < starts) {
                pair from = {longest / 8 * eighths[i], longest / 8 * eighths[sum - i]};
                if (sum == 0 || (looks >= 0 && has_tasks(s, from))) {
                    climb(s, from, context, &looks);
                }
            }
        }
    }
}

// --- all of it -----------------------------------------------------------------------------------

static void search_free(search *s)
{
    duet_free(s->part.first);
    duet_acceleration_order_free(&s->kinds);
    duet_free(s->head);
    duet_free(s->by_head);
    duet_free(s->leaf_tail);
    duet_free(s->cost);
    duet_free(s->tree.best);
}

static duet_code prepare(search *s, duet_error *error)
{
    const duet_instance *instance = s->net->instance;
    size_t tasks = (size_t)s->net->tasks;
    s->part = *instance;
    s->part.graph = NULL;
    s->part.first = duet_alloc_raw(instance->kinds + 1, sizeof *s->part.first, error);
    s->head = duet_alloc_raw(2 * tasks, sizeof *s->head, error);
    s->by_head = duet_alloc_raw(2 * tasks, sizeof *s->by_head, error);
    s->leaf_tail = duet_alloc_raw(tasks, sizeof *s->leaf_tail, error);
    s->cost = duet_alloc_raw(instance->kinds, sizeof *s->cost, error);
    duet_ordered *items = duet_alloc_raw(tasks, sizeof *items, error);
    bool complete = s->part.first != NULL && s->head != NULL && s->by_head != NULL &&
                    s->leaf_tail != NULL && s->cost != NULL && items != NULL;
    duet_code code = complete ? DUET_OK : DUET_E_MEMORY;
    if (code == DUET_OK) {
        s->tail = s->head + tasks;
        s->rank = s->by_head + tasks;
        duet_network_heads(s->net, s->head);
        duet_network_tails(s->net, s->tail);
        code = sort_tasks(s, items, error);
    }
    duet_free(items);
    if (code == DUET_OK && instance->types == 2) {
        code = duet_acceleration_order_create(instance, &s->kinds, error);
    }
    if (code == DUET_OK) {
        for (s->tree.leaves = 1; s->tree.leaves < s->tails; s->tree.leaves *= 2) {
        }
        s->tree.best = duet_alloc_raw(4 * s->tree.leaves, sizeof *s->tree.best, error);
        code = s->tree.best == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    if (code == DUET_OK) {
        s->tree.added = s->tree.best + 2 * s->tree.leaves;
    }
    return code;
}

// Whether the best pair and its prices prove `lambda`, with what busy processors do not give.
static bool proves_busy(const search *s, duet_int128 work, int64_t lambda)
{
    const duet_instance *instance = s->net->instance;
    const duet_certificate *proof = &s->best.certificate;
    int64_t end = lambda - 1 - proof->tail;
    duet_int128 fits = 0;
    for (size_t t = 0; t < instance->types; t++) {
        duet_int128 room = 0;
        duet_int128 of_type;
        int64_t busy = instance->busy_count[t];
        for (int64_t p = 0; p < busy; p++) {
            int64_t from = duet_max(instance->busy[t][p], proof->head);
            room += duet_max(end - from, 0);
        }
        room += (duet_int128)duet_max(end - proof->head, 0) * (instance->processors[t] - busy);
        if (__builtin_mul_overflow(room, (duet_int128)proof->weight[t], &of_type) ||
            __builtin_add_overflow(fits, of_type, &fits)) {
            return false;
        }
    }
    return work > fits;
}

// Raises the best bound by what busy processors cannot give between head and tail.
static void raise_by_busy(search *s)
{
    const duet_instance *instance = s->net->instance;
    const int64_t *weight = s->best.certificate.weight;
    duet_int128 work = 0;
    for (int64_t j = 0; j < s->net->tasks; j++) {
        size_t kind = (size_t)s->net->kind[j];
        duet_int128 least = -1;
        bool inside =
            s->head[j] >= s->best.certificate.head && s->tail[j] >= s->best.certificate.tail;
        for (size_t t = 0; t < instance->types && inside; t++) {
            if (duet_allowed(instance, kind, t)) {
                duet_int128 cost = (duet_int128)weight[t] * duet_time(instance, kind, t);
                least = least < 0 || cost < least ? cost : least;
            }
        }
        if (least > 0 && __builtin_add_overflow(work, least, &work)) {
            return;
        }
    }
    int64_t low = s->best.value;
    int64_t high = instance->latest + instance->work;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        bool proven = proves_busy(s, work, middle);
        low = proven ? middle : low;
        high = proven ? high : middle - 1;
    }
    if (low > s->best.value) {
        s->best.value = low;
        s->best.certificate.lambda = low;
        duet_fraction_format((duet_fraction){(duet_uint128)low, 1}, s->best.exact);
    }
}

// The bound, where the network is there.
static duet_code bound_of_network(const duet_network *network, const duet_context *context,
                                  duet_bound *bound, duet_error *error)
{
    search s = {.net = network,
                .value = {0, 1},
                .best = {.name = "head-tail",
                         .exact = "0",
                         .certificate = {.proof = DUET_PROOF_HEAD_TAIL,
                                         .types = network->instance->types}}};
    *bound = s.best;
    if (network->tasks == 0 || duet_context_stop(context)) { // making the network takes long
        return DUET_OK;
    }
    enum { bytes = 80 };
    duet_code code = duet_memory_check((uint64_t)network->tasks, bytes, context->memory_limit,
                                       "the heads and tails of the tasks", error);
    DUET_THEN(code, prepare(&s, error));
    if (code == DUET_OK) {
        climb_from_all(&s, context);
        if (duet_has_busy(network->instance) && s.best.value > 0) {
            raise_by_busy(&s);
        }
        *bound = s.best;
    }
    search_free(&s);
    return code;
}

duet_code duet_head_tail_bound(const duet_instance *instance, const duet_context *context,
                               duet_bound *bound, duet_error *error)
{
    duet_network network;
    duet_code code = duet_network_create(instance, &network, error);
    if (code == DUET_OK) {
        code = bound_of_network(&network, context, bound, error);
        duet_network_free(&network);
    }
    return code;
}

const duet_bound_method duet_bound_head_tail = {
    .entry = {.name = "head-tail",
              .summary = "area of the tasks between a head and a tail, over all pairs of these",
              .reference = "Fernandez, Bussell, IEEE Transactions on Computers C-22(8), 1973",
              .needs = DUET_NEEDS_EDGES,
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES},
    .run = duet_head_tail_bound,
};
