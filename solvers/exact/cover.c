// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/cover.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum {
    MAX_WORDS = 16,   // of a mask, as in exact/enumerate.c
    LIST_NODES = 100, // a list costs about as much as so many nodes, and more with its length
    // Between two looks at whether to stop, in classes and patterns that nodes go over: under a
    // millisecond.
    WORK_BETWEEN_LOOKS = 1 << 16,
    // Of nodes within nodes, some hundred bytes of heap each; what lies deeper stays open. Each
    // processor and each branch is one, so that a thousand processors are no trouble.
    MAX_DEPTH = 3000,
    MEMORY_SHARE = 4, // patterns and lists get 1/4 of the memory
};

// What a change of one class overwrote.
typedef struct undo {
    size_t class;
    int64_t left, low, high;
} undo;

// A place on the way down to return to.
typedef struct mark {
    size_t undos;
    duet_int128 slack, load_budget[2];
    size_t loads, parts;
    int64_t processors[2];
} mark;

// Patterns that are left at a node, by type: a part of the list each.
typedef struct left_over {
    size_t begin[2];
    size_t end[2];
} left_over;

// What a step of the search is about. Steps are kept on the heap: the search is as deep as there
// are processors, and the stack of the caller's thread may be small.
typedef enum step_kind {
    STEP_NODE,   // a state: a leaf, or one step below it
    STEP_BRANCH, // either no processor of the type gets the class, or some does
    STEP_COVER   // the patterns with the class, each on a processor in turn
} step_kind;

typedef struct step {
    step_kind kind;
    int begun;            // children so far
    duet_verdict verdict; // of them
    size_t class;
    size_t type;   // of STEP_COVER
    size_t next;   // pattern of STEP_COVER: a place on the list
    int64_t slack; // when STEP_COVER began
    int64_t tasks, high;
    size_t listed, forced; // when STEP_NODE began
    left_over left;        // of the node; before it begins, of its parent
    mark place;            // where the children begin
} step;

typedef struct cover {
    const duet_classes *classes;
    duet_residual *state;
    duet_prices *prices;
    duet_prices *load[2]; // time itself as the price of a type
    bool pooled[2];
    duet_patterns pool[2];
    uint64_t taken[2][MAX_WORDS]; // complement of what is available
    duet_int128 slack;
    duet_int128 load_budget[2];
    const duet_cover_limits *limits;
    duet_random *random;
    const duet_context *context;
    duet_log *log;
    duet_loads *loads;
    duet_cover_stats *stats;
    uint32_t *alive; // patterns that are left, of all nodes on the way down
    size_t listed, list_room;
    undo *undone;
    size_t undos, undo_room;
    size_t *forced; // classes, of all nodes on the way down
    size_t forced_count, forced_room;
    step *step; // the way down
    size_t steps, step_room;
    int32_t *ways[2]; // of each class, at the node that counts them
    bool alone;       // the other type's tasks do not matter
    bool partial;     // patterns are missing: nothing can be refuted
    int64_t until[2]; // where they are listed anew: at so many processors of a type
    int64_t node_limit;
    size_t depth;    // of the node, this search's caller included
    size_t memory;   // bytes for patterns and lists that are left
    uint64_t unseen; // work since the last look at whether to stop
    bool stopped;
} cover;

static duet_int128 forced_time(const cover *s, size_t class, size_t type)
{
    int64_t tasks = duet_residual_least(s->state, class, type);
    return tasks > 0 ? (duet_int128)tasks * s->classes->time[type][class] : 0;
}

// Marks in the masks how many tasks of a class are available.
static void set_available(cover *s, size_t class)
{
    for (size_t t = 0; t < 2; t++) {
        if (!s->pooled[t]) {
            continue;
        }
        size_t first = s->pool[t].first_bit[class];
        size_t bits = s->pool[t].first_bit[class + 1] - first;
        int64_t most = duet_residual_most(s->state, class, t);
        for (size_t b = 0; b < bits; b++) {
            uint64_t bit = UINT64_C(1) << ((first + b) % 64);
            uint64_t *word = &s->taken[t][(first + b) / 64];
            *word = (int64_t)b < most ? *word & ~bit : *word | bit;
        }
    }
}

// Changes the numbers of a class, and the budgets with it.
static duet_code change(cover *s, size_t class, int64_t left, int64_t low, int64_t high,
                        duet_error *error)
{
    duet_residual *state = s->state;
    duet_code code = duet_grow(&s->undone, s->undos, &s->undo_room, sizeof *s->undone, error);
    if (code != DUET_OK) {
        return code;
    }
    s->undone[s->undos++] =
        (undo){class, state->left[class], state->low[class], state->high[class]};
    s->slack += duet_residual_price(state, s->prices, class);
    s->load_budget[0] += forced_time(s, class, 0);
    s->load_budget[1] += forced_time(s, class, 1);
    state->left[class] = left;
    state->low[class] = low;
    state->high[class] = high;
    s->slack -= duet_residual_price(state, s->prices, class);
    s->load_budget[0] -= forced_time(s, class, 0);
    s->load_budget[1] -= forced_time(s, class, 1);
    set_available(s, class);
    return DUET_OK;
}

static mark here(const cover *s)
{
    return (mark){
        s->undos,        s->slack,        {s->load_budget[0], s->load_budget[1]},
        s->loads->loads, s->loads->parts, {s->state->processors[0], s->state->processors[1]}};
}

static void back_to(cover *s, const mark *place)
{
    while (s->undos > place->undos) {
        const undo *u = &s->undone[--s->undos];
        s->state->left[u->class] = u->left;
        s->state->low[u->class] = u->low;
        s->state->high[u->class] = u->high;
        set_available(s, u->class);
    }
    s->slack = place->slack;
    memcpy(s->load_budget, place->load_budget, sizeof s->load_budget);
    memcpy(s->state->processors, place->processors, sizeof place->processors);
    s->loads->loads = place->loads;
    s->loads->parts = place->parts;
}

// Gives a processor a pattern.
static duet_code apply(cover *s, size_t type, size_t index, duet_error *error)
{
    const duet_patterns *pool = &s->pool[type];
    const duet_pattern_part *part = pool->part + pool->begin[index];
    size_t parts = pool->begin[index + 1] - pool->begin[index];
    duet_code code = duet_loads_push(s->loads, type, part, parts, error);
    s->state->processors[type]--;
    s->slack -= s->prices->limit[type];
    s->load_budget[type] -= s->classes->capacity[type];
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        size_t c = part[p].class;
        int64_t left;
        int64_t low;
        int64_t high;
        duet_residual_without(s->state, c, type, part[p].tasks, &left, &low, &high);
        code = change(s, c, left, low, high, error);
    }
    return code;
}

static inline bool available(const uint64_t *mask, const uint64_t *taken, size_t words)
{
    uint64_t clash = 0;
    for (size_t w = 0; w < words; w++) {
        clash |= mask[w] & taken[w];
    }
    return clash == 0;
}

// The budget as what a pattern may lack.
static int64_t lack_limit(const cover *s)
{
    return s->slack < INT64_MAX ? (int64_t)s->slack : INT64_MAX;
}

// One pass with a fixed number of words, so that the compiler unrolls the test.
#define DUET_FILTER(WORDS)                                                                         \
    for (size_t i = begin; i < end; i++) {                                                         \
        uint32_t at = s->alive[i];                                                                 \
        if (pool->reduced_cost[at] > most) {                                                       \
            break;                                                                                 \
        }                                                                                          \
        s->alive[out] = at;                                                                        \
        out += available(pool->mask + (size_t)(WORDS)*at, s->taken[type], WORDS);                  \
    }

// Appends to the list what is left of its part begin .. end: patterns of available tasks within the
// budget.
static duet_code filter(cover *s, size_t type, size_t begin, size_t end, duet_error *error)
{
    const duet_patterns *pool = &s->pool[type];
    if (s->list_room - s->listed <= end - begin) {
        size_t room = 2 * s->list_room + (end - begin) + 1;
        if (room > s->memory / sizeof *s->alive) {
            s->stopped = true; // what is on the list is not all: the node stays open
            return DUET_OK;
        }
        uint32_t *grown = duet_resize(s->alive, room, sizeof *grown, error);
        if (grown == NULL) {
            return DUET_E_MEMORY;
        }
        s->alive = grown;
        s->list_room = room;
    }
    size_t out = s->listed;
    int64_t most = lack_limit(s);
    switch (pool->words) {
    case 1:
        DUET_FILTER(1U)
        break;
    case 2:
        DUET_FILTER(2U)
        break;
    case 3:
        DUET_FILTER(3U)
        break;
    case 4:
        DUET_FILTER(4U)
        break;
    default:
        DUET_FILTER(pool->words)
        break;
    }
    s->listed = out;
    return DUET_OK;
}

static void count_ways(cover *s, const left_over *left)
{
    for (size_t t = 0; t < 2; t++) {
        if (!s->pooled[t]) {
            continue;
        }
        const duet_patterns *pool = &s->pool[t];
        memset(s->ways[t], 0, s->classes->count * sizeof *s->ways[t]);
        if (s->state->processors[t] == 0) {
            continue;
        }
        for (size_t i = left->begin[t]; i < left->end[t]; i++) {
            size_t at = s->alive[i];
            for (size_t p = pool->begin[at]; p < pool->begin[at + 1]; p++) {
                s->ways[t][pool->part[p].class]++;
            }
        }
    }
}

// Combines what two branches found: one schedule is enough, one open branch leaves all open.
static duet_verdict join(duet_verdict a, duet_verdict b)
{
    if (a == DUET_FOUND || b == DUET_FOUND) {
        return DUET_FOUND;
    }
    return a == DUET_OPEN || b == DUET_OPEN ? DUET_OPEN : DUET_REFUTED;
}

// A step below the one on top.
static duet_code push(cover *s, step_kind kind, size_t class, size_t type, const left_over *left,
                      duet_error *error)
{
    const left_over own = *left; // growing moves the steps
    duet_code code = duet_grow(&s->step, s->steps, &s->step_room, sizeof *s->step, error);
    if (code == DUET_OK) {
        step *top = &s->step[s->steps++];
        top->kind = kind;
        top->begun = 0;
        top->class = class;
        top->type = type;
        top->left = own;
    }
    return code;
}

// Ends the step on top.
static void pop(cover *s, duet_verdict with, duet_verdict *verdict)
{
    s->steps--;
    *verdict = with;
}

static bool has_class(const duet_patterns *pool, size_t pattern, size_t bit)
{
    return (pool->mask[pattern * pool->words + bit / 64] >> (bit % 64) & 1U) != 0;
}

// Writes down how many patterns there are to go through.
static void begin_cover(cover *s, step *top)
{
    const duet_patterns *pool = &s->pool[top->type];
    size_t bit = pool->first_bit[top->class];
    bool any = pool->first_bit[top->class + 1] > bit && s->state->processors[top->type] > 0;
    size_t patterns = 0;
    top->slack = lack_limit(s);
    for (size_t i = top->left.begin[top->type]; any && i < top->left.end[top->type]; i++) {
        size_t at = s->alive[i];
        if (pool->reduced_cost[at] > top->slack) {
            break;
        }
        patterns += has_class(pool, at, bit);
    }
    duet_log_cover(s->log, s->prices, top->type, top->class, patterns);
    top->verdict = DUET_REFUTED;
    top->next = patterns > 0 ? top->left.begin[top->type] : top->left.end[top->type];
}

// The next pattern with the class among those left; SIZE_MAX: there is none.
static size_t next_pattern(const cover *s, step *top)
{
    const duet_patterns *pool = &s->pool[top->type];
    size_t bit = pool->first_bit[top->class];
    while (top->next < top->left.end[top->type] && !s->stopped) {
        size_t at = s->alive[top->next++];
        if (pool->reduced_cost[at] > top->slack) {
            break;
        }
        if (has_class(pool, at, bit)) {
            return at;
        }
    }
    return SIZE_MAX;
}

static duet_code step_cover(cover *s, duet_verdict *verdict, duet_error *error)
{
    step *top = &s->step[s->steps - 1];
    if (top->begun == 0) {
        begin_cover(s, top);
    } else {
        top->verdict = join(top->verdict, *verdict);
        if (top->verdict != DUET_FOUND) {
            back_to(s, &top->place);
        }
    }
    size_t at = top->verdict == DUET_FOUND ? SIZE_MAX : next_pattern(s, top);
    if (at == SIZE_MAX) {
        bool open = s->stopped && top->verdict == DUET_REFUTED;
        pop(s, open ? DUET_OPEN : top->verdict, verdict);
        return DUET_OK;
    }
    top->begun = 1;
    top->place = here(s);
    duet_code code = apply(s, top->type, at, error);
    return code == DUET_OK ? push(s, STEP_NODE, 0, 0, &top->left, error) : code;
}

// Whether a type may get a class at all within the budget, where it is priced by area.
static bool affordable(const cover *s, size_t class, size_t type)
{
    duet_residual *state = s->state;
    if (duet_residual_most(state, class, type) == 0) {
        return false;
    }
    duet_int128 now = duet_residual_price(state, s->prices, class);
    duet_int128 cpu = s->prices->price[0][class];
    duet_int128 gpu = s->prices->price[1][class];
    duet_int128 all =
        type == 1 ? cpu * state->low[class] + gpu * (state->left[class] - state->low[class])
                  : cpu * state->high[class] + gpu * (state->left[class] - state->high[class]);
    return all - now <= s->slack;
}

// The class with the fewest ways to be covered, and how many; SIZE_MAX: no class needs a pattern.
static size_t choose_class(const cover *s, int64_t *fewest)
{
    size_t best = SIZE_MAX;
    int64_t best_time = 0;
    for (size_t c = 0; c < s->classes->count; c++) {
        if (s->state->left[c] == 0) {
            continue;
        }
        int64_t ways = 0;
        bool patterned = false;
        for (size_t t = 0; t < 2; t++) {
            if (duet_residual_most(s->state, c, t) == 0) {
                continue;
            }
            if (s->pooled[t]) {
                ways += s->ways[t][c];
                patterned = true;
            } else if (duet_residual_least(s->state, c, 1 - t) == 0) {
                ways += affordable(s, c, t);
            }
        }
        if (!patterned) {
            continue;
        }
        size_t by = s->pooled[0] && duet_class_fits(s->classes, c, 0) ? 0 : 1;
        int64_t time = s->classes->time[by][c];
        if (best == SIZE_MAX || ways < *fewest || (ways == *fewest && time > best_time)) {
            best = c;
            *fewest = ways;
            best_time = time;
        }
    }
    return best;
}

// Classes that both types may get, but that no pattern of a pooled one has: the other type must
// take them. Each is a branch whose one side has no patterns; the proof of that side follows the
// rest for the CPUs and comes before it for the GPUs.
static duet_code force(cover *s, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t c = 0; c < s->classes->count && code == DUET_OK; c++) {
        int64_t left = s->state->left[c];
        int64_t low = s->state->low[c];
        int64_t high = s->state->high[c];
        if (left == 0 || low >= high) {
            continue;
        }
        bool off_cpu = s->pooled[0] && s->ways[0][c] == 0 && low == 0;
        bool off_gpu = s->pooled[1] && s->ways[1][c] == 0 && high == left;
        if (!off_cpu && !off_gpu) {
            continue;
        }
        code = duet_grow(&s->forced, s->forced_count, &s->forced_room, sizeof *s->forced, error);
        if (code != DUET_OK) {
            return code;
        }
        if (off_cpu) {
            duet_log_branch(s->log, c, 0);
            code = change(s, c, left, 0, 0, error);
            s->forced[s->forced_count++] = c;
        } else {
            duet_log_branch(s->log, c, left - 1);
            duet_log_cover(s->log, s->prices, 1, c, 0);
            code = change(s, c, left, left, left, error);
            s->forced[s->forced_count++] = SIZE_MAX; // its proof is written
        }
    }
    return code;
}

static duet_code search(cover *s, duet_verdict *verdict, duet_error *error);

// A copy for a search within the search, to be freed by the caller. Its arrays are its own. On the
// heap, since such searches nest.
static cover *copy_of(const cover *s, duet_error *error)
{
    cover *copy = duet_alloc(1, sizeof *copy, error);
    if (copy != NULL) {
        *copy = *s;
        copy->alive = NULL;
        copy->undone = NULL;
        copy->forced = NULL;
        copy->step = NULL;
        copy->partial = false;
    }
    return copy;
}

// Nothing is left for the pooled types: the rest is packed on the other one.
static duet_code finish(cover *s, duet_verdict *verdict, duet_error *error)
{
    *verdict = DUET_FOUND;
    if (s->alone || (s->pooled[0] && s->pooled[1])) {
        return DUET_OK;
    }
    bool fits = false;
    size_t type = s->pooled[0] ? 1 : 0;
    duet_code code = duet_cover_pack(s->classes, s->state, type, s->limits->pack_effort, s->random,
                                     s->context, s->loads, &fits, error);
    if (code != DUET_OK || fits) {
        return code;
    }
    // The same search with time itself as the price.
    cover *rest = copy_of(s, error);
    if (rest == NULL) {
        return DUET_E_MEMORY;
    }
    rest->prices = s->load[type];
    rest->pooled[type] = true;
    rest->pooled[1 - type] = false;
    code = search(rest, verdict, error);
    duet_free(rest);
    s->stopped = s->stopped || s->stats->nodes >= s->node_limit;
    return code;
}

// What is left has fewer patterns: they are listed anew, with the budget that is left, for a share
// of the nodes.
static duet_code search_rest(cover *s, duet_verdict *verdict, duet_error *error)
{
    enum { share = 4, least = 600 };
    cover *rest = copy_of(s, error);
    if (rest == NULL) {
        return DUET_E_MEMORY;
    }
    int64_t nodes = (s->node_limit - s->stats->nodes) / share;
    rest->node_limit = s->stats->nodes + (nodes > least ? nodes : least);
    duet_code code = search(rest, verdict, error);
    duet_free(rest);
    return code;
}

// What is below a node that covers a class: a step for it, or two after a branch.
static duet_code push_branch(cover *s, const left_over *left, size_t class, duet_error *error)
{
    const duet_residual *state = s->state;
    if (state->low[class] > 0 && s->pooled[0]) {
        return push(s, STEP_COVER, class, 0, left, error);
    }
    if (state->left[class] - state->high[class] > 0 && s->pooled[1]) {
        return push(s, STEP_COVER, class, 1, left, error);
    }
    return push(s, STEP_BRANCH, class, 0, left, error);
}

// The child in which no CPU gets one where CPUs have patterns, else that in which some GPU does.
static duet_code begin_first(cover *s, step *top, duet_error *error)
{
    size_t class = top->class;
    int64_t low = s->state->low[class];
    top->place = here(s);
    top->tasks = s->state->left[class];
    top->high = s->state->high[class];
    duet_log_branch(s->log, class, s->pooled[0] ? 0 : top->tasks - 1);
    duet_code code = change(s, class, top->tasks, low, s->pooled[0] ? 0 : top->tasks - 1, error);
    if (code != DUET_OK) {
        return code;
    }
    return s->pooled[0] ? push(s, STEP_NODE, 0, 0, &top->left, error)
                        : push(s, STEP_COVER, class, 1, &top->left, error);
}

static duet_code begin_second(cover *s, step *top, duet_error *error)
{
    size_t class = top->class;
    back_to(s, &top->place);
    duet_code code = change(s, class, top->tasks, s->pooled[0] ? 1 : top->tasks, top->high, error);
    if (code != DUET_OK) {
        return code;
    }
    return s->pooled[0] ? push(s, STEP_COVER, class, 0, &top->left, error)
                        : push(s, STEP_NODE, 0, 0, &top->left, error);
}

// Either no CPU gets one, or some CPU does; on the GPUs, some GPU does, or none.
static duet_code step_branch(cover *s, duet_verdict *verdict, duet_error *error)
{
    step *top = &s->step[s->steps - 1];
    top->begun++;
    if (top->begun == 1) {
        return begin_first(s, top, error);
    }
    if (top->begun == 2 && *verdict != DUET_FOUND) {
        top->verdict = *verdict;
        return begin_second(s, top, error);
    }
    if (*verdict != DUET_FOUND) {
        back_to(s, &top->place);
    }
    pop(s, *verdict == DUET_FOUND ? DUET_FOUND : join(top->verdict, *verdict), verdict);
    return DUET_OK;
}

// A leaf, if prices or forced time alone refute what is left.
static bool refuted(cover *s)
{
    if (s->slack < 0) {
        duet_log_price(s->log, s->prices);
        return true;
    }
    for (size_t t = 0; t < 2; t++) {
        if (s->load_budget[t] < 0) {
            duet_log_price(s->log, s->load[t]);
            return true;
        }
    }
    return false;
}

// The step below a node. Without one the verdict is known; the node is `*ended` then.
static duet_code expand(cover *s, bool *ended, duet_verdict *verdict, duet_error *error)
{
    const left_over left = s->step[s->steps - 1].left;
    size_t before = s->forced_count;
    count_ways(s, &left);
    int64_t fewest = 0;
    size_t class = choose_class(s, &fewest);
    *ended = class == SIZE_MAX;
    if (*ended) {
        return finish(s, verdict, error);
    }
    duet_code code = DUET_OK;
    if (fewest > 0) {
        code = force(s, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    return s->forced_count > before ? push(s, STEP_NODE, 0, 0, &left, error)
                                    : push_branch(s, &left, class, error);
}

// Looks at the limits now and then: a node costs a pass over the classes and the patterns.
static void look(cover *s, const left_over *parent)
{
    s->unseen += s->classes->count + (parent->end[0] - parent->begin[0]) +
                 (parent->end[1] - parent->begin[1]);
    bool stop = false;
    if (s->unseen >= WORK_BETWEEN_LOOKS) {
        s->unseen = 0;
        stop = duet_context_stop(s->context);
    }
    s->stopped = s->stopped || stop || s->stats->nodes >= s->node_limit;
}

// The patterns of its parent that are left at a node.
static duet_code filter_all(cover *s, step *top, duet_error *error)
{
    const left_over parent = top->left;
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        top->left.begin[t] = s->listed;
        if (s->pooled[t]) {
            code = filter(s, t, parent.begin[t], parent.end[t], error);
        }
        top->left.end[t] = s->listed;
    }
    return code;
}

// Ends a node whose verdict is known.
static void end_node(cover *s, duet_verdict *verdict)
{
    const step *top = &s->step[s->steps - 1];
    while (s->forced_count > top->forced) {
        size_t forced = s->forced[--s->forced_count];
        if (forced != SIZE_MAX) {
            duet_log_cover(s->log, s->prices, 0, forced, 0);
        }
    }
    if (*verdict != DUET_FOUND) {
        back_to(s, &top->place);
    }
    s->listed = top->listed;
    s->depth--;
    pop(s, *verdict, verdict);
}

// A node: a leaf at once, or what is below it.
static duet_code begin_node(cover *s, duet_verdict *verdict, duet_error *error)
{
    step *top = &s->step[s->steps - 1];
    s->stats->nodes++;
    look(s, &top->left);
    if (refuted(s)) {
        pop(s, DUET_REFUTED, verdict);
        return DUET_OK;
    }
    if (s->stopped || s->depth >= MAX_DEPTH) {
        pop(s, DUET_OPEN, verdict);
        return DUET_OK;
    }
    s->depth++;
    top->begun = 1;
    top->listed = s->listed;
    top->forced = s->forced_count;
    top->place = here(s);
    *verdict = DUET_REFUTED;
    bool ended = true;
    duet_code code = DUET_OK;
    if (s->partial &&
        (s->state->processors[0] < s->until[0] || s->state->processors[1] < s->until[1])) {
        code = search_rest(s, verdict, error);
    } else {
        code = filter_all(s, top, error);
        *verdict = s->stopped ? DUET_OPEN : *verdict;
        if (code == DUET_OK && !s->stopped) {
            code = expand(s, &ended, verdict, error);
        }
    }
    if (code == DUET_OK && ended) {
        end_node(s, verdict);
    }
    return code;
}

static duet_code step_node(cover *s, duet_verdict *verdict, duet_error *error)
{
    if (s->step[s->steps - 1].begun == 0) {
        return begin_node(s, verdict, error);
    }
    end_node(s, verdict);
    return DUET_OK;
}

// The search itself, from a root whose patterns are on the list. A step that has just ended leaves
// its verdict to the one above it.
static duet_code walk(cover *s, const left_over *root, duet_verdict *verdict, duet_error *error)
{
    typedef duet_code stepper(cover *, duet_verdict *, duet_error *);
    static stepper *const steppers[] = {
        [STEP_NODE] = step_node, [STEP_BRANCH] = step_branch, [STEP_COVER] = step_cover};
    duet_code code = push(s, STEP_NODE, 0, 0, root, error);
    while (s->steps > 0 && code == DUET_OK) {
        code = steppers[s->step[s->steps - 1].kind](s, verdict, error);
    }
    return code;
}

// Lists the patterns of a type within the budget, or the best of them where there are more than can
// be listed.
static duet_code enumerate(cover *s, size_t type, bool *any, duet_error *error)
{
    enum { longer = 4 };
    int64_t limit = s->prices->limit[type];
    int64_t slack = s->slack < limit ? (int64_t)s->slack : limit;
    bool complete = s->limits->complete;
    const duet_patterns_request request = {.type = type,
                                           .slack = slack,
                                           .most = (complete ? 1 : longer) * s->limits->patterns,
                                           .most_bytes = s->memory,
                                           .may_shrink = !complete};
    duet_code code = duet_patterns_enumerate(s->classes, s->state, s->prices, &request, s->context,
                                             &s->pool[type], error);
    duet_patterns_status status = s->pool[type].status;
    s->memory -= s->pool[type].bytes;
    *any = status != DUET_PATTERNS_TOO_MANY;
    s->partial = s->partial || status != DUET_PATTERNS_COMPLETE;
    s->stats->patterns += s->pool[type].count;
    s->stats->nodes += LIST_NODES + (int64_t)s->pool[type].count / 64;
    return code;
}

// The first patterns of a type on the list: all of them, or so many that every class has its best
// ones, an equal number each.
static void choose_patterns(cover *s, size_t type)
{
    const duet_patterns *pool = &s->pool[type];
    bool all = pool->count <= s->limits->patterns;
    int32_t most = (int32_t)(s->limits->patterns / (s->classes->count + 1)) + 1;
    int32_t *chosen = s->ways[type];
    memset(chosen, 0, s->classes->count * sizeof *chosen);
    for (size_t i = 0; i < pool->count; i++) {
        bool wanted = all;
        for (size_t p = pool->begin[i]; p < pool->begin[i + 1] && !wanted; p++) {
            wanted = chosen[pool->part[p].class] < most;
        }
        if (wanted) {
            s->alive[s->listed++] = (uint32_t)i;
            for (size_t p = pool->begin[i]; p < pool->begin[i + 1]; p++) {
                chosen[pool->part[p].class]++;
            }
        }
    }
    s->partial = s->partial || !all;
}

// The patterns of the pooled types, all on the list. False where there are none to be had.
static duet_code list_patterns(cover *s, left_over *root, bool *complete, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK && *complete; t++) {
        if (s->pooled[t]) {
            code = enumerate(s, t, complete, error);
        }
    }
    size_t total = s->pool[0].count + s->pool[1].count;
    if (code == DUET_OK && *complete) {
        s->alive = duet_alloc(4 * total + 16, sizeof *s->alive, error);
        s->list_room = 4 * total + 16;
        code = s->alive == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    for (size_t t = 0; t < 2 && code == DUET_OK && *complete; t++) {
        root->begin[t] = s->listed;
        if (s->pooled[t]) {
            choose_patterns(s, t);
        }
        root->end[t] = s->listed;
    }
    return code;
}

// Searches from the state, with lists and counters of its own.
static duet_code search(cover *s, duet_verdict *verdict, duet_error *error)
{
    *verdict = DUET_OPEN;
    s->listed = s->list_room = s->undos = s->undo_room = 0;
    s->forced_count = s->forced_room = 0;
    s->steps = s->step_room = 0;
    s->slack = duet_residual_slack(s->classes, s->state, s->prices);
    memset(s->pool, 0, sizeof s->pool);
    memset(s->taken, 0, sizeof s->taken);
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2; t++) {
        s->load_budget[t] = duet_residual_slack(s->classes, s->state, s->load[t]);
        s->ways[t] = duet_alloc(s->classes->count, sizeof *s->ways[t], error);
        code = s->ways[t] == NULL ? DUET_E_MEMORY : code;
    }
    left_over root = {{0, 0}, {0, 0}};
    bool complete = true;
    if (code == DUET_OK) {
        code = list_patterns(s, &root, &complete, error);
    }
    if (code == DUET_OK && complete) {
        for (size_t c = 0; c < s->classes->count; c++) {
            set_available(s, c);
        }
        for (size_t t = 0; t < 2; t++) {
            s->until[t] = s->partial && s->pooled[t] ? s->state->processors[t] * 2 / 3 : 0;
        }
        mark place = here(s);
        code = walk(s, &root, verdict, error);
        // The state is the caller's again; the loads of what was found stay.
        place.loads = s->loads->loads;
        place.parts = s->loads->parts;
        back_to(s, &place);
        if (s->partial && *verdict == DUET_REFUTED) {
            *verdict = DUET_OPEN;
        }
    }
    for (size_t t = 0; t < 2; t++) {
        duet_patterns_free(&s->pool[t]);
        duet_free(s->ways[t]);
    }
    duet_free(s->alive);
    duet_free(s->undone);
    duet_free(s->forced);
    duet_free(s->step);
    return code;
}

duet_code duet_cover_search(const duet_classes *classes, duet_residual *state, duet_prices *prices,
                            const bool pooled[2], const duet_cover_limits *limits,
                            duet_random *random, const duet_context *context, duet_log *proof,
                            duet_loads *loads, duet_cover_stats *stats, duet_verdict *verdict,
                            duet_error *error)
{
    duet_prices load[2] = {{.id = -1}, {.id = -1}};
    cover s = {.classes = classes,
               .state = state,
               .prices = prices,
               .load = {&load[0], &load[1]},
               .pooled = {pooled[0], pooled[1]},
               .limits = limits,
               .random = random,
               .context = context,
               .log = proof,
               .loads = loads,
               .stats = stats,
               .node_limit = limits->nodes,
               .memory = duet_memory_limit(context->memory_limit) / MEMORY_SHARE};
    duet_code code = duet_prices_create_by_time(classes, load, error);
    *verdict = DUET_OPEN;
    if (code == DUET_OK) {
        code = search(&s, verdict, error);
    }
    duet_prices_free(&load[0]);
    duet_prices_free(&load[1]);
    return code;
}

duet_code duet_cover_side(const duet_classes *classes, duet_residual *state, size_t type,
                          duet_prices load[2], const duet_cover_limits *limits, duet_random *random,
                          const duet_context *context, duet_log *proof, duet_loads *loads,
                          duet_cover_stats *stats, duet_verdict *verdict, duet_error *error)
{
    cover s = {.classes = classes,
               .state = state,
               .prices = &load[type],
               .load = {&load[0], &load[1]},
               .pooled = {type == 0, type == 1},
               .limits = limits,
               .random = random,
               .context = context,
               .log = proof,
               .loads = loads,
               .stats = stats,
               .alone = true,
               .node_limit = limits->nodes,
               .memory = duet_memory_limit(context->memory_limit) / MEMORY_SHARE};
    return search(&s, verdict, error);
}
