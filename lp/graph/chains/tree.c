// SPDX-License-Identifier: Apache-2.0
// Branch and bound: whether a task is on the type, and how many tasks of a set are. The case that
// proves least comes next; of several distinctions that which raises both of its cases most.
#include <math.h>
#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/chains/chains_state.h"
#include "lp/graph/chains/tuning.h"

// A case distinction that could be made.
typedef struct choice {
    bool is_count;
    int32_t what;
    int32_t most;    // of a count
    double part;     // of the value, above the whole number below
    double distance; // to the nearest whole number
} choice;

static size_t column_of(const duet_chains *c, int32_t task)
{
    return (size_t)c->end + 1 + (size_t)c->model[task];
}

// The bounds of a set's count after all distinctions of a node.
static void range_of(const duet_chains *c, const duet_chains_node *node, int32_t set, double *low,
                     double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    for (; node->parent >= 0; node = &c->node[node->parent]) {
        if (node->is_count && node->what == set) {
            *low = node->second ? duet_max(*low, (double)node->most + 1) : *low;
            *high = node->second ? *high : duet_min(*high, (double)node->most);
        }
    }
}

// Gives the program the bounds of a node's case.
static void enter(duet_chains *c, const duet_chains_node *leaf)
{
    for (size_t i = 0; i < c->models; i++) {
        duet_chains_simplex_bound(&c->lp, column_of(c, c->modelled[i]), 0, 1);
    }
    for (size_t s = 0; s < c->sets; s++) {
        double low;
        double high;
        range_of(c, leaf, (int32_t)s, &low, &high);
        duet_chains_simplex_bound(&c->lp, c->set[s].place, low, high);
    }
    for (const duet_chains_node *node = leaf; node->parent >= 0; node = &c->node[node->parent]) {
        if (!node->is_count) {
            double value = node->second ? 1 : 0;
            duet_chains_simplex_bound(&c->lp, column_of(c, node->what), value, value);
        }
    }
}

// --- which distinction ---------------------------------------------------------------------------

static int compare_choices(const void *left, const void *right)
{
    const choice *a = left;
    const choice *b = right;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? 1 : -1;
    }
    return (a->what > b->what) - (a->what < b->what);
}

static double distance_of(double value)
{
    return fabs(value - floor(value + 0.5));
}

static double count_of(const duet_chains *c, size_t set)
{
    double sum = 0;
    for (size_t i = 0; i < c->set[set].count; i++) {
        sum += c->lp.x[column_of(c, c->listed[c->set[set].first + i])];
    }
    return sum;
}

static duet_code add_tasks(const duet_chains *c, bool on_path, choice **list, size_t *count,
                           duet_error *error)
{
    for (size_t i = 0; i < c->models; i++) {
        int32_t task = c->modelled[i];
        double value = c->lp.x[column_of(c, task)];
        double distance = distance_of(value);
        if ((c->from[task] % 2 == 1) == on_path && distance > DUET_CHAINS_WHOLE) {
            DUET_TRY(duet_vec_push(*list, *count, error,
                                   (choice){.what = task, .part = value, .distance = distance}));
        }
    }
    return DUET_OK;
}

// Tasks of the path, and sets; where all of these are whole, other tasks. Best first.
static duet_code find_choices(const duet_chains *c, choice **list, size_t *count, duet_error *error)
{
    DUET_TRY(add_tasks(c, true, list, count, error));
    for (size_t s = 0; s < c->sets; s++) {
        double value = count_of(c, s);
        if (distance_of(value) > DUET_CHAINS_WHOLE) {
            choice made = {true, (int32_t)s, (int32_t)floor(value), value - floor(value),
                           distance_of(value)};
            DUET_TRY(duet_vec_push(*list, *count, error, made));
        }
    }
    if (*count == 0) {
        DUET_TRY(add_tasks(c, false, list, count, error));
    }
    if (*count > 0) {
        qsort(*list, *count, sizeof **list, compare_choices);
    }
    return DUET_OK;
}

// About how high the objective is in one of the cases.
static duet_code try_case(duet_chains *c, const duet_chains_node *node, const choice *made,
                          bool second, double *objective, duet_error *error)
{
    DUET_TRY(duet_chains_take(c, node, error));
    enter(c, node);
    if (made->is_count) {
        double low;
        double high;
        range_of(c, node, made->what, &low, &high);
        duet_chains_simplex_bound(&c->lp, c->set[made->what].place,
                                  second ? (double)made->most + 1 : low,
                                  second ? high : (double)made->most);
    } else {
        double value = second ? 1 : 0;
        duet_chains_simplex_bound(&c->lp, column_of(c, made->what), value, value);
    }
    DUET_TRY(
        duet_chains_simplex_solve(&c->lp, DUET_CHAINS_TRIAL_STEPS, INFINITY, c->context, error));
    *objective =
        c->lp.status == DUET_CHAINS_INFEASIBLE ? INFINITY : duet_chains_simplex_objective(&c->lp);
    return DUET_OK;
}

static duet_chains_gain *gain_of(const duet_chains *c, const choice *made)
{
    size_t at = made->is_count ? c->models + (size_t)made->what : (size_t)c->model[made->what];
    return &c->gain[at];
}

// How far a case moves the value.
static double way_of(const choice *made, int side)
{
    return duet_max(side == 0 ? made->part : 1 - made->part, DUET_CHAINS_WHOLE);
}

static void note_gain(duet_chains *c, const choice *made, int side, double gain)
{
    duet_chains_gain *known = gain_of(c, made);
    if (isfinite(gain)) {
        known->sum[side] += duet_max(gain, 0.0) / way_of(made, side);
        known->count[side]++;
    }
}

static duet_code try_both(duet_chains *c, const duet_chains_node *node, const choice *made,
                          duet_error *error)
{
    for (int side = 0; side < 2; side++) {
        double objective;
        DUET_TRY(try_case(c, node, made, side == 1, &objective, error));
        note_gain(c, made, side, objective - node->objective);
    }
    return DUET_OK;
}

// What the gains so far promise: of one that has none, nothing.
static double score_of(const duet_chains *c, const choice *made)
{
    const double small = 1e-7;
    double score = 1;
    for (int side = 0; side < 2; side++) {
        const duet_chains_gain *known = gain_of(c, made);
        double rate = known->sum[side] / duet_max(known->count[side], 1);
        score *= duet_max(rate * way_of(made, side), small);
    }
    return score;
}

// Gains of earlier cases say which distinction is best; those without are tried.
static duet_code choose(duet_chains *c, const duet_chains_node *node, const choice *list,
                        size_t count, choice *best, duet_error *error)
{
    double most = -1;
    int trials = 0;
    *best = list[0];
    for (size_t i = 0; i < count && count > 1; i++) {
        const duet_chains_gain *known = gain_of(c, &list[i]);
        bool trusted = known->count[0] >= DUET_CHAINS_TRUSTED;
        if (!trusted && trials < DUET_CHAINS_TRIALS) {
            DUET_TRY(try_both(c, node, &list[i], error));
            trials++;
        }
        double score = score_of(c, &list[i]);
        if (score > most) {
            most = score;
            *best = list[i];
        }
    }
    return DUET_OK;
}

// --- the tree ------------------------------------------------------------------------------------

static void free_node(duet_chains_node *node)
{
    duet_free(node->price);
    duet_free(node->counts);
    duet_free(node->side);
    duet_free(node->held);
}

void duet_chains_free_nodes(duet_chains *c)
{
    for (size_t i = 0; i < c->nodes; i++) {
        free_node(&c->node[i]);
    }
    duet_free(c->gain);
    duet_free(c->node);
    c->node = NULL;
    c->nodes = 0;
}

// Solves the program of a node's case, from the vertex of its parent.
static duet_code solve_case(duet_chains *c, const duet_chains_node *node, int rounds,
                            duet_error *error)
{
    if (node->parent >= 0) {
        DUET_TRY(duet_chains_take(c, &c->node[node->parent], error));
    }
    enter(c, node);
    return duet_chains_solve(c, rounds, error);
}

// What the program's solution proves; without one in time the node proves nothing.
static duet_code take_solution(duet_chains *c, duet_chains_node *node, duet_error *error)
{
    duet_chains_status status = c->lp.status;
    node->next = DUET_CHAINS_NOTHING;
    if (status == DUET_CHAINS_STOPPED) {
        return DUET_OK;
    }
    DUET_TRY(duet_chains_round(c, node, error));
    if (status != DUET_CHAINS_INFEASIBLE) {
        node->next = status == DUET_CHAINS_BEYOND ? DUET_CHAINS_RESUME : DUET_CHAINS_EXPAND;
        return duet_chains_note(c, node, error);
    }
    return DUET_OK;
}

// The same of a program whose objective need not be known beyond a limit.
static duet_code solve_node(duet_chains *c, duet_chains_node *node, int rounds, double limit,
                            duet_error *error)
{
    c->limit = limit;
    duet_code code = solve_case(c, node, rounds, error);
    c->limit = INFINITY;
    node->next = DUET_CHAINS_NOTHING;
    return code == DUET_OK ? take_solution(c, node, error) : code;
}

static duet_code add_child(duet_chains *c, int32_t parent, const choice *made, bool second,
                           duet_error *error)
{
    duet_chains_node node = {.parent = parent,
                             .is_count = made->is_count,
                             .second = second,
                             .what = made->what,
                             .most = made->most};
    double limit = (double)c->node[0].value / c->unit * (1 + DUET_CHAINS_MARGIN);
    duet_code code = solve_node(c, &node, DUET_CHAINS_NODE_ROUNDS, limit, error);
    DUET_THEN(code, duet_vec_push(c->node, c->nodes, error, node));
    if (code != DUET_OK) {
        free_node(&node);
        return code;
    }
    c->node[parent].child[second] = (int32_t)c->nodes - 1;
    if (node.next != DUET_CHAINS_NOTHING) {
        note_gain(c, made, second ? 1 : 0, node.objective - c->node[parent].objective);
    }
    return DUET_OK;
}

// Solves the program of a leaf again.
static duet_code return_to(duet_chains *c, int32_t at, duet_error *error)
{
    DUET_TRY(duet_chains_take(c, &c->node[at], error));
    enter(c, &c->node[at]);
    return duet_chains_solve(c, 0, error);
}

static void swap_multipliers(duet_chains_node *a, duet_chains_node *b)
{
    duet_chains_node other = *a;
    a->proven = b->proven;
    a->value = b->value;
    a->price = b->price;
    a->prices = b->prices;
    b->prices = other.prices;
    a->counts = b->counts;
    b->price = other.price;
    b->counts = other.counts;
}

// Goes on with a program that was left, for up to `rounds` rounds of rows.
static duet_code resume(duet_chains *c, int32_t at, int rounds, duet_error *error)
{
    duet_chains_node node = c->node[at];
    node.price = NULL;
    node.counts = NULL;
    node.prices = 0;
    node.side = NULL;
    node.held = NULL;
    node.depth = 0;
    DUET_TRY(duet_chains_take(c, &c->node[at], error));
    enter(c, &node);
    DUET_TRY(duet_chains_solve(c, rounds, error));
    duet_code code = take_solution(c, &node, error);
    if (code != DUET_OK || node.counts == NULL) {
        c->node[at].next = DUET_CHAINS_NOTHING;
        free_node(&node);
        return code;
    }
    if (node.proven < c->node[at].proven) { // by rounding
        swap_multipliers(&node, &c->node[at]);
    }
    free_node(&c->node[at]);
    c->node[at] = node;
    return DUET_OK;
}

// What may be distinguished at the solution of the program, if it has one.
static duet_code look(const duet_chains *c, choice **list, size_t *count, duet_error *error)
{
    return c->lp.status == DUET_CHAINS_OPTIMAL ? find_choices(c, list, count, error) : DUET_OK;
}

// Distinguishes cases of a leaf. Where all values are whole, rows may still be missing.
static duet_code expand(duet_chains *c, int32_t at, duet_error *error)
{
    choice *list = NULL;
    size_t count = 0;
    choice best = {.what = 0};
    duet_code code = return_to(c, at, error);
    DUET_THEN(code, look(c, &list, &count, error));
    if (code == DUET_OK && count == 0) {
        code = resume(c, at, DUET_CHAINS_ROOT_ROUNDS, error);
        DUET_THEN(code, look(c, &list, &count, error));
    }
    if (code == DUET_OK && count > 0) {
        code = choose(c, &c->node[at], list, count, &best, error);
    }
    duet_free(list);
    if (code != DUET_OK || count == 0 || duet_context_stop(c->context)) {
        c->node[at].next = DUET_CHAINS_NOTHING;
        return code;
    }
    DUET_TRY(add_child(c, at, &best, false, error));
    DUET_TRY(add_child(c, at, &best, true, error));
    duet_free(c->node[at].side);
    duet_free(c->node[at].held);
    c->node[at].side = NULL;
    c->node[at].held = NULL;
    return DUET_OK;
}

// The leaf that proves least; -1: it has no more cases to distinguish.
static int32_t next_leaf(const duet_chains *c)
{
    int32_t best = -1;
    for (size_t i = 0; i < c->nodes; i++) {
        const duet_chains_node *node = &c->node[i];
        if (node->child[1] == 0 && (best < 0 || node->proven < c->node[best].proven)) {
            best = (int32_t)i;
        }
    }
    return best < 0 || c->node[best].next == DUET_CHAINS_NOTHING ? -1 : best;
}

// What the nodes prove with their children, which come behind them.
static void evaluate(duet_chains *c)
{
    for (size_t i = c->nodes; i-- > 0;) {
        duet_chains_node *node = &c->node[i];
        node->value = node->proven;
        if (node->child[1] != 0) {
            int64_t cases = duet_min(c->node[node->child[0]].value, c->node[node->child[1]].value);
            node->value = duet_max(node->value, cases);
        }
    }
}

// Whether a bound before a search has had half of its time or steps, and proves nothing.
static bool is_vain(const duet_chains *c, int64_t steps)
{
    const duet_context *context = c->context;
    int64_t now = duet_clock_ns();
    bool late = context->deadline_ns == INT64_MAX ? duet_chains_steps(c) > steps / 2
                                                  : now - c->begun_ns > context->deadline_ns - now;
    return c->enough > 0 && late && c->node[0].value <= c->known;
}

duet_code duet_chains_search(duet_chains *c, int64_t steps, duet_error *error)
{
    duet_chains_node root = {.parent = -1};
    c->gain = duet_alloc(c->models + c->sets + 1, sizeof *c->gain, error);
    DUET_NEED(c->gain);
    duet_code code = solve_node(c, &root, DUET_CHAINS_ROOT_ROUNDS, INFINITY, error);
    DUET_THEN(code, duet_vec_push(c->node, c->nodes, error, root));
    if (code != DUET_OK) {
        free_node(&root);
    }
    while (code == DUET_OK && duet_chains_steps(c) < steps && !duet_context_stop(c->context)) {
        int32_t leaf = next_leaf(c);
        if (leaf < 0 || c->node[0].value < c->enough || is_vain(c, steps)) {
            break;
        }
        code = c->node[leaf].next == DUET_CHAINS_RESUME
                   ? resume(c, leaf, DUET_CHAINS_NODE_ROUNDS, error)
                   : expand(c, leaf, error);
        evaluate(c);
    }
    evaluate(c);
    return code;
}
