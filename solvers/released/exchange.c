// SPDX-License-Identifier: Apache-2.0
// Independent tasks with releases move between processors.
//
// Method:    threshold accepting. A processor runs its tasks in the order of their releases, which
//            is best for one processor. A move takes a task of a processor that ends after the
//            makespan that is wanted, or of any, to another one, or swaps it with one of that. It
//            is taken where what the two end too late grows by no more than a number drawn up to
//            the threshold, which falls to 0. Now and then all tasks of two or three processors are
//            divided among them anew, depth first in the order of releases, by the same rule: near
//            the optimum few schedules are a single move away from a better one. A tick too late
//            counts as the area bound prices it on the type: on fast types more.
// Cost:      O(log tasks of two processors) for a move that is not taken, mostly, O(tasks) for
// others,
//            GROUP_NODES nodes for a division.
// Memory:    O(tasks).
// Reference: Dueck, Scheuer, "Threshold accepting", J. Computational Physics 90(1), 1990; earliest
//            release first on one processor: Lawler, Management Science 19(5), 1973.
#include "core/number/minmax.h"
#include "core/number/random.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/watch.h"
#include "lp/area/released.h"
#include "solvers/released/line.h"
#include "solvers/released/model.h"
#include "solvers/released/seed.h"

enum {
    NONE = DUET_RELEASED_NO_TASK,
    MOVE = 100,
    STEPS = 40,
    TRIES = 2000,
    HEATS = 3,
    COOLEST = 4, // the first rounds: with many tasks there are few
    SEED_SHARE = 4,
    HEAVIEST = 64 // weight of a tick
};
// Divisions of tasks among processors anew: one in REGROUPS moves is one, once the threshold is
// below a REGROUP_HEAT-th. Processors, tasks and nodes of it at most, and what a node costs.
enum {
    REGROUPS = 20,
    REGROUP_HEAT = 4,
    MOST_GROUP = 3,
    GROUP_TASKS = 48,
    GROUP_NODES = 1000,
    NODE = 10
};

typedef struct exchange {
    const duet_released_model *m;
    duet_error *error;
    duet_watch watch;
    duet_random random;
    duet_released_line *line;       // of a processor of the model
    int32_t *on;                    // of a task: its processor
    int32_t *best_on;               // in the best schedule
    int32_t *kept;                  // of the first one
    int64_t weight[DUET_MAX_TYPES]; // of a tick on a type
    int64_t usual;                  // weight of a tick
    int64_t best;
    int64_t wanted; // makespan
    int64_t total;  // weight of how much later the processors end
} exchange;

static int64_t time_on(const exchange *x, int32_t task, size_t p)
{
    return duet_time(x->m->instance, (size_t)x->m->kind[task], (size_t)x->m->processor[p].type);
}

static bool may_run(const exchange *x, int32_t task, size_t p)
{
    return time_on(x, task, p) != DUET_FORBIDDEN;
}

static int64_t end_with(const exchange *x, size_t p, int32_t without, int32_t with)
{
    return duet_released_end_with(x->m, &x->line[p], p, without, with);
}

static duet_code put_in(exchange *x, size_t p, int32_t task)
{
    x->on[task] = (int32_t)p;
    return duet_released_put_in(x->m, &x->line[p], task, x->error);
}

static size_t last_processor(const exchange *x)
{
    size_t last = 0;
    for (size_t p = 1; p < x->m->processors; p++) {
        last = x->line[p].end > x->line[last].end ? p : last;
    }
    return last;
}

static size_t draw(exchange *x, size_t count)
{
    return (size_t)duet_random_between(&x->random, 0, (int64_t)count - 1);
}

// A task of a processor; NONE: it has none.
static int32_t draw_task(exchange *x, size_t p)
{
    const duet_released_line *l = &x->line[p];
    return l->count == 0 ? NONE : l->stop[draw(x, l->count)].task;
}

static int64_t weight_of(const exchange *x, size_t p)
{
    return x->weight[x->m->processor[p].type];
}

// The weight of what a processor's end is above the makespan that is wanted.
static int64_t excess(const exchange *x, size_t p, int64_t end)
{
    return weight_of(x, p) * duet_max(end - x->wanted, 0);
}

// A processor that ends too late, mostly; else any.
static size_t draw_processor(exchange *x)
{
    enum { DRAWS = 6, ANY = 4 };
    size_t p = draw(x, x->m->processors);
    int draws = draw(x, ANY) == 0 ? 0 : DRAWS;
    for (int i = 0; i < draws && excess(x, p, x->line[p].end) == 0; i++) {
        p = draw(x, x->m->processors);
    }
    return p;
}

// Keeps the schedule, all of whose processors end in time.
static void keep_best(exchange *x)
{
    x->best = x->line[last_processor(x)].end;
    for (size_t j = 0; j < x->m->tasks; j++) {
        x->best_on[j] = x->on[j];
    }
}

// Tries one move.
static duet_code move(exchange *x, int64_t threshold)
{
    size_t p = draw_processor(x);
    size_t q = draw(x, x->m->processors);
    int32_t task = draw_task(x, p);
    int32_t other = draw(x, 3) == 0 ? NONE : draw_task(x, q);
    if (p == q || task == NONE || !may_run(x, task, q) ||
        (other != NONE && !may_run(x, other, p))) {
        return DUET_OK;
    }
    int64_t before = excess(x, p, x->line[p].end) + excess(x, q, x->line[q].end);
    int64_t allowed = before + (threshold > 0 ? duet_random_between(&x->random, 0, threshold) : 0);
    int64_t there = end_with(x, q, other, task);
    if (excess(x, q, there) > allowed) {
        return DUET_OK;
    }
    int64_t here = end_with(x, p, task, other);
    int64_t after = excess(x, p, here) + excess(x, q, there);
    if (after > allowed) {
        return DUET_OK;
    }
    duet_released_take_out(x->m, &x->line[p], task);
    if (other != NONE) {
        duet_released_take_out(x->m, &x->line[q], other);
        DUET_TRY(put_in(x, p, other));
    }
    DUET_TRY(put_in(x, q, task));
    duet_released_settle(x->m, &x->line[p], p);
    duet_released_settle(x->m, &x->line[q], q);
    x->line[p].end = here;
    x->line[q].end = there;
    x->total += after - before;
    return DUET_OK;
}

// Some processors whose tasks are divided among them anew.
typedef struct regrouping {
    exchange *x;
    size_t processor[MOST_GROUP];
    size_t processors;
    int32_t task[GROUP_TASKS]; // in the order of releases
    int64_t rest[GROUP_TASKS]; // The least weight of a task and of all behind it.
    uint8_t to[GROUP_TASKS];
    size_t tasks;
    int64_t allowed; // excess
    int64_t nodes;   // left
} regrouping;

// Whether the tasks from `i` on can go somewhere, the processors being at `end`. What they end too
// late grows with each task, and is at least what all their work exceeds their time by.
static bool divide(regrouping *g, size_t i, const int64_t *end)
{
    const exchange *x = g->x;
    if (i == g->tasks) {
        return true;
    }
    size_t first = (size_t)duet_random_below(&g->x->random, (int32_t)g->processors);
    for (size_t k = 0; k < g->processors && g->nodes > 0; k++) {
        size_t to = (first + k) % g->processors;
        int64_t ends[MOST_GROUP] = {0};
        int64_t late = 0;
        duet_int128 all = g->rest[i + 1]; // of what ends too late in all
        if (!may_run(x, g->task[i], g->processor[to])) {
            continue;
        }
        for (size_t p = 0; p < g->processors; p++) {
            ends[p] = p != to ? end[p]
                              : duet_max(end[p], x->m->release[g->task[i]]) +
                                    time_on(x, g->task[i], g->processor[p]);
            late += excess(x, g->processor[p], ends[p]);
            all += (duet_int128)weight_of(x, g->processor[p]) * (ends[p] - x->wanted);
        }
        g->nodes--;
        g->to[i] = (uint8_t)to;
        if (late <= g->allowed && all <= g->allowed && divide(g, i + 1, ends)) {
            return true;
        }
    }
    return false;
}

// The least weight of each task on one of the processors, and of all behind it.
static void sum_rest(regrouping *g)
{
    g->rest[g->tasks] = 0;
    for (size_t i = g->tasks; i-- > 0;) {
        int64_t least = INT64_MAX;
        for (size_t k = 0; k < g->processors; k++) {
            if (may_run(g->x, g->task[i], g->processor[k])) {
                int64_t time = time_on(g->x, g->task[i], g->processor[k]);
                least = duet_min(weight_of(g->x, g->processor[k]) * time, least);
            }
        }
        g->rest[i] = g->rest[i + 1] + least;
    }
}

// The processor whose task number next[k] comes first; SIZE_MAX: all have been taken.
static size_t first_of(const regrouping *g, const size_t *next)
{
    const exchange *x = g->x;
    size_t from = SIZE_MAX;
    int32_t first = NONE;
    for (size_t k = 0; k < g->processors; k++) {
        const duet_released_line *l = &x->line[g->processor[k]];
        if (next[k] < l->count &&
            (first == NONE || duet_released_comes_first(x->m, l->stop[next[k]].task, first))) {
            from = k;
            first = l->stop[next[k]].task;
        }
    }
    return from;
}

// The tasks of the processors, in the order of releases. False: they are too many.
static bool gather(regrouping *g)
{
    size_t next[MOST_GROUP] = {0};
    size_t from = first_of(g, next);
    for (; from != SIZE_MAX && g->tasks + 1 < GROUP_TASKS; from = first_of(g, next)) {
        g->task[g->tasks++] = g->x->line[g->processor[from]].stop[next[from]++].task;
    }
    sum_rest(g);
    return from == SIZE_MAX;
}

// Draws the processors, one of which mostly ends too late. False: one was drawn twice.
static bool draw_group(regrouping *g)
{
    exchange *x = g->x;
    bool different = true;
    g->processors = duet_min(2 + draw(x, MOST_GROUP - 1), x->m->processors);
    for (size_t k = 0; k < g->processors; k++) {
        g->processor[k] = k == 0 ? draw_processor(x) : draw(x, x->m->processors);
        for (size_t i = 0; i < k; i++) {
            different = different && g->processor[i] != g->processor[k];
        }
    }
    return different;
}

// The tasks go where they were divided to.
static duet_code regroup_lines(const regrouping *g)
{
    exchange *x = g->x;
    for (size_t k = 0; k < g->processors; k++) {
        duet_released_line *l = &x->line[g->processor[k]];
        x->total -= excess(x, g->processor[k], l->end);
        l->count = 0;
    }
    for (size_t i = 0; i < g->tasks; i++) {
        DUET_TRY(put_in(x, g->processor[g->to[i]], g->task[i]));
    }
    for (size_t k = 0; k < g->processors; k++) {
        duet_released_line *l = &x->line[g->processor[k]];
        duet_released_settle(x->m, l, g->processor[k]);
        l->end = end_with(x, g->processor[k], NONE, NONE);
        x->total += excess(x, g->processor[k], l->end);
    }
    return DUET_OK;
}

// Tries to divide the tasks of some processors anew: half of the times to end less late than now.
static duet_code regroup(exchange *x, int64_t threshold)
{
    regrouping g = {.x = x, .nodes = GROUP_NODES};
    int64_t end[MOST_GROUP] = {0};
    if (!draw_group(&g)) {
        return DUET_OK;
    }
    for (size_t k = 0; k < g.processors; k++) {
        end[k] = x->m->processor[g.processor[k]].from;
        g.allowed += excess(x, g.processor[k], x->line[g.processor[k]].end);
    }
    int64_t more = threshold > 0 ? duet_random_between(&x->random, 0, threshold) : 0;
    bool less = g.allowed > 0 && more == 0 && draw(x, 2) == 0;
    g.allowed += less ? -1 : more;
    bool found = gather(&g) && divide(&g, 0, end);
    duet_watch_spend(&x->watch, NODE * (GROUP_NODES - g.nodes + (int64_t)g.tasks));
    return found ? regroup_lines(&g) : DUET_OK;
}

static duet_code set_lines(exchange *x, const int32_t *on)
{
    for (size_t p = 0; p < x->m->processors; p++) {
        x->line[p].count = 0;
    }
    for (size_t j = 0; j < x->m->tasks; j++) {
        DUET_TRY(put_in(x, (size_t)on[j], (int32_t)j));
    }
    for (size_t p = 0; p < x->m->processors; p++) {
        duet_released_settle(x->m, &x->line[p], p);
        x->line[p].end = end_with(x, p, NONE, NONE);
    }
    return DUET_OK;
}

// A makespan to look for: just below the best, or further down to the target.
static int64_t choose_wanted(const exchange *x, int64_t round, int64_t target)
{
    return x->best - 1 - (x->best - 1 - target) * (round % HEATS) / HEATS;
}

static void measure(exchange *x)
{
    x->total = 0;
    for (size_t p = 0; p < x->m->processors; p++) {
        x->total += excess(x, p, x->line[p].end);
    }
}

// Whether sums of weights of ticks stay far from the largest number.
static bool is_light(const duet_released_model *m)
{
    duet_int128 ends = (duet_int128)m->instance->latest + m->instance->work;
    return ends * (int64_t)(m->processors + 1) < INT64_MAX / ((int64_t)4 * HEAVIEST);
}

// A tick on a type counts as much as in the area bound: without that, work goes to fast types until
// these end late, since that is fewer ticks. Errors: DUET_E_MEMORY.
static duet_code weigh_types(exchange *x, const duet_context *context)
{
    const duet_released_model *m = x->m;
    duet_bound area;
    int64_t largest = 0;
    int64_t all = 0;
    DUET_TRY(duet_released_area_bound(m->instance, context, &area, x->error));
    const int64_t *weight = area.certificate.weight;
    bool known = area.certificate.proof == DUET_PROOF_AREA && is_light(m);
    for (size_t t = 0; t < m->instance->types && known; t++) {
        largest = duet_max(weight[t], largest);
    }
    for (size_t t = 0; t < m->instance->types; t++) {
        int64_t share = largest == 0 ? 1 : (int64_t)((duet_int128)HEAVIEST * weight[t] / largest);
        x->weight[t] = duet_max(1, share);
        all += x->weight[t] * (int64_t)(m->first[t + 1] - m->first[t]);
    }
    x->usual = all / (int64_t)m->processors;
    duet_bound_release(&area);
    return DUET_OK;
}

// From the best schedule down a falling threshold.
static duet_code cool(exchange *x, int64_t round, int64_t target)
{
    DUET_TRY(set_lines(x, x->best_on));
    x->wanted = choose_wanted(x, round, target);
    measure(x);
    int64_t mean = (int64_t)((duet_int128)(x->best - x->m->begin) * (int64_t)x->m->processors /
                             (int64_t)x->m->tasks); // of a task, about
    int64_t highest = x->usual * mean >> (COOLEST - round / HEATS % COOLEST);
    int64_t moves = TRIES + 20 * (int64_t)x->m->tasks;
    int64_t cost = MOVE + 4 * (int64_t)(x->m->tasks / x->m->processors);
    for (int64_t step = STEPS; step >= 0; step--) {
        int64_t threshold = highest * step / STEPS * step / STEPS;
        for (int64_t i = 0; i < moves && x->best > target; i++) {
            if (duet_watch_spend(&x->watch, cost)) {
                return DUET_OK;
            }
            bool all = i % REGROUPS == 0 && threshold <= highest / REGROUP_HEAT;
            DUET_TRY(all ? regroup(x, threshold) : move(x, threshold));
            if (x->total == 0) {
                keep_best(x);
                int64_t shorter = duet_min(x->wanted, x->best - 1);
                x->wanted = duet_max(target, shorter);
                measure(x);
            }
        }
        if (x->line[last_processor(x)].end < x->best) { // though not as short as wanted
            keep_best(x);
        }
    }
    return DUET_OK;
}

// Begins from a schedule without releases where that is shorter.
static duet_code seed(exchange *x, const duet_context *context)
{
    duet_context part = duet_context_part(context, SEED_SHARE);
    bool any;
    DUET_TRY(duet_released_seed(x->m, &part, x->on, &any, x->error));
    if (!any) {
        return DUET_OK;
    }
    for (size_t j = 0; j < x->m->tasks; j++) { // set_lines() writes x->on
        x->kept[j] = x->on[j];
    }
    DUET_TRY(set_lines(x, x->kept));
    int64_t end = x->line[last_processor(x)].end;
    for (size_t j = 0; j < x->m->tasks && end < x->best; j++) {
        x->best_on[j] = x->on[j];
    }
    x->best = duet_min(end, x->best);
    return DUET_OK;
}

// The processors of the solution as those of the model; false: one of them is not there.
static bool read_processors(exchange *x, const duet_solution *solution)
{
    const duet_released_model *m = x->m;
    size_t at = 0;
    bool good = true;
    for (size_t j = 0; j < m->tasks && good; j++) {
        duet_placement placed = duet_solution_place(solution, (int64_t)j, &at);
        size_t p = m->first[placed.type];
        size_t end = m->first[placed.type + 1];
        while (p < end && m->processor[p].number != placed.processor) {
            p++;
        }
        good = p < end;
        x->best_on[j] = (int32_t)p;
    }
    return good;
}

static duet_code write_best(exchange *x, duet_solution *solution)
{
    const duet_released_model *m = x->m;
    DUET_TRY(duet_solution_hold_placements(solution, x->error));
    DUET_TRY(set_lines(x, x->best_on));
    for (size_t p = 0; p < m->processors; p++) {
        int64_t start = m->processor[p].from;
        for (size_t i = 0; i < x->line[p].count; i++) {
            int32_t task = x->line[p].stop[i].task;
            start = duet_max(m->release[task], start);
            solution->placement[task] =
                (duet_placement){start, m->processor[p].number, m->processor[p].type};
            start += time_on(x, task, p);
        }
    }
    solution->makespan = x->best;
    return DUET_OK;
}

duet_code duet_released_exchange(const duet_released_model *model, const duet_context *context,
                                 const duet_released_effort *effort, duet_solution *solution,
                                 duet_error *error)
{
    int64_t rounds = effort->rounds;
    int64_t target = effort->target;
    exchange x = {
        .m = model, .error = error, .watch = {.context = context}, .best = solution->makespan};
    duet_random_seed(&x.random, context->seed + (uint64_t)effort->pass);
    x.line = duet_alloc(model->processors, sizeof *x.line, error);
    x.on = duet_alloc(model->tasks, sizeof *x.on, error);
    x.best_on = duet_alloc(model->tasks, sizeof *x.best_on, error);
    x.kept = duet_alloc(model->tasks, sizeof *x.kept, error);
    bool made = x.line != NULL && x.on != NULL && x.best_on != NULL && x.kept != NULL;
    duet_code code = made ? DUET_OK : DUET_E_MEMORY;
    bool good = code == DUET_OK && model->tasks > 0 && read_processors(&x, solution);
    int64_t barren = 0; // rounds in a row
    if (good && x.best > target) {
        code = weigh_types(&x, context);
    }
    if (code == DUET_OK && good && x.best > target && effort->pass == 0) {
        code = seed(&x, context);
    }
    for (int64_t i = 0; good && code == DUET_OK && x.best > target && !x.watch.stopped &&
                        barren < DUET_RELEASED_BARREN && (rounds == 0 || i < rounds);
         i++) {
        int64_t before = x.best;
        code = cool(&x, i, target);
        barren = x.best < before ? 0 : barren + 1;
    }
    if (good && code == DUET_OK && x.best < solution->makespan) {
        code = write_best(&x, solution);
    }
    for (size_t p = 0; x.line != NULL && p < model->processors; p++) {
        duet_free(x.line[p].stop);
    }
    duet_free(x.line);
    duet_free(x.on);
    duet_free(x.best_on);
    duet_free(x.kept);
    return code;
}
