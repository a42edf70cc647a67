// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/tree.h"

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/types/allocation.h"
#include "solvers/exact/types/branching.h"
#include "solvers/exact/types/by_type.h"
#include "solvers/exact/types/hands.h"

enum {
    ROUNDS = 200,     // of column generation at a node
    MOST_DEPTH = 400, // of nodes within nodes
    ALONE = 10000000, // counted work before a tree is divided
    QUANTUM = 2000000 // and between two exchanges of parts
};
// A node that was branched on.
typedef struct node {
    duet_residual state;
    duet_lp_position basis;
    double factor;
    duet_types_branch at;
    int64_t low, high; // of the count
    int children;      // begun so far
    size_t taker;      // the part that the second child is; 0: none
} node;

// What a child of the last node has of the count that was branched on.
typedef enum count_side { NO_COUNT, FEWER, MORE } count_side;

// A side of a count that was branched on.
typedef struct open_count {
    size_t count;
    bool more;
} open_count;

typedef struct tree {
    duet_part part;
    duet_types *lead;  // of the first part
    duet_types *types; // of the seat
    int64_t guess;
    int64_t nodes; // visited
    const duet_exact_effort *one;
    size_t most_depth;
    bool counts_only; // it branches on counts alone, and ends where these leave the guess open
    int64_t *tasks;   // of an allocation: class c on type t at [c * types + t]
    double factor;    // of the last relaxation
    // The proof.
    duet_log own_log;   // of all parts but the first
    duet_prices shown;  // the prices of the last relaxation, as it has them
    bool *has;          // per class: of a count
    open_count *opened; // the counts that were branched on above the node, outermost first
    size_t opens;
    int64_t *open_price; // of each of them
    // The way down.
    bool fresh; // a child of the last node is to be visited
    count_side side;
    node *saved;
    size_t depth;  // of the nodes that were branched on
    size_t depths; // for which there is room
} tree;

// Room to save a node at a depth.
static duet_code make_room(tree *s, size_t depth, duet_error *error)
{
    duet_code code = DUET_OK;
    while (depth >= s->depths && code == DUET_OK) {
        code = duet_vec_grow(s->saved, s->depths, error);
        if (code == DUET_OK) {
            s->saved[s->depths] = (node){.basis = {.row = NULL}};
            code = duet_residual_create(&s->types->classes, &s->saved[s->depths].state, error);
            s->depths += code == DUET_OK;
        }
    }
    return code;
}

// What the side of a count that was entered has changed the relaxation.
static void learn(tree *s, double before)
{
    if (s->side == NO_COUNT) {
        return;
    }
    duet_types_learn_gain(s->types, &s->saved[s->depth - 1].at, s->side == MORE,
                          s->factor - before);
    s->side = NO_COUNT;
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
    DUET_TRY(duet_vec_reserve(s->open_price, s->opens + 1, error));
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
    duet_configuration_answer answer;
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
        duet_log_price(s->part.log, &s->shown);
    } else if (duet_types_fix(types, slack, s->part.log, &s->shown)) {
        return code;
    }
    *verdict = DUET_REFUTED;
    return code;
}

static void log_branch(tree *s, const duet_types_branch *at)
{
    const duet_types *types = s->types;
    if (at->count == SIZE_MAX) {
        duet_log_branch_type(s->part.log, at->type, at->class, at->bound, at->more_first);
        return;
    }
    const duet_branching_row *row = &duet_generation_rows(types->program)[2 * at->count];
    for (size_t c = 0; c < types->classes.count; c++) {
        s->has[c] = duet_branching_row_has(&types->classes, row, c);
    }
    const duet_log_counted count = {
        .type = row->type, .most = at->bound, .has = s->has, .more_first = at->more_first};
    duet_log_count(s->part.log, &count);
}

// The node is branched on.
static duet_code push(tree *s, const duet_types_branch *at, duet_error *error)
{
    DUET_TRY(make_room(s, s->depth, error));
    node *top = &s->saved[s->depth++];
    top->at = *at;
    top->factor = s->factor;
    top->children = 0;
    top->taker = 0;
    duet_residual_copy(&s->types->classes, &s->types->state, &top->state);
    log_branch(s, at);
    return duet_generation_note(s->types->program, &top->basis, error);
}

// Begins the next child of the last node that was branched on.
static duet_code descend(tree *s, duet_error *error)
{
    duet_residual *state = &s->types->state;
    duet_generation *program = s->types->program;
    node *top = &s->saved[s->depth - 1];
    const duet_types_branch *at = &top->at;
    bool more = (top->children++ == 0) == at->more_first;
    s->factor = top->factor;
    s->fresh = true;
    if (at->count == SIZE_MAX) {
        int64_t low = duet_residual_least(state, at->class, at->type);
        int64_t high = duet_residual_most(state, at->class, at->type);
        duet_residual_limit(state, at->class, at->type, more ? at->bound + 1 : low,
                            more ? high : at->bound);
        return DUET_OK;
    }
    duet_generation_counted count = duet_generation_count_at(program, at->count);
    top->low = count.low;
    top->high = count.high;
    duet_generation_limit_count(program, at->count, more ? at->bound + 1 : count.low,
                                more ? count.high : at->bound);
    s->side = more ? MORE : FEWER;
    return duet_vec_push(s->opened, s->opens, error, (open_count){at->count, more});
}

// Back to the last node that was branched on, from one of its children.
static void ascend(tree *s)
{
    const node *top = &s->saved[s->depth - 1];
    s->side = NO_COUNT;
    if (top->at.count != SIZE_MAX) {
        s->opens--;
        duet_generation_limit_count(s->types->program, top->at.count, top->low, top->high);
    }
    duet_residual_copy(&s->types->classes, &top->state, &s->types->state);
    duet_generation_resume(s->types->program, &top->basis, true);
}

// The solution's counts are whole: an allocation, though others are open. Schedules it.
static duet_code try_solution(tree *s, duet_verdict *verdict, duet_error *error)
{
    duet_types *types = s->types;
    DUET_TRY(make_room(s, s->depth, error));
    node *room = &s->saved[s->depth];
    duet_residual_copy(&types->classes, &types->state, &room->state);
    duet_types_round(types);
    duet_code code = try_packing(s, verdict, error);
    duet_residual_copy(&types->classes, &room->state, &types->state);
    return code;
}

// Visits a node: a leaf, or a branch.
static duet_code visit(tree *s, bool *leaf, duet_verdict *verdict, duet_error *error)
{
    *leaf = true;
    *verdict = DUET_OPEN;
    s->nodes++;
    s->types->exact->nodes++;
    bool usable;
    duet_code code = s->depth >= s->most_depth ? DUET_OK : relax(s, &usable, verdict, error);
    if (code != DUET_OK || s->depth >= s->most_depth || *verdict == DUET_REFUTED || !usable) {
        return code;
    }
    duet_types_branch at = {.class = 0};
    bool counted = duet_types_choose_count(s->types, &at);
    if (!counted && s->counts_only) {
        return DUET_OK;
    }
    if (!counted && !duet_types_choose_class(s->types, s->guess, &at)) {
        code = try_packing(s, verdict, error);
        if (code == DUET_OK && *verdict == DUET_REFUTED) {
            duet_types_log_allocation(s->types, s->tasks, s->part.log);
        }
        return code;
    }
    if (!counted && at.whole) {
        duet_verdict found = DUET_OPEN;
        code = try_solution(s, &found, error);
        *verdict = found == DUET_FOUND ? found : DUET_OPEN;
    }
    *leaf = code != DUET_OK || *verdict == DUET_FOUND;
    return *leaf ? code : push(s, &at, error);
}

static duet_code visit_next(tree *s, duet_error *error)
{
    bool leaf;
    duet_verdict verdict;
    s->fresh = false;
    if (duet_context_stop(s->types->exact->context)) {
        s->part.ended = true;
        s->part.verdict = DUET_OPEN;
        return DUET_OK;
    }
    DUET_TRY(visit(s, &leaf, &verdict, error));
    if (!leaf) {
        return descend(s, error);
    }
    if (verdict == DUET_OPEN) {
        s->part.open++;
        duet_log_lose(s->part.log);
    }
    s->part.ended = verdict == DUET_FOUND || (verdict == DUET_OPEN && s->counts_only);
    s->part.verdict = verdict;
    return DUET_OK;
}

// Leaves a node that has no more children, or begins the next one.
static duet_code go_on(tree *s, duet_error *error)
{
    if (s->depth == 0) {
        s->part.ended = true;
        s->part.verdict = DUET_REFUTED;
        return DUET_OK;
    }
    node *top = &s->saved[s->depth - 1];
    ascend(s);
    if (top->children == 1 && top->taker == 0) {
        return descend(s, error);
    }
    s->depth--;
    return top->taker == 0
               ? DUET_OK
               : duet_vec_push(s->part.gap, s->part.gaps, error,
                               (duet_part_gap){duet_log_here(s->part.log).length, top->taker});
}

static duet_code walk(duet_part *part, int64_t most, duet_error *error)
{
    tree *s = (tree *)part;
    duet_code code = DUET_OK;
    while (code == DUET_OK && !part->ended && !(s->fresh && s->nodes >= most)) {
        code = s->fresh ? visit_next(s, error) : go_on(s, error);
    }
    return code;
}

static int64_t spent(const duet_part *part)
{
    return ((const tree *)part)->nodes;
}

static size_t open_depth(const duet_part *part)
{
    const tree *s = (const tree *)part;
    for (size_t i = 0; i < s->depth; i++) {
        if (s->saved[i].children == 1 && s->saved[i].taker == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

enum { OF_PAIR = 2 * sizeof(int64_t), OF_CLASS = 2 * sizeof(int64_t) };

static size_t node_bytes(const duet_types *types)
{
    return types->classes.count * (types->classes.types * OF_PAIR + OF_CLASS) + sizeof(node);
}

// A program, of which most are patterns; where the seat has one already there is none to make.
static size_t bytes(const duet_part *part, size_t depth)
{
    const tree *s = (const tree *)part;
    (void)depth;
    return node_bytes(s->types) * 4 +
           duet_configuration_patterns(s->types->program) * 8 * sizeof(duet_pricing_part);
}

static void rest(duet_part *part)
{
    tree *s = (tree *)part;
    for (size_t i = 0; i < s->depths; i++) {
        duet_residual_free(&s->saved[i].state);
        duet_lp_position_free(&s->saved[i].basis);
    }
    s->depths = 0;
}

static void free_tree(duet_part *part)
{
    tree *s = (tree *)part;
    rest(part);
    duet_log_free(&s->own_log);
    duet_free(s->saved);
    duet_free(s->tasks);
    duet_free(s->has);
    duet_free(s->opened);
    duet_free(s->open_price);
    duet_free(s);
}

static duet_code create(const tree *like, duet_types *types, tree **out, duet_error *error)
{
    *out = NULL;
    tree *s = duet_alloc(1, sizeof *s, error);
    DUET_NEED(s);
    *s = (tree){.part = {.error = DUET_ERROR_INIT},
                .lead = like->lead,
                .types = types,
                .guess = like->guess,
                .one = like->one,
                .most_depth = like->most_depth,
                .counts_only = like->counts_only,
                .fresh = true};
    s->tasks = duet_alloc(types->classes.count * types->classes.types, sizeof *s->tasks, error);
    s->has = duet_alloc(types->classes.count, sizeof *s->has, error);
    if (s->tasks == NULL || s->has == NULL) {
        free_tree(&s->part);
        return DUET_E_MEMORY;
    }
    *out = s;
    return DUET_OK;
}

// What is known at a node of another part, whose second child is to be visited.
static duet_code go_to(tree *s, const tree *from, size_t depth, duet_error *error)
{
    const duet_types *there = from->types;
    const node *top = &from->saved[depth];
    duet_generation *program = s->types->program;
    size_t opens = from->opens;
    for (size_t i = 0; i < duet_generation_counts(program); i++) {
        duet_generation_counted count = duet_generation_count_at(there->program, i);
        duet_generation_limit_count(program, i, count.low, count.high);
        s->types->gain[i] = there->gain[i];
    }
    for (size_t d = from->depth; d-- > depth;) {
        const node *below = &from->saved[d];
        if (below->at.count != SIZE_MAX) {
            duet_generation_limit_count(program, below->at.count, below->low, below->high);
            opens--;
        }
    }
    duet_generation_set_guess(program, s->guess);
    duet_generation_take_none(program);
    duet_generation_resume(program, &s->types->basis, false);
    duet_code code = make_room(s, 0, error);
    DUET_THEN(code, duet_vec_reserve(s->opened, opens + 1, error));
    if (code != DUET_OK) {
        return code;
    }
    for (size_t i = 0; i < opens; i++) {
        s->opened[s->opens++] = from->opened[i];
    }
    node *own = &s->saved[s->depth++];
    own->at = top->at;
    own->factor = top->factor;
    own->children = 1;
    duet_residual_copy(&s->types->classes, &top->state, &own->state);
    duet_residual_copy(&s->types->classes, &top->state, &s->types->state);
    return descend(s, error);
}

static duet_code split(duet_part *part, size_t depth, size_t taker, size_t seat, duet_part **out,
                       duet_error *error)
{
    tree *from = (tree *)part;
    tree *made = NULL;
    duet_types *types;
    duet_code code = duet_types_hand(from->lead, seat, &types, error);
    DUET_THEN(code, create(from, types, &made, error));
    if (code != DUET_OK) {
        return code;
    }
    made->part.seat = seat;
    if (part->log != NULL) {
        duet_log_start_like(&made->own_log, part->log);
        made->own_log.state = &types->state;
        made->part.log = &made->own_log;
    }
    code = go_to(made, from, depth, error);
    if (code != DUET_OK) {
        free_tree(&made->part);
        return code;
    }
    from->saved[depth].taker = taker;
    *out = &made->part;
    return DUET_OK;
}

// So deep that the nodes on the way down take a part of the memory.
static size_t most_depth(const duet_types *types)
{
    size_t limit = types->exact->context->memory_limit;
    size_t depth = limit / DUET_TREE_MEMORY_SHARE / node_bytes(types);
    return limit == 0 || depth > MOST_DEPTH ? MOST_DEPTH : depth;
}

static const duet_part_kind trees = {.walk = walk,
                                     .spent = spent,
                                     .open_depth = open_depth,
                                     .bytes = bytes,
                                     .split = split,
                                     .rest = rest,
                                     .drop = free_tree};

// Searches from the first node.
static duet_code search(tree *first, int64_t nodes, duet_verdict *verdict, duet_error *error)
{
    duet_types *types = first->types;
    size_t limit = duet_memory_steady(types->exact->context->memory_limit);
    duet_parts parts = {.kind = &trees,
                        .most = nodes,
                        .alone = ALONE,
                        .least = QUANTUM,
                        .most_open = INT64_MAX,
                        .most_bytes = limit / DUET_TREE_MEMORY_SHARE};
    duet_code code = duet_parts_run(&parts, &first->part, verdict, error);
    if (code == DUET_OK && *verdict == DUET_REFUTED) {
        duet_parts_gather_proof(&parts);
    }
    duet_parts_free(&parts);
    duet_types_learn(types, DUET_PARTS);
    for (size_t i = 0; i < duet_generation_counts(types->program); i++) {
        duet_generation_limit_count(types->program, i, 0, INT64_MAX);
    }
    return code;
}

duet_code duet_types_tree(duet_types *types, int64_t guess, int64_t nodes,
                          const duet_exact_effort *one, duet_verdict *verdict, duet_error *error)
{
    const tree like = {.lead = types,
                       .guess = guess,
                       .one = one,
                       .most_depth = most_depth(types),
                       .counts_only = one == NULL};
    tree *first;
    *verdict = DUET_REFUTED;
    duet_log *log = duet_types_start_log(types, guess);
    log->state = &types->state;
    types->exact->guesses++;
    if (!duet_types_begin(types, guess, log)) {
        return DUET_OK;
    }
    *verdict = DUET_OPEN;
    DUET_TRY(create(&like, types, &first, error));
    first->part.log = log;
    return search(first, nodes, verdict, error);
}
