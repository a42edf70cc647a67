// SPDX-License-Identifier: Apache-2.0
// Moves of annealing on allocations, and when they are accepted; allocation_anneal.h has the
// method.
#include "heuristics/graph_search/allocation_anneal.h"

#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/try.h"
#include "heuristics/improve/cooling.h"

enum { MOST_CHANGES = 3 };

// --- classes -------------------------------------------------------------------------------------

// The type on which a task is shortest, the last of equal ones, and its least time elsewhere;
// DUET_FORBIDDEN: it may run nowhere else.
static size_t find_home(const duet_graph_search_model *model, int32_t task, int64_t *elsewhere)
{
    size_t home = SIZE_MAX;
    int64_t least = 0;
    *elsewhere = DUET_FORBIDDEN;
    for (size_t t = 0; t < model->types; t++) {
        if (!duet_graph_search_model_allows(model, task, t)) {
            continue;
        }
        int64_t time = duet_graph_search_model_time(model, task, t);
        bool shorter = home == SIZE_MAX || time <= least;
        int64_t longer = shorter ? least : time;
        if (home != SIZE_MAX && (*elsewhere == DUET_FORBIDDEN || longer < *elsewhere)) {
            *elsewhere = longer;
        }
        least = shorter ? time : least;
        home = shorter ? t : home;
    }
    DUET_ASSERT(home != SIZE_MAX);
    return home;
}

// Two classes an octave: how many times as long a task takes elsewhere.
static int32_t class_of(int64_t at_home, int64_t elsewhere)
{
    duet_uint128 octave = (duet_uint128)duet_max(at_home, 1);
    duet_uint128 other = (duet_uint128)elsewhere;
    int32_t class = 0;
    for (; 2 * octave <= other; octave *= 2) {
        class += 2;
    }
    class += 3 * octave <= 2 * other;
    return duet_min(class, DUET_ALLOCATION_CLASSES - 1);
}

// Sorts the tasks that have a choice by their classes.
static void classify(duet_graph_allocation_annealer *a)
{
    const duet_graph_search_model *model = a->model;
    int32_t *at = a->class_at;
    for (int32_t j = 0; j < model->tasks; j++) {
        int64_t elsewhere;
        size_t home = find_home(model, j, &elsewhere);
        a->home[j] = (uint8_t)home;
        a->place[j] = -1;
        a->class[j] = DUET_ALLOCATION_CLASSES;
        if (elsewhere != DUET_FORBIDDEN) {
            int64_t time = duet_graph_search_model_time(model, j, home);
            a->class[j] = (uint8_t)class_of(time, elsewhere);
            at[a->class[j] + 1]++;
        }
    }
    for (int32_t c = 0; c < DUET_ALLOCATION_CLASSES; c++) {
        if (at[c + 1] > 0) {
            a->used[a->used_count++] = c;
        }
        at[c + 1] += at[c];
    }
    int32_t next[DUET_ALLOCATION_CLASSES];
    memcpy(next, at, sizeof next);
    for (int32_t j = 0; j < model->tasks; j++) {
        if (a->class[j] < DUET_ALLOCATION_CLASSES) {
            a->member[next[a->class[j]]++] = j;
        }
    }
}

// The type other than its home on which a task is shortest.
static size_t find_away(const duet_graph_search_model *model, int32_t task, size_t home)
{
    size_t best = home;
    for (size_t t = 0; t < model->types; t++) {
        bool able = t != home && duet_graph_search_model_allows(model, task, t);
        if (able && (best == home || duet_graph_search_model_time(model, task, t) <
                                         duet_graph_search_model_time(model, task, best))) {
            best = t;
        }
    }
    return best;
}

// The time of a task on a type as work of each of its processors.
static double on_each(const duet_graph_search_model *model, int32_t task, size_t type)
{
    return (double)duet_graph_search_model_time(model, task, type) /
           (model->begin[type + 1] - model->begin[type]);
}

// Tasks go away one by one, those of low classes first, as long as their home is left with more
// work a processor than where they go. The class of the first one that stays is where allocations
// differ most.
static void find_marginal(duet_graph_allocation_annealer *a)
{
    const duet_graph_search_model *model = a->model;
    double load[DUET_MAX_TYPES] = {0};
    for (int32_t j = 0; j < model->tasks; j++) {
        load[a->home[j]] += (double)duet_graph_search_model_time(model, j, a->home[j]);
    }
    for (size_t t = 0; t < model->types; t++) {
        load[t] /= duet_max(model->begin[t + 1] - model->begin[t], 1);
    }
    bool goes = true;
    for (int32_t i = 0; i < a->class_at[DUET_ALLOCATION_CLASSES] && goes; i++) {
        int32_t task = a->member[i];
        size_t home = a->home[task];
        size_t away = find_away(model, task, home);
        double least = load[home] - on_each(model, task, home);
        double more = load[away] + on_each(model, task, away);
        goes = more <= least;
        load[home] = least;
        load[away] = more;
        a->marginal = a->class[task];
    }
}

duet_code duet_graph_allocation_annealer_create(const duet_graph_search_model *model, uint64_t seed,
                                                duet_graph_allocation_annealer *annealer,
                                                duet_error *error)
{
    duet_graph_allocation_annealer *a = annealer;
    size_t tasks = (size_t)model->tasks;
    *a = (duet_graph_allocation_annealer){.model = model, .best = INT64_MAX};
    duet_random_seed(&a->random, seed);
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(a->home, tasks),      DUET_ARENA_ARRAY(a->class, tasks),
        DUET_ARENA_ARRAY(a->member, tasks),    DUET_ARENA_ARRAY(a->away, tasks),
        DUET_ARENA_ARRAY(a->place, tasks),     DUET_ARENA_ARRAY(a->start, tasks),
        DUET_ARENA_ARRAY(a->best_type, tasks), DUET_ARENA_ARRAY(a->best_start, tasks)};
    duet_code code = duet_graph_allocation_create(model, &a->allocation, error);
    DUET_THEN(code, duet_arena_create(&a->arena, arrays, sizeof arrays / sizeof *arrays, error));
    if (code == DUET_OK) {
        classify(a);
        find_marginal(a);
    }
    return code;
}

void duet_graph_allocation_annealer_free(duet_graph_allocation_annealer *annealer)
{
    duet_graph_allocation_free(&annealer->allocation);
    duet_arena_free(&annealer->arena);
    *annealer = (duet_graph_allocation_annealer){.model = NULL};
}

bool duet_graph_allocation_annealer_loses_much(const duet_graph_allocation_annealer *annealer)
{
    const int32_t *at = annealer->class_at;
    return at[DUET_ALLOCATION_CLASSES] - at[DUET_ALLOCATION_MUCH] >= annealer->model->tasks / 2;
}

// --- the schedule of the walk --------------------------------------------------------------------

static bool has_choice(const duet_graph_allocation_annealer *a, int32_t task)
{
    return a->class[task] < DUET_ALLOCATION_CLASSES;
}

static void note_away(duet_graph_allocation_annealer *a, int32_t task)
{
    bool away = has_choice(a, task) && a->allocation.type[task] != a->home[task];
    int32_t place = a->place[task];
    if (away && place < 0) {
        a->place[task] = a->away_count;
        a->away[a->away_count++] = task;
    } else if (!away && place >= 0) {
        int32_t last = a->away[--a->away_count];
        a->away[place] = last;
        a->place[last] = place;
        a->place[task] = -1;
    }
}

static void move(duet_graph_allocation_annealer *a, int32_t task, size_t type)
{
    duet_graph_allocation_move(&a->allocation, task, type);
    note_away(a, task);
}

static void count_work(duet_graph_allocation_annealer *a)
{
    a->work += DUET_ALLOCATION_TASK_WORK * a->allocation.placed +
               a->allocation.looked / DUET_ALLOCATION_TASKS_A_LEVEL + 1;
}

// Takes the evaluated allocation.
static void take(duet_graph_allocation_annealer *a, int64_t makespan)
{
    int64_t *start = a->start;
    a->start = a->allocation.start;
    a->allocation.start = start;
    a->makespan = makespan;
    if (makespan < a->best) {
        size_t tasks = (size_t)a->model->tasks;
        a->best = makespan;
        memcpy(a->best_type, a->allocation.type, tasks * sizeof *a->best_type);
        memcpy(a->best_start, a->start, tasks * sizeof *a->best_start);
    }
}

// Sets all types and evaluates them; they stay only if the makespan is below that of the walk.
static bool begin_with(duet_graph_allocation_annealer *a, const uint8_t *type)
{
    duet_graph_allocation_set(&a->allocation, type);
    int64_t most = duet_min(a->makespan - 1, DUET_ALLOCATION_MOST);
    int64_t makespan = duet_graph_allocation_evaluate(&a->allocation, most);
    count_work(a);
    if (makespan < INT64_MAX) {
        take(a, makespan);
    }
    return makespan < INT64_MAX;
}

void duet_graph_allocation_annealer_begin(duet_graph_allocation_annealer *annealer,
                                          const duet_graph_search_model *model,
                                          const int32_t *order, const uint8_t *type)
{
    duet_graph_allocation_annealer *a = annealer;
    a->model = model;
    a->best = INT64_MAX;
    a->makespan = INT64_MAX;
    a->under_way = true;
    a->first_work = a->work;
    a->first_ns = duet_clock_ns();
    duet_graph_allocation_set_model(&a->allocation, model, order);
    bool fresh = type == NULL || !begin_with(a, type);
    if (!begin_with(a, a->home) && !fresh) {
        duet_graph_allocation_set(&a->allocation, type);
    }
    for (int32_t j = 0; j < model->tasks; j++) {
        note_away(a, j);
    }
}

void duet_graph_allocation_annealer_adopt(duet_graph_allocation_annealer *annealer,
                                          const duet_graph_allocation_annealer *from)
{
    duet_graph_allocation_set(&annealer->allocation, from->allocation.type);
    memcpy(annealer->allocation.start, from->start,
           (size_t)annealer->model->tasks * sizeof *from->start);
    take(annealer, from->makespan);
    for (int32_t j = 0; j < annealer->model->tasks; j++) {
        note_away(annealer, j);
    }
}

// --- moves ---------------------------------------------------------------------------------------

typedef struct change {
    int32_t task[MOST_CHANGES];
    uint8_t old[MOST_CHANGES];
    int32_t count;
} change;

static bool happens(duet_graph_allocation_annealer *a, int32_t percent)
{
    return duet_random_happens(&a->random, percent);
}

static void change_to(duet_graph_allocation_annealer *a, change *c, int32_t task, size_t type)
{
    c->task[c->count] = task;
    c->old[c->count++] = a->allocation.type[task];
    move(a, task, type);
}

static void undo(duet_graph_allocation_annealer *a, const change *c)
{
    for (int32_t i = c->count; i-- > 0;) {
        move(a, c->task[i], c->old[i]);
    }
}

static int32_t draw_of_class(duet_graph_allocation_annealer *a, int32_t class)
{
    int32_t first = a->class_at[class];
    return a->member[first + duet_random_below(&a->random, a->class_at[class + 1] - first)];
}

// Any task that has a choice. Each class is as likely as another, however few tasks it has: the
// largest ones often lose most away from home.
static int32_t draw(duet_graph_allocation_annealer *a)
{
    return happens(a, DUET_ALLOCATION_MARGINAL_PERCENT)
               ? draw_of_class(a, a->marginal)
               : draw_of_class(a, a->used[duet_random_below(&a->random, a->used_count)]);
}

static int64_t apart(const duet_graph_allocation_annealer *a, int32_t one, int32_t other)
{
    int64_t later = a->start[one] - a->start[other];
    return later < 0 ? -later : later;
}

static void propose_flip(duet_graph_allocation_annealer *a, change *c)
{
    int32_t task = draw(a);
    size_t other =
        duet_graph_search_model_other_type(a->model, &a->random, task, a->allocation.type[task]);
    if (other != a->allocation.type[task]) {
        change_to(a, c, task, other);
    }
}

// Of some tasks of a class that are at home, the one that starts nearest to when `like` does; -1:
// none was drawn.
static int32_t find_near(duet_graph_allocation_annealer *a, int32_t class, int32_t like,
                         size_t type, int32_t draws)
{
    int32_t best = -1;
    for (int32_t i = 0; i < draws; i++) {
        int32_t task = draw_of_class(a, class);
        bool able = task != like && a->place[task] < 0 && type != a->home[task] &&
                    duet_graph_search_model_allows(a->model, task, type);
        if (able && (best < 0 || apart(a, task, like) < apart(a, best, like))) {
            best = task;
        }
    }
    return best;
}

// The first task of a class at home on a random walk along or against the edges; -1: none is near.
static int32_t find_linked(duet_graph_allocation_annealer *a, int32_t class, int32_t task,
                           size_t type)
{
    const duet_graph_search_model *model = a->model;
    bool back = happens(a, 50);
    const int32_t *at = back ? model->before_at : model->behind_at;
    const int32_t *next = back ? model->before : model->behind;
    for (int i = 0; i < DUET_ALLOCATION_STEPS && at[task] < at[task + 1]; i++) {
        task = next[at[task] + duet_random_below(&a->random, at[task + 1] - at[task])];
        if (a->class[task] == class && a->place[task] < 0 && type != a->home[task] &&
            duet_graph_search_model_allows(model, task, type)) {
            return task;
        }
    }
    return -1;
}

// One comes home, and another goes where it was.
static void propose_swap(duet_graph_allocation_annealer *a, change *c)
{
    int32_t task = a->away[duet_random_below(&a->random, a->away_count)];
    size_t type = a->allocation.type[task];
    int32_t class = happens(a, DUET_ALLOCATION_SAME_CLASS_PERCENT) ? a->class[task] : a->marginal;
    int32_t draws = happens(a, DUET_ALLOCATION_NEAR_PERCENT) ? DUET_ALLOCATION_DRAWS : 1;
    int32_t other =
        happens(a, DUET_ALLOCATION_LINKED_PERCENT) ? find_linked(a, class, task, type) : -1;
    other = other < 0 ? find_near(a, class, task, type, draws) : other;
    change_to(a, c, task, a->home[task]);
    if (other >= 0) {
        change_to(a, c, other, type);
    }
}

// One or two come home that lose much where they are, and one that loses less goes there.
static void propose_trade(duet_graph_allocation_annealer *a, change *c)
{
    int32_t task = a->away[duet_random_below(&a->random, a->away_count)];
    for (int32_t i = 1; i < DUET_ALLOCATION_RIVALS; i++) {
        int32_t rival = a->away[duet_random_below(&a->random, a->away_count)];
        task = a->class[rival] > a->class[task] ? rival : task;
    }
    size_t type = a->allocation.type[task];
    int32_t lower = 0;
    while (lower < a->used_count && a->used[lower] < a->class[task]) {
        lower++;
    }
    int32_t other = -1;
    if (lower > 0) {
        int32_t class = a->marginal < a->class[task]
                            ? a->marginal
                            : a->used[duet_random_below(&a->random, lower)];
        other = find_near(a, class, task, type, DUET_ALLOCATION_DRAWS);
    }
    int32_t second = -1;
    for (int32_t i = 0; i < DUET_ALLOCATION_DRAWS && happens(a, DUET_ALLOCATION_TWO_PERCENT); i++) {
        int32_t near = a->away[duet_random_below(&a->random, a->away_count)];
        if (near != task && a->class[near] >= a->class[task] && a->allocation.type[near] == type &&
            (second < 0 || apart(a, near, task) < apart(a, second, task))) {
            second = near;
        }
    }
    change_to(a, c, task, a->home[task]);
    if (second >= 0) {
        change_to(a, c, second, a->home[second]);
    }
    if (other >= 0) {
        change_to(a, c, other, type);
    }
}

static void propose(duet_graph_allocation_annealer *a, double temperature)
{
    change c = {.count = 0};
    int32_t roll = duet_random_percent(&a->random);
    if (roll < DUET_ALLOCATION_FLIP_PERCENT || a->away_count == 0) {
        propose_flip(a, &c);
    } else if (roll < DUET_ALLOCATION_FLIP_PERCENT + DUET_ALLOCATION_SWAP_PERCENT) {
        propose_swap(a, &c);
    } else {
        propose_trade(a, &c);
    }
    a->moves++;
    a->work++;
    if (c.count == 0) {
        return;
    }
    double more = duet_cooling_threshold(temperature, &a->random);
    int64_t room = DUET_ALLOCATION_MOST - a->makespan;
    int64_t most = a->makespan + (more < (double)room ? (int64_t)more : room);
    int64_t makespan = duet_graph_allocation_evaluate(&a->allocation, most);
    count_work(a);
    if (makespan < INT64_MAX) {
        take(a, makespan);
        duet_graph_allocation_keep(&a->allocation);
        a->work += a->model->tasks / DUET_ALLOCATION_TASKS_A_LEVEL;
    } else {
        undo(a, &c);
    }
}

// --- cooling -------------------------------------------------------------------------------------

void duet_graph_allocation_annealer_run(duet_graph_allocation_annealer *annealer,
                                        const duet_context *context,
                                        const duet_graph_search_cooling *cooling)
{
    duet_graph_allocation_annealer *a = annealer;
    int64_t begin = a->work;
    double over = duet_graph_search_cooling_over(cooling, a->work - a->first_work, a->first_ns);
    while (a->makespan < INT64_MAX && a->used_count > 0 && over < 1.0 &&
           a->best > cooling->shortest && !duet_context_stop(context)) {
        if (a->work - begin >= cooling->slice) {
            return;
        }
        double temperature =
            duet_cooling_temperature(cooling->hot * (double)a->best, cooling->cold, over);
        int64_t rest = cooling->slice - (a->work - begin);
        int64_t next = a->work + duet_min(rest, DUET_ANNEAL_LOOK_WORK);
        for (int i = 0; i < DUET_ANNEAL_LOOK_MOVES && a->work < next; i++) {
            propose(a, temperature);
        }
        over = duet_graph_search_cooling_over(cooling, a->work - a->first_work, a->first_ns);
    }
    a->under_way = false;
}
