// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/one_type.h"

#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "dp/knapsack/sums.h"
#include "solvers/exact/decide.h"
#include "solvers/exact/pack.h"

// The tasks of the type as an instance of its own.
typedef struct one_type {
    duet_types *types;
    size_t type;
    duet_instance *instance;
    uint32_t *class; // of each kind
    duet_exact exact;
} one_type;

static void free_one(one_type *o)
{
    duet_bound_release(&o->exact.bound);
    duet_solution_free(o->exact.best);
    duet_exact_free(&o->exact);
    duet_instance_free(o->instance);
    duet_free(o->class);
}

static duet_code create_instance(one_type *o, duet_error *error)
{
    const duet_types *s = o->types;
    const duet_classes *classes = &s->classes;
    const duet_type platform[2] = {{"own", classes->processors[o->type]}, {"none", 0}};
    int64_t *times = duet_alloc(2 * classes->count, sizeof *times, error);
    int64_t *counts = duet_alloc(classes->count, sizeof *counts, error);
    o->class = duet_alloc(classes->count, sizeof *o->class, error);
    duet_code code = times == NULL || counts == NULL || o->class == NULL ? DUET_E_MEMORY : DUET_OK;
    size_t kinds = 0;
    for (size_t c = 0; c < classes->count && code == DUET_OK; c++) {
        int64_t tasks = duet_residual_most(&s->state, c, o->type);
        if (tasks > 0) {
            times[2 * kinds] = classes->time[o->type][c];
            times[2 * kinds + 1] = DUET_FORBIDDEN;
            counts[kinds] = tasks;
            o->class[kinds++] = (uint32_t)c;
        }
    }
    if (code == DUET_OK) {
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .types = 2,
                                         .platform = platform,
                                         .kinds = kinds,
                                         .counts = counts,
                                         .times = times};
        code = duet_instance_create(&desc, &o->instance, error);
    }
    duet_free(times);
    duet_free(counts);
    return code;
}

// The search on it, whose best schedule is as long as the levelled one, which it does not have.
static duet_code create_search(one_type *o, const duet_one_type *known, duet_error *error)
{
    duet_exact *e = o->types->exact;
    o->exact = (duet_exact){.instance = o->instance,
                            .context = e->context,
                            .doing = e->doing,
                            .unrefuted = {INT64_MAX, INT64_MAX},
                            .bound = {.value = known->least},
                            .searchable = true,
                            .proving = {.wanted = true, .alone = true}};
    duet_random_seed(&o->exact.random, duet_random_next(&e->random));
    int64_t tasks = duet_tasks(o->instance);
    duet_code code = duet_solution_create_blank(tasks, &o->exact.best, error);
    if (code == DUET_OK) {
        o->exact.best->makespan = known->found;
        code = duet_solution_create_blank(tasks, &o->exact.trial, error);
    }
    return code;
}

// The loads of the best schedule in the place of the levelled ones.
static duet_code take_loads(one_type *o, duet_error *error)
{
    const duet_solution *best = o->exact.best;
    duet_loads *loads = &o->types->loads;
    duet_code code = DUET_OK;
    size_t kinds = o->instance->kinds;
    for (int64_t p = 0; p < o->instance->processors[0] && code == DUET_OK; p++) {
        code = duet_loads_push(loads, o->type, NULL, 0, error);
        for (size_t i = 0; i < kinds && code == DUET_OK; i++) {
            for (int64_t j = o->instance->first[i]; j < o->instance->first[i + 1]; j++) {
                if (best->placement[j].processor == p && code == DUET_OK) {
                    code = duet_loads_add(loads, o->class[i], error);
                }
            }
        }
    }
    return code;
}

// The proof of the search's last refutation, in the place of an earlier one.
static void keep_proof(one_type *o, int64_t refuted, duet_one_type *out)
{
    const duet_proof_writer *log = &o->exact.log.out;
    duet_proof_writer *kept = &o->types->alone;
    kept->lost = false;
    kept->limit = DUET_EXACT_LINES_BYTES;
    duet_proof_rewind(kept, 0);
    out->refuted = -1;
    if (!log->lost && duet_proof_begin(kept, log->length + 1)) {
        duet_proof_put_text(kept, log->text, log->length);
        out->refuted = refuted;
    }
}

// Guesses from what is wanted upward, each halfway to what was found.
static duet_code descend(one_type *o, int64_t wanted, int64_t useless,
                         const duet_exact_effort *effort, duet_one_type *out, duet_error *error)
{
    enum { guesses = 2 };
    duet_exact *e = &o->exact;
    int64_t guess = duet_max(wanted, out->least);
    duet_code code = DUET_OK;
    for (int i = 0; i < guesses && code == DUET_OK && !duet_context_stop(e->context); i++) {
        int64_t most = duet_min(out->found, useless) - 1;
        if (guess > most || out->found <= wanted) {
            break;
        }
        duet_verdict verdict = DUET_OPEN;
        int64_t refuted = 0;
        code = duet_exact_decide(e, guess, effort, &verdict, &refuted, error);
        if (code == DUET_OK && verdict == DUET_REFUTED) {
            out->least = duet_max(refuted + 1, out->least);
            keep_proof(o, refuted, out);
        }
        out->found = duet_min(e->best->makespan, out->found);
        most = duet_min(out->found, useless) - 1;
        int64_t next = guess + (most - guess) / 2;
        next = verdict == DUET_FOUND ? wanted + (most - wanted) / 2
               : next > guess        ? next
                                     : guess + 1;
        guess = duet_max(next, out->least);
    }
    o->types->exact->nodes += e->nodes;
    o->types->exact->patterns += e->patterns;
    o->types->exact->programs += e->programs;
    return code;
}

int64_t duet_types_longest_from(const duet_types *s, size_t mark)
{
    duet_int128 longest = 0;
    for (size_t l = mark; l < s->loads.loads; l++) {
        duet_int128 end = duet_load_end(&s->classes, &s->loads, l);
        longest = duet_max(end, longest);
    }
    return (int64_t)longest;
}

int64_t duet_types_divided(const duet_types *s, size_t type)
{
    const duet_classes *classes = &s->classes;
    duet_int128 work = 0;
    int64_t longest = 0;
    for (size_t c = 0; c < classes->count; c++) {
        int64_t tasks = duet_residual_most(&s->state, c, type);
        if (tasks > 0) {
            work += (duet_int128)tasks * classes->time[type][c];
            longest = duet_max(classes->time[type][c], longest);
        }
    }
    int64_t processors = s->state.processors[type];
    int64_t area = work > 0 ? (int64_t)((work + processors - 1) / processors) : 0;
    return duet_max(area, longest);
}

// Whether a limit of a set is one that the checker takes.
static bool is_checkable(int64_t limit, size_t classes)
{
    return limit <= INT64_C(1) << 26 && limit <= (INT64_C(1) << 36) / (int64_t)classes;
}

// The last processor to end has a load that some of the tasks add up to, and no other has more.
static duet_code bound_type(const duet_types *s, size_t type, int64_t useless, int64_t *least,
                            duet_error *error)
{
    const duet_classes *classes = &s->classes;
    int64_t *time = duet_alloc(2 * classes->count, sizeof *time, error);
    *least = duet_types_divided(s, type);
    DUET_NEED(time);
    int64_t *tasks = time + classes->count;
    duet_sums_items items = {.time = time, .tasks = tasks};
    for (size_t c = 0; c < classes->count; c++) {
        if (duet_residual_most(&s->state, c, type) > 0) {
            time[items.count] = classes->time[type][c];
            tasks[items.count++] = duet_residual_most(&s->state, c, type);
        }
    }
    // Where the checker would not take the sums, they are of no use.
    bool provable = items.count > 0 && is_checkable(useless / classes->unit[type], items.count);
    if (*least < useless && provable) {
        *least = duet_sums_next(&items, *least, useless - 1);
    }
    duet_free(time);
    return DUET_OK;
}

// The common divisor of the times.
static int64_t unit_of(const duet_types_sizes *sizes)
{
    duet_uint128 unit = 0;
    for (size_t i = 0; i < sizes->count; i++) {
        unit = duet_gcd(unit, (duet_uint128)sizes->time[i]);
    }
    return unit > 0 ? (int64_t)unit : 1;
}

bool duet_types_log_sums(const duet_types_sizes *sizes, int64_t processors, int64_t guess,
                         duet_proof_writer *out)
{
    if (sizes->count == 0 || processors == 0 || !duet_proof_begin(out, 64)) {
        return false;
    }
    int64_t unit = unit_of(sizes);
    duet_int128 work = 0;
    for (size_t i = 0; i < sizes->count; i++) {
        work += (duet_int128)sizes->time[i] / unit * sizes->tasks[i];
    }
    if (work > (duet_int128)(guess / unit) * processors) {
        duet_proof_put(out, "area 1\nprice 0\n");
        return true;
    }
    // With the work divided evenly, each processor has this much; so some processor has at least
    // that.
    int64_t divided = (int64_t)((work + processors - 1) / processors);
    duet_types_sizes scaled = *sizes;
    if (!is_checkable(divided, sizes->count) ||
        !duet_proof_begin(out, (sizes->count + 4) * DUET_PROOF_NUMBER)) {
        return false;
    }
    for (size_t i = 0; i < sizes->count; i++) {
        scaled.time[i] /= unit;
    }
    bool known = duet_sums_next(&(duet_sums_items){sizes->count, scaled.time, scaled.tasks},
                                divided, guess / unit) > guess / unit;
    if (known) {
        duet_proof_put(out, "prices set");
        duet_proof_put_number(out, divided - 1);
        for (size_t i = 0; i < sizes->count; i++) {
            duet_proof_put_number(out, scaled.time[i]);
        }
        duet_proof_put(out, "\nprice 0\n");
    }
    return known;
}

duet_code duet_types_schedule_one(duet_types *s, size_t type, int64_t wanted, int64_t useless,
                                  const duet_exact_effort *effort, duet_one_type *out,
                                  duet_error *error)
{
    duet_search search = duet_types_leveling(s);
    duet_loads_mark mark = duet_loads_here(&s->loads);
    *out = (duet_one_type){.found = INT64_MAX, .refuted = -1};
    duet_code code = bound_type(s, type, useless, &out->least, error);
    if (code != DUET_OK || out->least >= useless) {
        return code;
    }
    wanted = duet_max(wanted, out->least);
    code = duet_pack_level(&search, type, wanted, error);
    out->found = duet_types_longest_from(s, mark.loads);
    if (code != DUET_OK || out->found <= wanted || effort->nodes == 0) {
        return code;
    }
    one_type o = {.types = s, .type = type};
    int64_t levelled = out->found;
    code = create_instance(&o, error);
    DUET_THEN(code, create_search(&o, out, error));
    DUET_THEN(code, descend(&o, wanted, useless, effort, out, error));
    if (code == DUET_OK && out->found < levelled) {
        duet_loads_rewind(&s->loads, mark);
        code = take_loads(&o, error);
    }
    free_one(&o);
    return code;
}
