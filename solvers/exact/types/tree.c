// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/tree.h"

#include <math.h>

#include "core/system/memory.h"
#include "core/system/vec.h"
#include "solvers/exact/types/allocation.h"
#include "solvers/exact/types/by_type.h"

enum {
    ROUNDS = 200,    // of column generation at a node
    MOST_DEPTH = 400 // of nodes within nodes
};
static const double WHOLE = 1e-6;       // a number that is so near a whole one is whole
static const double WHOLE_COUNT = 1e-4; // the same of the sum of many

// A node of which a child is visited.
typedef struct saved_node {
    duet_residual state;
    duet_lp_position basis;
} saved_node;

struct branch;

// A side of a count that was branched on.
typedef struct open_count {
    size_t count;
    bool more;
} open_count;

typedef struct tree {
    duet_types *types;
    int64_t guess;
    int64_t nodes; // left
    const duet_exact_effort *one;
    size_t most_depth;
    bool counts_only; // it branches on counts alone, and ends where these leave the guess open
    int64_t *tasks;   // of an allocation: class c on type t at [c * types + t]
    double factor;    // of the last relaxation
    // The proof; NULL once something stays open.
    duet_log *log;
    duet_prices shown;  // the prices of the last relaxation, as it has them
    bool *has;          // per class: of a count
    open_count *opened; // the counts that were branched on above the node, outermost first
    size_t opens;
    int64_t *open_price; // of each of them
    // The side of a count that is entered; NULL: none is.
    const struct branch *entered;
    bool more;
    // Per depth: the node there.
    saved_node *saved;
    size_t depths; // of which there are so many
} tree;

// A number of tasks to branch on, of a class on a type or a count of the relaxation: at most
// `bound`, or more.
typedef struct branch {
    size_t class, type;
    size_t count; // SIZE_MAX: of the class
    int64_t bound;
    double part; // of a count: what it is above the bound
    bool more_first;
    bool whole; // it is whole in the solution, and so are all others
} branch;

// Room to save a node at a depth.
static duet_code make_room(tree *s, size_t depth, duet_error *error)
{
    duet_code code = DUET_OK;
    while (depth >= s->depths && code == DUET_OK) {
        code = duet_vec_grow(s->saved, s->depths, error);
        if (code == DUET_OK) {
            saved_node *node = &s->saved[s->depths];
            *node = (saved_node){.basis = {.row = NULL}};
            code = duet_residual_create(&s->types->classes, &node->state, error);
            s->depths += code == DUET_OK;
        }
    }
    return code;
}

// What a task more or less of a count has changed the relaxation so far, on average; what was not
// tried yet may change it much.
static double gain_of(const duet_types_gain *gain)
{
    return gain->branches > 0 ? gain->sum / (double)gain->branches : 1;
}

// The count that is not whole and changes the relaxation most on the side where it does so less.
// False: all are whole.
static bool choose_count(const tree *s, branch *out)
{
    const duet_generation *program = s->types->program;
    double best = -1;
    for (size_t i = 0; i < duet_generation_counts(program); i++) {
        duet_generation_counted count = duet_generation_count_at(program, i);
        double whole = floor(count.value + WHOLE_COUNT);
        double part = count.value - whole;
        int64_t bound = (int64_t)whole;
        if (fmin(part, 1 - part) <= WHOLE_COUNT || bound < count.low || bound >= count.high) {
            continue;
        }
        double merit = fmin(part * gain_of(&s->types->gain[i].fewer),
                            (1 - part) * gain_of(&s->types->gain[i].more));
        if (merit > best) {
            best = merit;
            *out = (branch){.count = i, .bound = bound, .part = part, .more_first = part > 0.5};
        }
    }
    return best >= 0;
}

// What the side of a count that was entered has changed the relaxation.
static void learn(tree *s, double before)
{
    if (s->entered == NULL) {
        return;
    }
    duet_types_gains *gains = &s->types->gain[s->entered->count];
    duet_types_gain *gain = s->more ? &gains->more : &gains->fewer;
    gain->sum += fmax(0, s->factor - before) / (s->more ? 1 - s->entered->part : s->entered->part);
    gain->branches++;
    s->entered = NULL;
}

// The undecided number of a class that is furthest from whole, those of long tasks first. False:
// all are decided.
static bool choose_class(const tree *s, branch *out)
{
    const duet_types *types = s->types;
    const duet_classes *classes = &types->classes;
    double best = -1;
    for (size_t c = 0; c < classes->count; c++) {
        if (duet_residual_settled(&types->state, c)) {
            continue;
        }
        for (size_t t = 0; t < classes->types; t++) {
            int64_t low = duet_residual_least(&types->state, c, t);
            int64_t high = duet_residual_most(&types->state, c, t);
            if (low == high) {
                continue;
            }
            double value = duet_generation_tasks(types->program, t, c);
            double whole = floor(value + WHOLE);
            double part = fmin(value - whole, whole + 1 - value);
            double share = (double)classes->time[t][c] / (double)s->guess;
            double merit = part > WHOLE ? part * (0.1 + share) : 0;
            if (merit > best) {
                best = merit;
                int64_t bound = (int64_t)whole;
                bound = bound < low ? low : bound < high ? bound : high - 1;
                *out = (branch){c, t, SIZE_MAX, bound, part, value - whole > 0.5, merit <= 0};
            }
        }
    }
    return best >= 0;
}

// Every count is decided: whether each type's tasks fit on its processors.
static duet_code try_packing(tree *s, duet_verdict *verdict, duet_error *error)
{
    duet_types *types = s->types;
    for (size_t c = 0; c < types->classes.count; c++) {
        for (size_t t = 0; t < types->classes.types; t++) {
            s->tasks[c * types->classes.types + t] = duet_residual_most(&types->state, c, t);
        }
    }
    int64_t least = s->guess;
    duet_code code = duet_types_schedule_by_type(types, s->tasks, s->one, &least, error);
    *verdict = types->exact->best->makespan <= s->guess ? DUET_FOUND
               : least > s->guess                       ? DUET_REFUTED
                                                        : DUET_OPEN;
    return code;
}

// The prices of the last relaxation as the proof has them: those of the counts that are open, of
// which the last on each side of a number has the bound that the program knew.
static duet_code show_prices(tree *s, duet_error *error)
{
    const duet_prices *prices = &s->types->prices;
    duet_code code = duet_vec_reserve(s->open_price, s->opens + 1, error);
    if (code != DUET_OK) {
        return code;
    }
    s->shown = *prices;
    s->shown.id = -1;
    s->shown.row = s->open_price;
    s->shown.rows = s->opens;
    for (size_t i = 0; i < s->opens; i++) {
        bool last = true;
        for (size_t j = i + 1; j < s->opens; j++) {
            last = last && !(s->opened[j].count == s->opened[i].count &&
                             s->opened[j].more == s->opened[i].more);
        }
        size_t row = 2 * s->opened[i].count + (s->opened[i].more ? 1 : 0);
        s->open_price[i] = last && row < prices->rows ? prices->row[row] : 0;
    }
    return DUET_OK;
}

// The relaxation of a node. *verdict: DUET_REFUTED where its prices say so.
static duet_code relax(tree *s, bool *usable, duet_verdict *verdict, duet_error *error)
{
    duet_types *types = s->types;
    duet_generation_answer answer;
    duet_code code = duet_generation_solve(types->program, &types->state,
                                           (duet_generation_request){DUET_GENERATION_NODE, ROUNDS},
                                           types->exact->context, &types->prices, &answer, error);
    types->exact->programs += answer.iterations;
    *usable = answer.factor > 0;
    double before = s->factor;
    s->factor = answer.factor;
    learn(s, before);
    if (code == DUET_OK && answer.any) {
        code = show_prices(s, error);
    }
    if (code != DUET_OK || !answer.any) {
        return code;
    }
    duet_int128 slack = duet_branching_rows_slack(&types->classes, &types->state, &types->prices,
                                                  duet_generation_rows(types->program));
    if (slack < 0) {
        duet_log_price(s->log, &s->shown);
    } else if (duet_types_fix(types, slack, s->log, &s->shown)) {
        return code;
    }
    *verdict = DUET_REFUTED;
    return code;
}

static duet_code visit(tree *s, size_t depth, duet_verdict *verdict, duet_error *error);

// One child of a branch.
static duet_code visit_child(tree *s, const branch *at, bool more, size_t depth,
                             duet_verdict *verdict, duet_error *error)
{
    duet_residual *state = &s->types->state;
    duet_generation *program = s->types->program;
    if (at->count == SIZE_MAX) {
        int64_t low = duet_residual_least(state, at->class, at->type);
        int64_t high = duet_residual_most(state, at->class, at->type);
        duet_residual_limit(state, at->class, at->type, more ? at->bound + 1 : low,
                            more ? high : at->bound);
        return visit(s, depth, verdict, error);
    }
    duet_generation_counted count = duet_generation_count_at(program, at->count);
    duet_generation_limit_count(program, at->count, more ? at->bound + 1 : count.low,
                                more ? count.high : at->bound);
    s->entered = at;
    s->more = more;
    duet_code code = duet_vec_grow(s->opened, s->opens, error);
    *verdict = DUET_OPEN;
    if (code == DUET_OK) {
        s->opened[s->opens++] = (open_count){at->count, more};
        code = visit(s, depth, verdict, error);
        s->opens--;
    }
    s->entered = NULL;
    duet_generation_limit_count(program, at->count, count.low, count.high);
    return code;
}

static void log_branch(tree *s, const branch *at)
{
    const duet_types *types = s->types;
    if (at->count == SIZE_MAX) {
        duet_log_branch_type(s->log, at->type, at->class, at->bound, at->more_first);
        return;
    }
    const duet_branching_row *row = &duet_generation_rows(types->program)[2 * at->count];
    for (size_t c = 0; c < types->classes.count; c++) {
        s->has[c] = duet_branching_row_has(&types->classes, row, c);
    }
    const duet_log_counted count = {
        .type = row->type, .most = at->bound, .has = s->has, .more_first = at->more_first};
    duet_log_count(s->log, &count);
}

static duet_code visit_children(tree *s, const branch *at, size_t depth, duet_verdict *verdict,
                                duet_error *error)
{
    duet_types *types = s->types;
    double factor = s->factor;
    duet_code code = make_room(s, depth, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_residual_copy(&types->classes, &types->state, &s->saved[depth].state);
    code = duet_generation_note(types->program, &s->saved[depth].basis, error);
    *verdict = DUET_REFUTED;
    log_branch(s, at);
    for (int i = 0; i < 2 && code == DUET_OK && *verdict != DUET_FOUND; i++) {
        duet_verdict child;
        s->factor = factor;
        code = visit_child(s, at, (i == 0) == at->more_first, depth + 1, &child, error);
        *verdict = duet_verdict_join(*verdict, child);
        s->log = child == DUET_REFUTED ? s->log : NULL;
        duet_residual_copy(&types->classes, &s->saved[depth].state, &types->state);
        duet_generation_resume(types->program, &s->saved[depth].basis, true);
        if ((s->nodes <= 0 || s->counts_only) && child == DUET_OPEN) {
            break;
        }
    }
    return code;
}

// The solution's counts are whole: an allocation, though others are open. Schedules it.
static duet_code try_solution(tree *s, size_t depth, bool *found, duet_error *error)
{
    duet_types *types = s->types;
    duet_code code = make_room(s, depth, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_residual_copy(&types->classes, &types->state, &s->saved[depth].state);
    duet_types_round(types);
    duet_verdict verdict;
    code = try_packing(s, &verdict, error);
    *found = verdict == DUET_FOUND;
    duet_residual_copy(&types->classes, &s->saved[depth].state, &types->state);
    return code;
}

static duet_code visit(tree *s, size_t depth, duet_verdict *verdict, duet_error *error)
{
    *verdict = DUET_OPEN;
    if (s->nodes-- <= 0 || depth >= s->most_depth || duet_context_stop(s->types->exact->context)) {
        return DUET_OK;
    }
    s->types->exact->nodes++;
    bool usable;
    duet_code code = relax(s, &usable, verdict, error);
    if (code != DUET_OK || *verdict == DUET_REFUTED || !usable) {
        return code;
    }
    branch at = {.class = 0};
    bool counted = choose_count(s, &at);
    if (!counted && s->counts_only) {
        return DUET_OK;
    }
    if (!counted && !choose_class(s, &at)) {
        code = try_packing(s, verdict, error);
        if (code == DUET_OK && *verdict == DUET_REFUTED) {
            duet_types_log_allocation(s->types, s->tasks, s->log);
        }
        return code;
    }
    bool found = false;
    if (!counted && at.whole) {
        code = try_solution(s, depth, &found, error);
        *verdict = found ? DUET_FOUND : *verdict;
    }
    return code == DUET_OK && !found ? visit_children(s, &at, depth, verdict, error) : code;
}

// So deep that the nodes on the way down take a part of the memory.
static size_t most_depth(const duet_types *types)
{
    enum { of_pair = 2 * sizeof(int64_t), of_class = 2 * sizeof(int64_t) };
    size_t node = types->classes.count * (types->classes.types * of_pair + of_class);
    size_t limit = types->exact->context->memory_limit;
    size_t depth = limit / DUET_TREE_MEMORY_SHARE / (node + sizeof(saved_node));
    return limit == 0 || depth > MOST_DEPTH ? MOST_DEPTH : depth;
}

duet_code duet_types_tree(duet_types *types, int64_t guess, int64_t nodes,
                          const duet_exact_effort *one, duet_verdict *verdict, duet_error *error)
{
    tree s = {.types = types,
              .guess = guess,
              .nodes = nodes,
              .one = one,
              .counts_only = one == NULL,
              .most_depth = most_depth(types)};
    *verdict = DUET_REFUTED;
    duet_residual_copy(&types->classes, &types->root, &types->state);
    s.log = duet_types_start_log(types, guess);
    s.log->state = &types->state;
    s.tasks = duet_alloc(types->classes.count * types->classes.types, sizeof *s.tasks, error);
    s.has = duet_alloc(types->classes.count, sizeof *s.has, error);
    duet_code code = s.tasks == NULL || s.has == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK && duet_types_close_long(types, guess, s.log)) {
        duet_generation_resume(types->program, &types->basis, false);
        duet_generation_set_guess(types->program, guess);
        duet_generation_take_none(types->program);
        code = visit(&s, 0, verdict, error);
    }
    types->exact->guesses++;
    for (size_t i = 0; i < s.depths; i++) {
        duet_residual_free(&s.saved[i].state);
        duet_lp_position_free(&s.saved[i].basis);
    }
    duet_free(s.saved);
    duet_free(s.tasks);
    duet_free(s.has);
    duet_free(s.opened);
    duet_free(s.open_price);
    return code;
}
