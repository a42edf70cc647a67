// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/repack.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/lp.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/pack.h"
#include "solvers/exact/pool/dive.h"
#include "solvers/exact/pool/pool.h"

// The allocation of the best schedule, at one guess.
typedef struct repack {
    duet_exact *exact;
    duet_search search; // of the allocation
    duet_classes classes;
    duet_residual state;
    duet_loads loads;
    duet_search_stats stats;
    duet_prices time[2]; // time alone
    duet_prices scratch; // what the relaxations say
    double *share;
} repack;

// Adds what a try counted to the state, and frees the try.
static void end_allocation(repack *r)
{
    r->exact->nodes += r->stats.nodes;
    r->exact->patterns += (int64_t)r->stats.patterns;
    r->exact->programs += r->stats.programs;
    duet_loads_free(&r->loads);
    duet_free(r->share);
    duet_prices_free(&r->time[0]);
    duet_prices_free(&r->time[1]);
    duet_prices_free(&r->scratch);
    duet_residual_free(&r->state);
    duet_classes_free(&r->classes);
}

// How many tasks of each class the best schedule has on CPUs.
static duet_code read_allocation(repack *r, duet_error *error)
{
    const duet_instance *instance = r->exact->instance;
    const duet_placement *at = duet_solution_placements(r->exact->best);
    if (at == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "exact: out of memory");
    }
    int64_t *on_cpu = r->state.low[0];
    for (size_t c = 0; c < r->classes.count; c++) {
        on_cpu[c] = 0;
    }
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        size_t c = r->classes.of_kind[kind];
        for (int64_t i = instance->first[kind]; i < instance->first[kind + 1] && c != SIZE_MAX;
             i++) {
            on_cpu[c] += at[i].type == 0;
        }
    }
    for (size_t c = 0; c < r->classes.count; c++) {
        duet_residual_set_pair(&r->state, c, r->state.left[c], on_cpu[c], on_cpu[c]);
    }
    return DUET_OK;
}

static duet_code find_allocation(duet_exact *s, int64_t guess, repack *r, duet_error *error)
{
    *r = (repack){.exact = s};
    r->search = (duet_search){
        .classes = &r->classes,
        .state = &r->state,
        .context = s->context,
        .random = &s->random,
        .store = &s->columns,
        .limits = {.patterns = DUET_REPACK_TAIL_PATTERNS, .pack_effort = DUET_REPACK_PACK_EFFORT},
        .loads = &r->loads,
        .stats = &r->stats,
        .verdict = DUET_OPEN};
    DUET_TRY(duet_classes_create(s->instance, guess, &r->classes, error));
    duet_code code = duet_residual_create(&r->classes, &r->state, error);
    DUET_THEN(code, duet_prices_create(&r->classes, &r->scratch, error));
    DUET_THEN(code, duet_prices_create_by_time(&r->classes, r->time, error));
    if (code == DUET_OK) {
        r->share = duet_alloc(r->classes.count, sizeof *r->share, error);
        code = r->share == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return code == DUET_OK ? read_allocation(r, error) : code;
}

// How many tasks the allocation gives a type; -1: one of them is too long for it.
static int64_t count_tasks(const repack *r, size_t type)
{
    int64_t tasks = 0;
    for (size_t c = 0; c < r->classes.count; c++) {
        int64_t most = duet_residual_most(&r->state, c, type);
        if (most > 0 && !duet_class_fits(&r->classes, c, type)) {
            return -1;
        }
        tasks += most;
    }
    return tasks;
}

// Whether both types have room for their work; *type is the one with fewer tasks per processor.
static bool has_room(const repack *r, size_t *type)
{
    int64_t tasks[2];
    for (size_t t = 0; t < 2; t++) {
        duet_int128 room = (duet_int128)r->classes.processors[t] * r->classes.capacity[t];
        tasks[t] = count_tasks(r, t);
        if (tasks[t] < 0 || duet_residual_work(&r->classes, &r->state, t) > room) {
            return false;
        }
    }
    duet_int128 first = (duet_int128)tasks[0] * r->classes.processors[1];
    duet_int128 second = (duet_int128)tasks[1] * r->classes.processors[0];
    *type = tasks[0] == 0 || (second < first && tasks[1] > 0);
    return true;
}

// The least guess that the work on each type allows.
static int64_t least_guess(const repack *r)
{
    int64_t least = 0;
    for (size_t t = 0; t < 2; t++) {
        int64_t processors = r->classes.processors[t];
        if (processors > 0 && count_tasks(r, t) >= 0) {
            duet_int128 work = duet_residual_work(&r->classes, &r->state, t);
            int64_t end = (int64_t)((work + processors - 1) / processors);
            least = duet_max(end, least);
        }
    }
    return least;
}

// Narrows the pool to the patterns that the relaxation's prices leave. *any: there may be a
// schedule.
static duet_code narrow_pool(repack *r, duet_pool *pool, bool *any, duet_error *error)
{
    duet_pool_status status;
    size_t mark;
    duet_code code = duet_pool_relax(pool, &r->state, &r->scratch, r->share, &status, error);
    *any = code == DUET_OK && status == DUET_POOL_SOLVED;
    return *any ? duet_pool_narrow(pool, &r->state, &r->scratch,
                                   duet_residual_slack(&r->classes, &r->state, &r->scratch), &mark,
                                   error)
                : code;
}

static duet_code dive_over_pool(repack *r, duet_pool *pool, bool *found, duet_error *error)
{
    bool any;
    duet_code code = narrow_pool(r, pool, &any, error);
    for (int i = 0; i < DUET_REPACK_DIVES && code == DUET_OK && any && !*found &&
                    !duet_context_stop(r->exact->context);
         i++) {
        code = duet_pool_dive(&r->search, pool, r->time, &r->scratch, found, error);
    }
    return code;
}

// Packs the tasks of a type by a pool.
static duet_code pack_by_pool(repack *r, size_t type, bool *found, duet_error *error)
{
    duet_exact *s = r->exact;
    size_t room = duet_memory_steady(s->context->memory_limit) / DUET_REPACK_MEMORY_SHARE;
    duet_int128 slack = duet_residual_slack(&r->classes, &r->state, &r->time[type]);
    int64_t most = r->time[type].limit[type];
    duet_patterns patterns;
    const duet_patterns_request request = {.type = type,
                                           .slack = slack < most ? (int64_t)slack : most,
                                           .most = DUET_REPACK_PATTERNS,
                                           .most_bytes = room,
                                           .may_shrink = true,
                                           .plain = true};
    *found = false;
    duet_code code = duet_patterns_enumerate(&r->classes, &r->state, &r->time[type], &request,
                                             s->context, &patterns, error);
    if (code != DUET_OK || patterns.status == DUET_PATTERNS_TOO_MANY || patterns.count == 0 ||
        duet_pool_more_bytes(&patterns) > room || duet_context_stop(s->context)) {
        duet_patterns_free(&patterns);
        return code;
    }
    duet_pool *pool;
    code = duet_pool_create(&r->classes, s->context, &r->stats.programs, &patterns, &pool, error);
    DUET_THEN(code, dive_over_pool(r, pool, found, error));
    duet_pool_free(pool);
    return code;
}

// Packs the allocation within the guess.
static duet_code pack_allocation(repack *r, bool *found, duet_error *error)
{
    duet_exact *s = r->exact;
    size_t type;
    *found = false;
    if (!has_room(r, &type)) {
        return DUET_OK;
    }
    duet_code code = duet_pack_type(&r->search, 1 - type, found, error);
    if (code == DUET_OK && *found) {
        code = pack_by_pool(r, type, found, error);
    }
    return code == DUET_OK && *found ? duet_incumbent_offer(s, &r->classes, &r->loads, error)
                                     : code;
}

static duet_code pack_within(duet_exact *s, int64_t guess, bool *found, duet_error *error)
{
    repack r;
    duet_code code = find_allocation(s, guess, &r, error);
    DUET_THEN(code, pack_allocation(&r, found, error));
    end_allocation(&r);
    return code;
}

duet_code duet_exact_repack(duet_exact *s, duet_error *error)
{
    if (!duet_exact_is_open(s) || !duet_lp_available()) {
        return DUET_OK;
    }
    repack r;
    duet_code code = find_allocation(s, s->best->makespan, &r, error);
    int64_t least = code == DUET_OK ? least_guess(&r) : 0;
    end_allocation(&r);
    int64_t low = least > s->bound.value ? least - 1 : s->bound.value - 1; // no schedule up to here
    for (int failures = 0;
         failures < DUET_REPACK_FAILURES && code == DUET_OK && duet_exact_is_open(s);) {
        int64_t room = s->best->makespan - 1 - low;
        if (room <= low >> DUET_REPACK_SMALL || room < DUET_REPACK_FEW_GUESSES) {
            break;
        }
        bool found = false;
        int64_t guess = low + (room + 1) / 2;
        code = pack_within(s, guess, &found, error);
        low = found ? low : guess;
        failures += found ? 0 : 1;
    }
    return code;
}
