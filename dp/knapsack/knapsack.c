// SPDX-License-Identifier: Apache-2.0
#include "dp/knapsack/knapsack.h"

#include <stdlib.h>
#include <string.h>

#include "core/fraction.h"
#include "core/memory.h"

// States of all lists together, beyond which the answer is left open.
enum { MAX_STATES = 1000000 };

// A deal as far as it matters: the work of each type, classes not seen yet on their cheaper one.
typedef struct state {
    int64_t work[2];
} state;

// A class that the budget does not settle.
typedef struct free_class {
    size_t class;
    size_t cheaper;      // its cheaper type
    int64_t most;        // tasks that may leave it
    duet_int128 penalty; // of each
    int64_t row_term[2]; // work that later classes can still take off a type
} free_class;

// How many tasks of a class may leave their type from a state; none: most < least.
typedef struct span {
    int64_t least;
    int64_t most;
} span;

struct duet_knapsack {
    const duet_classes *classes;
    int64_t weight[2];
    duet_int128 capacity[2]; // of all processors of a type
    duet_int128 limit;       // of the weighted work
    free_class *free;
    size_t free_count;
    state *states; // the lists, one after another
    size_t count;
    size_t room;
    span *spans; // of the list that is being extended
    size_t span_room;
    size_t *begin;  // of the list after i classes
    int64_t *fixed; // a core: tasks of each class on the CPUs when its free ones are at home
};
typedef struct duet_knapsack knapsack;

static duet_int128 price(const knapsack *problem, size_t class, size_t type)
{
    return (duet_int128)problem->weight[type] * problem->classes->time[type][class];
}

static size_t cheaper_type(const knapsack *problem, size_t class)
{
    if (!duet_class_fits(problem->classes, class, 0)) {
        return 1;
    }
    if (!duet_class_fits(problem->classes, class, 1)) {
        return 0;
    }
    return price(problem, class, 1) < price(problem, class, 0);
}

// Few choices first, so that the long range of the last class meets the final limits.
static int by_choices(const void *left, const void *right)
{
    const free_class *a = left;
    const free_class *b = right;
    if (a->most != b->most) {
        return a->most < b->most ? -1 : 1;
    }
    return (a->class > b->class) - (a->class < b->class);
}

// Every class on its cheaper type; `*root` receives the work of that.
static void deal_cheapest(knapsack *problem, state *root)
{
    const duet_classes *classes = problem->classes;
    *root = (state){{0, 0}};
    problem->limit = 0;
    for (size_t t = 0; t < 2; t++) {
        problem->capacity[t] = (duet_int128)classes->processors[t] * classes->capacity[t];
        problem->limit += problem->capacity[t] * problem->weight[t];
    }
    for (size_t c = 0; c < classes->count; c++) {
        size_t cheaper = cheaper_type(problem, c);
        root->work[cheaper] += classes->time[cheaper][c] * classes->tasks[c];
    }
}

static duet_int128 weighted(const knapsack *problem, const state *s)
{
    return (duet_int128)problem->weight[0] * s->work[0] +
           (duet_int128)problem->weight[1] * s->work[1];
}

// What the later classes of the list can take off each type.
static void set_reliefs(knapsack *problem)
{
    int64_t row_term[2] = {0, 0};
    for (size_t i = problem->free_count; i-- > 0;) {
        free_class *f = &problem->free[i];
        memcpy(f->row_term, row_term, sizeof row_term);
        row_term[f->cheaper] += problem->classes->time[f->cheaper][f->class] * f->most;
    }
}

// The classes of which a task may leave its cheaper type within the budget.
static void find_free(knapsack *problem, duet_int128 slack)
{
    const duet_classes *classes = problem->classes;
    for (size_t c = 0; c < classes->count; c++) {
        if (!duet_class_fits(classes, c, 0) || !duet_class_fits(classes, c, 1)) {
            continue;
        }
        size_t cheaper = cheaper_type(problem, c);
        duet_int128 penalty = price(problem, c, 1 - cheaper) - price(problem, c, cheaper);
        duet_int128 most = penalty == 0 ? classes->tasks[c] : slack / penalty;
        if (most > 0) {
            int64_t tasks = most < classes->tasks[c] ? (int64_t)most : classes->tasks[c];
            problem->free[problem->free_count++] =
                (free_class){.class = c, .cheaper = cheaper, .most = tasks, .penalty = penalty};
        }
    }
    qsort(problem->free, problem->free_count, sizeof *problem->free, by_choices);
    set_reliefs(problem);
}

static int by_work(const void *left, const void *right)
{
    const state *a = left;
    const state *b = right;
    for (size_t t = 0; t < 2; t++) {
        if (a->work[t] != b->work[t]) {
            return a->work[t] < b->work[t] ? -1 : 1;
        }
    }
    return 0;
}

static int64_t clamp(duet_int128 value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : (int64_t)value;
}

// The numbers of tasks of a class that may leave their type from a state; false: none at all.
static bool range(const knapsack *problem, const free_class *f, const state *from, int64_t *least,
                  int64_t *most)
{
    const duet_classes *classes = problem->classes;
    size_t away = 1 - f->cheaper;
    duet_int128 over =
        from->work[f->cheaper] - f->row_term[f->cheaper] - problem->capacity[f->cheaper];
    duet_int128 room = problem->capacity[away] + f->row_term[away] - from->work[away];
    int64_t step = classes->time[f->cheaper][f->class];
    *least = over <= 0 ? 0 : clamp((over + step - 1) / step, 0, f->most + 1);
    if (room < 0) {
        return false;
    }
    *most = clamp(room / classes->time[away][f->class], 0, f->most);
    if (f->penalty > 0) {
        duet_int128 left = problem->limit - weighted(problem, from);
        *most = clamp(left / f->penalty, 0, *most);
    }
    return *least <= *most;
}

// Room for as many more states.
static duet_code reserve(knapsack *problem, size_t more, duet_error *error)
{
    while (problem->room - problem->count < more) {
        size_t room = 2 * problem->room + more;
        state *grown = duet_resize(problem->states, room, sizeof *grown, error);
        if (grown == NULL) {
            return DUET_E_MEMORY;
        }
        problem->states = grown;
        problem->room = room;
    }
    return DUET_OK;
}

// Drops from a sorted list of `count` states what another state is better than on both types;
// returns how many are left.
static size_t prune(state *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || list[i].work[1] < list[kept - 1].work[1]) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

// Merges two sorted lists into `to` and prunes; returns how many states are left.
static size_t merge(const state *left, size_t lefts, const state *right, size_t rights, state *to)
{
    const state *left_end = left + lefts;
    const state *right_end = right + rights;
    size_t kept = 0;
    while (left < left_end || right < right_end) {
        bool first = right == right_end || (left < left_end && by_work(left, right) <= 0);
        const state *next = first ? left++ : right++;
        if (kept == 0 || next->work[1] < to[kept - 1].work[1]) {
            to[kept++] = *next;
        }
    }
    return kept;
}

// One class: the work that each of its tasks moves, and the list that it extends.
typedef struct extension {
    const free_class *f;
    int64_t step[2];
    size_t begin, end;
    size_t count; // states that come of it
    int64_t most; // tasks that leave their type, of all states
} extension;

// Finds how many tasks may leave from every state, and what the extension makes of that. False in
// *within where it is too much.
static duet_code measure(knapsack *problem, extension *e, bool *within, duet_error *error)
{
    size_t states = e->end - e->begin;
    if (problem->span_room < states) {
        span *grown = duet_resize(problem->spans, 2 * states, sizeof *grown, error);
        if (grown == NULL) {
            return DUET_E_MEMORY;
        }
        problem->spans = grown;
        problem->span_room = 2 * states;
    }
    *within = false;
    for (size_t i = 0; i < states; i++) {
        span *s = &problem->spans[i];
        if (!range(problem, e->f, &problem->states[e->begin + i], &s->least, &s->most)) {
            *s = (span){0, -1};
            continue;
        }
        if ((uint64_t)(s->most - s->least) >= MAX_STATES || e->end + e->count > MAX_STATES) {
            return DUET_OK;
        }
        e->count += (size_t)(s->most - s->least) + 1;
        e->most = s->most > e->most ? s->most : e->most;
    }
    *within = true;
    return DUET_OK;
}

static void append(knapsack *problem, const extension *e, size_t from, int64_t tasks)
{
    state next = problem->states[e->begin + from];
    next.work[0] += e->step[0] * tasks;
    next.work[1] += e->step[1] * tasks;
    problem->states[problem->count++] = next;
}

// Tasks that leave their type at once, up to which merging is faster than sorting.
enum { FEW = 64 };

// With the same number of tasks leaving, states keep the order of the list that they come from: a
// sorted list for each number, and these are merged two by two, back and forth between their place
// and the room behind it.
static void extend_by_merging(knapsack *problem, const extension *e)
{
    size_t length[FEW + 1] = {0};
    size_t lists = (size_t)e->most + 1;
    for (size_t y = 0; y < lists; y++) {
        size_t before = problem->count;
        for (size_t i = 0; i < e->end - e->begin; i++) {
            const span *s = &problem->spans[i];
            if (s->least <= (int64_t)y && (int64_t)y <= s->most) {
                append(problem, e, i, (int64_t)y);
            }
        }
        length[y] = prune(problem->states + before, problem->count - before);
        problem->count = before + length[y];
    }
    state *from = problem->states + e->end;
    state *to = from + e->count;
    for (; lists > 1; lists = (lists + 1) / 2) {
        size_t read = 0;
        size_t written = 0;
        for (size_t i = 0; i < lists; i += 2) {
            size_t second = i + 1 < lists ? length[i + 1] : 0;
            size_t kept =
                merge(from + read, length[i], from + read + length[i], second, to + written);
            read += length[i] + second;
            length[i / 2] = kept;
            written += kept;
        }
        state *other = from;
        from = to;
        to = other;
    }
    memmove(problem->states + e->end, from, length[0] * sizeof *from);
    problem->count = e->end + length[0];
}

static void extend_by_sorting(knapsack *problem, const extension *e)
{
    for (size_t i = 0; i < e->end - e->begin; i++) {
        for (int64_t y = problem->spans[i].least; y <= problem->spans[i].most; y++) {
            append(problem, e, i, y);
        }
    }
    state *list = problem->states + e->end;
    qsort(list, problem->count - e->end, sizeof *list, by_work);
    problem->count = e->end + prune(list, problem->count - e->end);
}

// The list after one more class. False in *within where there are too many states.
static duet_code extend(knapsack *problem, size_t index, bool *within, duet_error *error)
{
    const free_class *f = &problem->free[index];
    extension e = {.f = f, .begin = problem->begin[index], .end = problem->count};
    e.step[f->cheaper] = -problem->classes->time[f->cheaper][f->class];
    e.step[1 - f->cheaper] = problem->classes->time[1 - f->cheaper][f->class];
    duet_code code = measure(problem, &e, within, error);
    if (code == DUET_OK && *within) {
        code = reserve(problem, 2 * e.count, error);
    }
    if (code != DUET_OK || !*within) {
        return code;
    }
    if (e.most <= FEW) {
        extend_by_merging(problem, &e);
    } else {
        extend_by_sorting(problem, &e);
    }
    problem->begin[index + 1] = e.end;
    return DUET_OK;
}

static int64_t length_of(const knapsack *problem, const state *s)
{
    int64_t longest = 0;
    for (size_t t = 0; t < 2; t++) {
        int64_t processors = problem->classes->processors[t];
        if (processors > 0) {
            int64_t guess = s->work[t] / processors + (s->work[t] % processors != 0);
            longest = guess > longest ? guess : longest;
        }
    }
    return longest;
}

static bool in_list(const knapsack *problem, size_t begin, size_t end, const state *wanted)
{
    return bsearch(wanted, problem->states + begin, end - begin, sizeof *wanted, by_work) != NULL;
}

// Tasks of a class on the CPUs when none has left its type.
static int64_t at_home(const knapsack *problem, size_t class)
{
    if (problem->fixed != NULL) {
        return problem->fixed[class];
    }
    return cheaper_type(problem, class) == 0 ? problem->classes->tasks[class] : 0;
}

// Walks back through the lists from a final state.
static void trace(const knapsack *problem, state at, int64_t *on_cpu)
{
    const duet_classes *classes = problem->classes;
    for (size_t c = 0; c < classes->count; c++) {
        on_cpu[c] = at_home(problem, c);
    }
    for (size_t i = problem->free_count; i-- > 0;) {
        const free_class *f = &problem->free[i];
        size_t away = 1 - f->cheaper;
        for (int64_t y = 0; y <= f->most; y++) {
            state before = at;
            before.work[f->cheaper] += classes->time[f->cheaper][f->class] * y;
            before.work[away] -= classes->time[away][f->class] * y;
            if (in_list(problem, problem->begin[i], problem->begin[i + 1], &before)) {
                on_cpu[f->class] += f->cheaper == 0 ? -y : y;
                at = before;
                break;
            }
        }
    }
}

// The best state of the last list.
static void conclude(const knapsack *problem, int64_t *on_cpu, duet_knapsack_answer *answer)
{
    const state *best = NULL;
    for (size_t i = problem->begin[problem->free_count]; i < problem->count; i++) {
        const state *s = &problem->states[i];
        if (s->work[0] > problem->capacity[0] || s->work[1] > problem->capacity[1]) {
            continue;
        }
        if (best == NULL || length_of(problem, s) < length_of(problem, best)) {
            best = s;
        }
    }
    answer->fits = best != NULL;
    if (best != NULL) {
        answer->guess = length_of(problem, best);
        if (on_cpu != NULL) {
            trace(problem, *best, on_cpu);
        }
    }
}

static duet_code run_lists(knapsack *problem, const state *root, int64_t *on_cpu,
                           duet_knapsack_answer *answer, duet_error *error)
{
    duet_code code = reserve(problem, 1, error);
    if (code != DUET_OK) {
        return code;
    }
    problem->states[problem->count++] = *root;
    bool within = true;
    for (size_t i = 0; i < problem->free_count && code == DUET_OK && within; i++) {
        code = extend(problem, i, &within, error);
    }
    answer->states = problem->count;
    answer->exceeded = !within;
    if (code == DUET_OK && within) {
        conclude(problem, on_cpu, answer);
    }
    return code;
}

void duet_knapsack_free_lists(duet_knapsack *problem)
{
    if (problem != NULL) {
        duet_free(problem->free);
        duet_free(problem->begin);
        duet_free(problem->states);
        duet_free(problem->spans);
        duet_free(problem->fixed);
        duet_free(problem);
    }
}

static duet_code solve(const duet_classes *classes, const int64_t weight[2], int64_t *on_cpu,
                       knapsack *problem, duet_knapsack_answer *answer, duet_error *error)
{
    state root;
    problem->classes = classes;
    problem->weight[0] = weight[0];
    problem->weight[1] = weight[1];
    deal_cheapest(problem, &root);
    duet_int128 slack = problem->limit - weighted(problem, &root);
    if (slack < 0) {
        return DUET_OK;
    }
    problem->free = duet_alloc(classes->count, sizeof *problem->free, error);
    problem->begin = duet_alloc(classes->count + 1, sizeof *problem->begin, error);
    if (problem->free == NULL || problem->begin == NULL) {
        return DUET_E_MEMORY;
    }
    find_free(problem, slack);
    return run_lists(problem, &root, on_cpu, answer, error);
}

static duet_code create(const duet_classes *classes, const int64_t weight[2], int64_t *on_cpu,
                        duet_knapsack **out, duet_knapsack_answer *answer, duet_error *error)
{
    *out = NULL;
    *answer = (duet_knapsack_answer){.fits = false};
    if (classes->nowhere != SIZE_MAX) {
        return DUET_OK;
    }
    knapsack *problem = duet_alloc(1, sizeof *problem, error);
    if (problem == NULL) {
        return DUET_E_MEMORY;
    }
    duet_code code = solve(classes, weight, on_cpu, problem, answer, error);
    if (code == DUET_OK && answer->fits) {
        *out = problem;
    } else {
        duet_knapsack_free_lists(problem);
    }
    return code;
}

duet_code duet_knapsack_create(const duet_classes *classes, const int64_t weight[2],
                               duet_knapsack **out, duet_knapsack_answer *answer, duet_error *error)
{
    return create(classes, weight, NULL, out, answer, error);
}

duet_code duet_knapsack_decide(const duet_classes *classes, const int64_t weight[2],
                               int64_t *on_cpu, duet_knapsack_answer *answer, duet_error *error)
{
    duet_knapsack *problem;
    duet_code code = create(classes, weight, on_cpu, &problem, answer, error);
    duet_knapsack_free_lists(problem);
    return code;
}

size_t duet_knapsack_free_count(const duet_knapsack *problem)
{
    return problem->free_count;
}

duet_knapsack_free duet_knapsack_free_at(const duet_knapsack *problem, size_t index)
{
    const free_class *f = &problem->free[index];
    return (duet_knapsack_free){f->class, f->cheaper, f->most};
}

// In a list the work of one type grows as that of the other falls: of the states whose CPU work
// fits, the last has the least GPU work.
bool duet_knapsack_can_fit(const duet_knapsack *problem, size_t index, const int64_t work[2])
{
    size_t low = problem->begin[index];
    size_t end = index < problem->free_count ? problem->begin[index + 1] : problem->count;
    size_t high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((duet_int128)problem->states[middle].work[0] + work[0] <= problem->capacity[0]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > problem->begin[index] &&
           (duet_int128)problem->states[low - 1].work[1] + work[1] <= problem->capacity[1];
}

// Deals the free classes in a random order: to their other type while that is short of work, so
// that both types end about as loaded. `order` has their indices.
static void balance(knapsack *problem, const size_t *order, state *root)
{
    const duet_classes *classes = problem->classes;
    for (size_t i = 0; i < problem->free_count; i++) {
        const free_class *f = &problem->free[order[i]];
        size_t away = 1 - f->cheaper;
        duet_int128 over = root->work[f->cheaper] - problem->capacity[f->cheaper];
        duet_int128 room = problem->capacity[away] - root->work[away];
        if (over <= 0 || room <= 0) {
            continue;
        }
        int64_t step = classes->time[f->cheaper][f->class];
        int64_t most = clamp(room / classes->time[away][f->class], 0, f->most);
        int64_t moved = clamp((over + step - 1) / step, 0, most);
        problem->fixed[f->class] += f->cheaper == 0 ? -moved : moved;
        root->work[f->cheaper] -= step * moved;
        root->work[away] += classes->time[away][f->class] * moved;
    }
}

// Keeps a few classes free, those whose tasks are all at home; the others stay as they were dealt.
static void keep_core(knapsack *problem, const size_t *order)
{
    enum { core = 20 };
    free_class chosen[core];
    size_t kept = 0;
    for (size_t i = problem->free_count; i-- > 0 && kept < core;) {
        const free_class *f = &problem->free[order[i]];
        int64_t cheaper = f->cheaper == 0 ? problem->classes->tasks[f->class] : 0;
        if (problem->fixed[f->class] == cheaper) {
            chosen[kept] = *f;
            chosen[kept].most = f->most < 2 ? f->most : 2;
            kept++;
        }
    }
    memcpy(problem->free, chosen, kept * sizeof *chosen);
    problem->free_count = kept;
    set_reliefs(problem);
}

static duet_code solve_core(knapsack *problem, duet_random *random, int64_t *on_cpu,
                            duet_knapsack_answer *answer, duet_error *error)
{
    const duet_classes *classes = problem->classes;
    state root;
    deal_cheapest(problem, &root);
    duet_int128 slack = problem->limit - weighted(problem, &root);
    problem->free = duet_alloc(classes->count, sizeof *problem->free, error);
    problem->begin = duet_alloc(classes->count + 1, sizeof *problem->begin, error);
    problem->fixed = duet_alloc(classes->count, sizeof *problem->fixed, error);
    size_t *order = duet_alloc(classes->count, sizeof *order, error);
    duet_code code = DUET_E_MEMORY;
    if (problem->free != NULL && problem->begin != NULL && problem->fixed != NULL &&
        order != NULL) {
        code = DUET_OK;
        for (size_t c = 0; c < classes->count; c++) {
            problem->fixed[c] = cheaper_type(problem, c) == 0 ? classes->tasks[c] : 0;
        }
        if (slack >= 0) {
            find_free(problem, slack);
            for (size_t i = 0; i < problem->free_count; i++) {
                size_t at = (size_t)duet_random_between(random, 0, (int64_t)i);
                order[i] = order[at];
                order[at] = i;
            }
            balance(problem, order, &root);
            keep_core(problem, order);
            code = run_lists(problem, &root, on_cpu, answer, error);
        }
    }
    duet_free(order);
    return code;
}

duet_code duet_knapsack_core(const duet_classes *classes, const int64_t weight[2],
                             duet_random *random, int64_t *on_cpu, duet_knapsack_answer *answer,
                             duet_error *error)
{
    *answer = (duet_knapsack_answer){.fits = false};
    if (classes->nowhere != SIZE_MAX) {
        return DUET_OK;
    }
    knapsack *problem = duet_alloc(1, sizeof *problem, error);
    if (problem == NULL) {
        return DUET_E_MEMORY;
    }
    problem->classes = classes;
    problem->weight[0] = weight[0];
    problem->weight[1] = weight[1];
    duet_code code = solve_core(problem, random, on_cpu, answer, error);
    duet_knapsack_free_lists(problem);
    return code;
}
