// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact_cover.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "heuristics/packing.h"
#include "heuristics/packing_fill.h"

enum {
    MAX_WORDS = 16,   // of a mask, as in exact_pool.c
    LIST_NODES = 100, // a list costs about as much as so many nodes, and more with its length
    // Between two looks at whether to stop, in classes and patterns that nodes go over: under a
    // millisecond.
    WORK_BETWEEN_LOOKS = 1 << 16,
    // Of nodes within nodes, a kilobyte of stack each; what lies deeper stays open. Each processor
    // and each branch is one, so that a thousand processors are no trouble.
    MAX_DEPTH = 3000,
    MEMORY_SHARE = 4, // patterns and lists get 1/4 of the memory
};

// What a change of one class overwrote.
typedef struct undo {
    size_t class;
    int64_t left, low, high;
} undo;

typedef struct cover {
    const duet_classes *classes;
    duet_remainder *state;
    duet_prices *prices;
    duet_prices *load[2]; // time itself as the price of a type
    bool pooled[2];
    duet_pool_patterns pool[2];
    uint64_t taken[2][MAX_WORDS]; // complement of what is available
    duet_int128 budget;
    duet_int128 load_budget[2];
    const duet_cover_limits *limits;
    duet_random *random;
    const duet_context *context;
    duet_log *log;
    duet_loads *loads;
    duet_cover_stats *stats;
    uint32_t *list; // patterns that are left, of all nodes on the way down
    size_t listed, list_room;
    undo *undone;
    size_t undos, undo_room;
    size_t *forced; // classes, of all nodes on the way down
    size_t forced_count, forced_room;
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

void duet_loads_free(duet_loads *loads)
{
    free(loads->load);
    free(loads->part);
    *loads = (duet_loads){.loads = 0};
}

static duet_int128 forced_time(const cover *s, size_t class, size_t type)
{
    int64_t tasks = duet_remainder_least(s->state, class, type);
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
        int64_t most = duet_remainder_most(s->state, class, t);
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
    duet_remainder *state = s->state;
    duet_code code = duet_grow(&s->undone, s->undos, &s->undo_room, sizeof *s->undone, error);
    if (code != DUET_OK) {
        return code;
    }
    s->undone[s->undos++] =
        (undo){class, state->left[class], state->low[class], state->high[class]};
    s->budget += duet_remainder_worth(state, s->prices, class);
    s->load_budget[0] += forced_time(s, class, 0);
    s->load_budget[1] += forced_time(s, class, 1);
    state->left[class] = left;
    state->low[class] = low;
    state->high[class] = high;
    s->budget -= duet_remainder_worth(state, s->prices, class);
    s->load_budget[0] -= forced_time(s, class, 0);
    s->load_budget[1] -= forced_time(s, class, 1);
    set_available(s, class);
    return DUET_OK;
}

// A place on the way down to return to.
typedef struct mark {
    size_t undos;
    duet_int128 budget, load_budget[2];
    size_t loads, parts;
    int64_t machines[2];
} mark;

static mark here(const cover *s)
{
    return (mark){s->undos,        s->budget,       {s->load_budget[0], s->load_budget[1]},
                  s->loads->loads, s->loads->parts, {s->state->machines[0], s->state->machines[1]}};
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
    s->budget = place->budget;
    memcpy(s->load_budget, place->load_budget, sizeof s->load_budget);
    memcpy(s->state->machines, place->machines, sizeof place->machines);
    s->loads->loads = place->loads;
    s->loads->parts = place->parts;
}

duet_code duet_loads_push(duet_loads *loads, size_t type, const duet_pattern_part *part,
                          size_t parts, duet_error *error)
{
    duet_code code =
        duet_grow(&loads->load, loads->loads, &loads->load_room, sizeof *loads->load, error);
    if (code == DUET_OK) {
        loads->load[loads->loads++] = (duet_load){type, loads->parts, parts};
    }
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        code = duet_grow(&loads->part, loads->parts, &loads->part_room, sizeof *loads->part, error);
        if (code == DUET_OK) {
            loads->part[loads->parts++] = part[p];
        }
    }
    return code;
}

duet_code duet_loads_add(duet_loads *loads, uint32_t class, duet_error *error)
{
    duet_code code =
        duet_grow(&loads->part, loads->parts, &loads->part_room, sizeof *loads->part, error);
    if (code == DUET_OK) {
        loads->part[loads->parts++] = (duet_pattern_part){class, 1};
        loads->load[loads->loads - 1].parts++;
    }
    return code;
}

// Gives a processor a pattern.
static duet_code apply(cover *s, size_t type, size_t index, duet_error *error)
{
    const duet_pool_patterns *pool = &s->pool[type];
    const duet_pattern_part *part = pool->part + pool->begin[index];
    size_t parts = pool->begin[index + 1] - pool->begin[index];
    duet_code code = duet_loads_push(s->loads, type, part, parts, error);
    s->state->machines[type]--;
    s->budget -= s->prices->limit[type];
    s->load_budget[type] -= s->classes->capacity[type];
    for (size_t p = 0; p < parts && code == DUET_OK; p++) {
        size_t c = part[p].class;
        int64_t tasks = part[p].tasks;
        int64_t left = s->state->left[c] - tasks;
        int64_t low = s->state->low[c];
        int64_t high = s->state->high[c];
        if (type == 0) {
            low = low > tasks ? low - tasks : 0;
            high -= tasks;
        } else {
            high = high < left ? high : left;
        }
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
    return s->budget < INT64_MAX ? (int64_t)s->budget : INT64_MAX;
}

// One pass with a fixed number of words, so that the compiler unrolls the test.
#define DUET_FILTER(WORDS)                                                                         \
    for (size_t i = begin; i < end; i++) {                                                         \
        uint32_t at = s->list[i];                                                                  \
        if (pool->lack[at] > most) {                                                               \
            break;                                                                                 \
        }                                                                                          \
        s->list[out] = at;                                                                         \
        out += available(pool->mask + (size_t)(WORDS)*at, s->taken[type], WORDS);                  \
    }

// Appends to the list what is left of its part begin .. end: patterns of available tasks within the
// budget.
static duet_code filter(cover *s, size_t type, size_t begin, size_t end, duet_error *error)
{
    const duet_pool_patterns *pool = &s->pool[type];
    if (s->list_room - s->listed <= end - begin) {
        size_t room = 2 * s->list_room + (end - begin) + 1;
        if (room > s->memory / sizeof *s->list) {
            s->stopped = true; // what is on the list is not all: the node stays open
            return DUET_OK;
        }
        uint32_t *grown = realloc(s->list, room * sizeof *grown);
        if (grown == NULL) {
            return duet_error_set(error, DUET_E_MEMORY, "exact: out of memory");
        }
        s->list = grown;
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

// Patterns that are left at a node, by type: a part of the list each.
typedef struct left_over {
    size_t begin[2];
    size_t end[2];
} left_over;

static void count_ways(cover *s, const left_over *left)
{
    for (size_t t = 0; t < 2; t++) {
        if (!s->pooled[t]) {
            continue;
        }
        const duet_pool_patterns *pool = &s->pool[t];
        memset(s->ways[t], 0, s->classes->count * sizeof *s->ways[t]);
        if (s->state->machines[t] == 0) {
            continue;
        }
        for (size_t i = left->begin[t]; i < left->end[t]; i++) {
            size_t at = s->list[i];
            for (size_t p = pool->begin[at]; p < pool->begin[at + 1]; p++) {
                s->ways[t][pool->part[p].class]++;
            }
        }
    }
}

static duet_code node(cover *s, const left_over *parent, duet_verdict *verdict, duet_error *error);
static duet_code search(cover *s, duet_verdict *verdict, duet_error *error);
static duet_code search_rest(cover *s, duet_verdict *verdict, duet_error *error);

// Combines what two branches found: one schedule is enough, one open branch leaves all open.
static duet_verdict join(duet_verdict a, duet_verdict b)
{
    if (a == DUET_FOUND || b == DUET_FOUND) {
        return DUET_FOUND;
    }
    return a == DUET_OPEN || b == DUET_OPEN ? DUET_OPEN : DUET_REFUTED;
}

// The patterns with a class among those left, each on a processor in turn.
static duet_code cover_class(cover *s, const left_over *left, size_t type, size_t class,
                             duet_verdict *verdict, duet_error *error)
{
    const duet_pool_patterns *pool = &s->pool[type];
    size_t bit = pool->first_bit[class];
    bool any = pool->first_bit[class + 1] > bit && s->state->machines[type] > 0;
    size_t patterns = 0;
    int64_t budget = lack_limit(s);
    for (size_t i = left->begin[type]; any && i < left->end[type]; i++) {
        size_t at = s->list[i];
        if (pool->lack[at] > budget) {
            break;
        }
        patterns += pool->mask[at * pool->words + bit / 64] >> (bit % 64) & 1U;
    }
    duet_log_cover(s->log, s->prices, type, class, patterns);
    *verdict = DUET_REFUTED;
    duet_code code = DUET_OK;
    for (size_t i = left->begin[type];
         patterns > 0 && i < left->end[type] && code == DUET_OK && *verdict != DUET_FOUND; i++) {
        size_t at = s->list[i];
        if (pool->lack[at] > budget || s->stopped) {
            break;
        }
        if ((pool->mask[at * pool->words + bit / 64] >> (bit % 64) & 1U) == 0) {
            continue;
        }
        mark place = here(s);
        duet_verdict child = DUET_OPEN;
        code = apply(s, type, at, error);
        if (code == DUET_OK) {
            code = node(s, left, &child, error);
        }
        *verdict = join(*verdict, child);
        if (*verdict != DUET_FOUND) {
            back_to(s, &place);
        }
    }
    if (s->stopped && *verdict == DUET_REFUTED) {
        *verdict = DUET_OPEN;
    }
    return code;
}

// Whether a type may get a class at all within the budget, where it is priced by area.
static bool affordable(const cover *s, size_t class, size_t type)
{
    duet_remainder *state = s->state;
    if (duet_remainder_most(state, class, type) == 0) {
        return false;
    }
    duet_int128 now = duet_remainder_worth(state, s->prices, class);
    duet_int128 cpu = s->prices->price[0][class];
    duet_int128 gpu = s->prices->price[1][class];
    duet_int128 all =
        type == 1 ? cpu * state->low[class] + gpu * (state->left[class] - state->low[class])
                  : cpu * state->high[class] + gpu * (state->left[class] - state->high[class]);
    return all - now <= s->budget;
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
            if (duet_remainder_most(s->state, c, t) == 0) {
                continue;
            }
            if (s->pooled[t]) {
                ways += s->ways[t][c];
                patterned = true;
            } else if (duet_remainder_least(s->state, c, 1 - t) == 0) {
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

// The items of one type: every task that it may get.
static void list_items(const duet_classes *classes, const duet_remainder *state, size_t type,
                       duet_packing *packing, uint32_t *class)
{
    size_t at = 0;
    for (size_t c = 0; c < classes->count; c++) {
        int64_t tasks = duet_remainder_most(state, c, type);
        for (int64_t j = 0; j < tasks; j++) {
            class[at] = (uint32_t)c;
            packing->time[at++] = classes->time[type][c];
        }
    }
}

static duet_code push_machine(const duet_packing *packing, size_t machine, const uint32_t *class,
                              size_t type, duet_loads *loads, duet_error *error)
{
    duet_code code = duet_loads_push(loads, type, NULL, 0, error);
    for (size_t j = packing->first[machine]; j != SIZE_MAX && code == DUET_OK;
         j = packing->next[j]) {
        code = duet_loads_add(loads, class[j], error);
    }
    return code;
}

// Levels the items of a type towards a target; the loads grow by them where they reach it, or
// anyhow.
static duet_code level(const duet_classes *classes, const duet_remainder *state, size_t type,
                       int64_t target, bool anyhow, int64_t effort, duet_random *random,
                       const duet_context *context, duet_loads *loads, bool *fits,
                       duet_error *error)
{
    size_t items = 0;
    for (size_t c = 0; c < classes->count; c++) {
        items += (size_t)duet_remainder_most(state, c, type);
    }
    *fits = items == 0;
    if (items == 0 || state->machines[type] == 0) {
        return DUET_OK;
    }
    size_t machines = (size_t)state->machines[type];
    duet_packing packing;
    duet_code code =
        duet_packing_create(items, machines < items ? machines : items, &packing, error);
    if (code != DUET_OK) {
        return code;
    }
    uint32_t *class = duet_alloc(items, sizeof *class, error);
    code = class == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        list_items(classes, state, type, &packing, class);
        code = duet_packing_longest_first(&packing, error);
    }
    if (code == DUET_OK) {
        *fits = duet_packing_level(&packing, target, effort, random, context) <= target;
    }
    if (code == DUET_OK && !*fits && !anyhow) {
        bool filled = false;
        code = duet_packing_fill(&packing, target, effort, random, context, &filled, error);
        *fits = filled;
    }
    for (size_t i = 0; i < packing.machines && code == DUET_OK && (*fits || anyhow); i++) {
        code = push_machine(&packing, i, class, type, loads, error);
    }
    free(class);
    duet_packing_free(&packing);
    return code;
}

duet_code duet_cover_pack(const duet_classes *classes, const duet_remainder *state, size_t type,
                          int64_t effort, duet_random *random, const duet_context *context,
                          duet_loads *loads, bool *fits, duet_error *error)
{
    return level(classes, state, type, classes->capacity[type], false, effort, random, context,
                 loads, fits, error);
}

duet_code duet_cover_level(const duet_classes *classes, const duet_remainder *state, size_t type,
                           int64_t target, int64_t effort, duet_random *random,
                           const duet_context *context, duet_loads *loads, duet_error *error)
{
    bool fits;
    return level(classes, state, type, target, true, effort, random, context, loads, &fits, error);
}

// Of a copy for a search within the search: its arrays are its own, the originals stay.
static void forget_arrays(cover *s)
{
    s->list = NULL;
    s->undone = NULL;
    s->forced = NULL;
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
    cover rest = *s;
    rest.prices = s->load[type];
    rest.pooled[type] = true;
    rest.pooled[1 - type] = false;
    rest.partial = false;
    forget_arrays(&rest);
    code = search(&rest, verdict, error);
    s->stopped = s->stopped || s->stats->nodes >= s->node_limit;
    return code;
}

static duet_code branch(cover *s, const left_over *left, size_t class, duet_verdict *verdict,
                        duet_error *error)
{
    const duet_remainder *state = s->state;
    int64_t tasks = state->left[class];
    int64_t high = state->high[class];
    if (state->low[class] > 0 && s->pooled[0]) {
        return cover_class(s, left, 0, class, verdict, error);
    }
    if (tasks - high > 0 && s->pooled[1]) {
        return cover_class(s, left, 1, class, verdict, error);
    }
    // Either no CPU gets one, or some CPU does.
    mark place = here(s);
    duet_verdict first = DUET_OPEN;
    duet_verdict second = DUET_REFUTED;
    duet_log_branch(s->log, class, s->pooled[0] ? 0 : tasks - 1);
    duet_code code = s->pooled[0] ? change(s, class, tasks, state->low[class], 0, error)
                                  : change(s, class, tasks, state->low[class], tasks - 1, error);
    if (code == DUET_OK) {
        code = s->pooled[0] ? node(s, left, &first, error)
                            : cover_class(s, left, 1, class, &first, error);
    }
    if (first != DUET_FOUND && code == DUET_OK) {
        back_to(s, &place);
        code = s->pooled[0] ? change(s, class, tasks, 1, high, error)
                            : change(s, class, tasks, tasks, high, error);
        if (code == DUET_OK) {
            code = s->pooled[0] ? cover_class(s, left, 0, class, &second, error)
                                : node(s, left, &second, error);
        }
        if (second != DUET_FOUND) {
            back_to(s, &place);
        }
    }
    *verdict = join(first, second);
    return code;
}

// A leaf, if prices or forced time alone refute what is left.
static bool refuted(cover *s)
{
    if (s->budget < 0) {
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

static duet_code expand(cover *s, const left_over *left, duet_verdict *verdict, duet_error *error)
{
    size_t before = s->forced_count;
    count_ways(s, left);
    int64_t fewest = 0;
    size_t class = choose_class(s, &fewest);
    if (class == SIZE_MAX) {
        return finish(s, verdict, error);
    }
    duet_code code = DUET_OK;
    if (fewest > 0) {
        code = force(s, error);
    }
    if (code == DUET_OK) {
        code = s->forced_count > before ? node(s, left, verdict, error)
                                        : branch(s, left, class, verdict, error);
    }
    while (s->forced_count > before) {
        size_t forced = s->forced[--s->forced_count];
        if (forced != SIZE_MAX) {
            duet_log_cover(s->log, s->prices, 0, forced, 0);
        }
    }
    return code;
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

static duet_code visit(cover *s, const left_over *parent, duet_verdict *verdict, duet_error *error)
{
    if (s->partial &&
        (s->state->machines[0] < s->until[0] || s->state->machines[1] < s->until[1])) {
        return search_rest(s, verdict, error);
    }
    size_t listed = s->listed;
    mark place = here(s);
    left_over left = {{0, 0}, {0, 0}};
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        left.begin[t] = s->listed;
        if (s->pooled[t]) {
            code = filter(s, t, parent->begin[t], parent->end[t], error);
        }
        left.end[t] = s->listed;
    }
    if (s->stopped) {
        *verdict = DUET_OPEN;
    } else if (code == DUET_OK) {
        code = expand(s, &left, verdict, error);
    }
    if (*verdict != DUET_FOUND) {
        back_to(s, &place);
    }
    s->listed = listed;
    return code;
}

static duet_code node(cover *s, const left_over *parent, duet_verdict *verdict, duet_error *error)
{
    *verdict = DUET_REFUTED;
    s->stats->nodes++;
    look(s, parent);
    if (refuted(s)) {
        return DUET_OK;
    }
    if (s->stopped || s->depth >= MAX_DEPTH) {
        *verdict = DUET_OPEN;
        return DUET_OK;
    }
    s->depth++;
    duet_code code = visit(s, parent, verdict, error);
    s->depth--;
    return code;
}

// Lists the patterns of a type within the budget, or the best of them where there are more than can
// be listed.
static duet_code enumerate(cover *s, size_t type, bool *any, duet_error *error)
{
    enum { longer = 4 };
    int64_t limit = s->prices->limit[type];
    int64_t budget = s->budget < limit ? (int64_t)s->budget : limit;
    bool complete = s->limits->complete;
    size_t most = (complete ? 1 : longer) * s->limits->patterns;
    duet_pool_status status;
    duet_code code =
        duet_pool_enumerate(s->classes, s->state, s->prices, type, budget, most, s->memory,
                            !complete, s->context, &s->pool[type], &status, error);
    s->memory -= s->pool[type].bytes;
    *any = status != DUET_POOL_TOO_MANY;
    s->partial = s->partial || status != DUET_POOL_COMPLETE;
    s->stats->patterns += s->pool[type].count;
    s->stats->nodes += LIST_NODES + (int64_t)s->pool[type].count / 64;
    return code;
}

// The first patterns of a type on the list: all of them, or so many that every class has its best
// ones, an equal number each.
static void choose_patterns(cover *s, size_t type)
{
    const duet_pool_patterns *pool = &s->pool[type];
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
            s->list[s->listed++] = (uint32_t)i;
            for (size_t p = pool->begin[i]; p < pool->begin[i + 1]; p++) {
                chosen[pool->part[p].class]++;
            }
        }
    }
    s->partial = s->partial || !all;
}

// What is left has fewer patterns: they are listed anew, with the budget that is left, for a share
// of the nodes.
static duet_code search_rest(cover *s, duet_verdict *verdict, duet_error *error)
{
    enum { share = 4, least = 600 };
    cover rest = *s;
    rest.partial = false;
    forget_arrays(&rest);
    int64_t nodes = (s->node_limit - s->stats->nodes) / share;
    rest.node_limit = s->stats->nodes + (nodes > least ? nodes : least);
    return search(&rest, verdict, error);
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
        s->list = duet_alloc(4 * total + 16, sizeof *s->list, error);
        s->list_room = 4 * total + 16;
        code = s->list == NULL ? DUET_E_MEMORY : DUET_OK;
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
    s->budget = duet_remainder_budget(s->classes, s->state, s->prices);
    memset(s->pool, 0, sizeof s->pool);
    memset(s->taken, 0, sizeof s->taken);
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2; t++) {
        s->load_budget[t] = duet_remainder_budget(s->classes, s->state, s->load[t]);
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
            s->until[t] = s->partial && s->pooled[t] ? s->state->machines[t] * 2 / 3 : 0;
        }
        mark place = here(s);
        code = node(s, &root, verdict, error);
        // The state is the caller's again; the loads of what was found stay.
        place.loads = s->loads->loads;
        place.parts = s->loads->parts;
        back_to(s, &place);
        if (s->partial && *verdict == DUET_REFUTED) {
            *verdict = DUET_OPEN;
        }
    }
    for (size_t t = 0; t < 2; t++) {
        duet_pool_patterns_free(&s->pool[t]);
        free(s->ways[t]);
    }
    free(s->list);
    free(s->undone);
    free(s->forced);
    return code;
}

duet_code duet_cover_search(const duet_classes *classes, duet_remainder *state, duet_prices *prices,
                            const bool pooled[2], const duet_cover_limits *limits,
                            duet_random *random, const duet_context *context, duet_log *proof,
                            duet_loads *loads, duet_cover_stats *stats, duet_verdict *verdict,
                            duet_error *error)
{
    static const int64_t weights[2][2] = {{1, 0}, {0, 1}};
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
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2 && code == DUET_OK; t++) {
        code = duet_prices_create(classes, &load[t], error);
        if (code == DUET_OK) {
            duet_prices_by_area(classes, weights[t], &load[t]);
        }
    }
    *verdict = DUET_OPEN;
    if (code == DUET_OK) {
        code = search(&s, verdict, error);
    }
    duet_prices_free(&load[0]);
    duet_prices_free(&load[1]);
    return code;
}

duet_code duet_cover_side(const duet_classes *classes, duet_remainder *state, size_t type,
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
