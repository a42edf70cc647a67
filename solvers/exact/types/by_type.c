// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/by_type.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/incumbent.h"
#include "solvers/exact/types/one_type.h"

duet_types_known duet_types_know(duet_types *s, const int64_t *tasks,
                                 const duet_exact_effort *effort, int64_t *least)
{
    int64_t useless = s->exact->best->makespan;
    duet_types_known known = {.hopeful = true};
    for (size_t t = 0; t < s->classes.types; t++) {
        const duet_types_set *set = duet_types_sets_find(&s->sets, &s->classes, tasks, t);
        if (set != NULL) {
            bool searched = set->least >= useless || set->searched >= effort->nodes;
            bool fails = set->found >= useless && set->least > 0 && searched;
            *least = duet_max(set->least, *least);
            known.leader = known.leader || (t == s->leading && fails && set->least >= useless);
            known.hopeful = known.hopeful && !fails;
        }
    }
    return known;
}

// Whether a set was searched as well for a schedule that long, or needs no search.
static bool is_known(const duet_types_set *set, const duet_exact_effort *effort, int64_t wanted)
{
    return set->least > 0 && ((set->searched >= effort->nodes && set->wanted >= wanted) ||
                              set->found <= wanted || set->found == set->least);
}

// One type's part of an allocation, whose loads s->loads grow by unless it is useless.
static duet_code schedule_type(duet_types *s, const int64_t *tasks, size_t type, int64_t wanted,
                               const duet_exact_effort *effort, duet_one_type *one,
                               duet_error *error)
{
    int64_t useless = s->exact->best->makespan;
    duet_types_set *set = duet_types_sets_find(&s->sets, &s->classes, tasks, type);
    duet_loads_mark mark = duet_loads_here(&s->loads);
    if (set == NULL) {
        return duet_types_schedule_one(s, type, wanted, useless, effort, one, error);
    }
    if (!is_known(set, effort, wanted)) {
        DUET_TRY(duet_types_schedule_one(s, type, wanted, useless, effort, one, error));
        set->least = duet_max(one->least, set->least);
        if (one->refuted >= 0) {
            duet_types_sets_keep_proof(&s->sets, set, one->refuted, s->alone.text, s->alone.length);
        }
        if (one->found > wanted && effort->nodes >= set->searched) { // it failed
            set->searched = effort->nodes;
            set->wanted = wanted;
        }
        if (one->found < set->found) {
            duet_types_sets_keep(&s->sets, set, &s->loads, mark, one->found);
        }
        duet_loads_rewind(&s->loads, mark);
    }
    *one = (duet_one_type){.least = set->least, .found = set->found};
    return set->found < useless ? duet_types_sets_load(&s->sets, set, &s->loads, error) : DUET_OK;
}

// Decides everything.
static void allocate(duet_types *s, const int64_t *tasks)
{
    const duet_classes *classes = &s->classes;
    duet_residual_copy(classes, &s->root, &s->state);
    for (size_t c = 0; c < classes->count; c++) {
        for (size_t t = 0; t < classes->types; t++) {
            int64_t some = tasks[c * classes->types + t];
            duet_residual_limit(&s->state, c, t, some, some);
        }
    }
}

duet_code duet_types_schedule_by_type(duet_types *s, const int64_t *tasks,
                                      const duet_exact_effort *effort, int64_t *least,
                                      duet_error *error)
{
    int64_t useless = s->exact->best->makespan;
    allocate(s, tasks);
    duet_loads_clear(&s->loads);
    duet_code code = DUET_OK;
    bool useful = true;
    for (size_t i = 0; i < s->classes.types && code == DUET_OK && *least < useless; i++) {
        duet_one_type one;
        size_t type = i == 0 ? s->leading : i <= s->leading ? i - 1 : i;
        code = schedule_type(s, tasks, type, *least, effort, &one, error);
        if (code == DUET_OK) {
            *least = duet_max(one.least, *least);
            useful = useful && one.found < useless; // else another type may refute it
        }
    }
    return code == DUET_OK && useful ? duet_incumbent_offer(s->exact, &s->classes, &s->loads, error)
                                     : code;
}

// The tasks of a set by their times, as the classes come.
static bool list_sizes(const duet_types *s, const int64_t *tasks, size_t type,
                       duet_types_sizes *sizes)
{
    const duet_classes *classes = &s->classes;
    sizes->count = 0;
    sizes->time = duet_alloc(classes->count, sizeof *sizes->time, NULL);
    sizes->tasks = duet_alloc(classes->count, sizeof *sizes->tasks, NULL);
    if (sizes->time == NULL || sizes->tasks == NULL) {
        return false;
    }
    for (size_t c = 0; c < classes->count; c++) {
        int64_t some = tasks[c * classes->types + type];
        size_t i = 0;
        while (some > 0 && i < sizes->count && sizes->time[i] != classes->time[type][c]) {
            i++;
        }
        if (some > 0) {
            sizes->time[i] = classes->time[type][c];
            sizes->tasks[i] = i < sizes->count ? sizes->tasks[i] + some : some;
            sizes->count += i == sizes->count;
        }
    }
    return true;
}

// By the work of the set, or the sums of its times.
static bool log_by_sums(duet_types *s, const int64_t *tasks, size_t type, duet_log *log)
{
    duet_types_sizes sizes = {.count = 0};
    duet_proof_writer *text = &s->alone;
    duet_proof_rewind(text, 0);
    text->lost = false;
    text->limit = DUET_EXACT_LINES_BYTES;
    bool known = list_sizes(s, tasks, type, &sizes) &&
                 duet_types_log_sums(&sizes, s->classes.processors[type], log->guess, text);
    if (known) {
        duet_log_alone(log, type, log->guess, text->text, text->length);
    }
    duet_free(sizes.time);
    duet_free(sizes.tasks);
    return known;
}

bool duet_types_log_type(duet_types *s, const int64_t *tasks, size_t type, duet_log *log)
{
    const duet_types_set *set = duet_types_sets_find(&s->sets, &s->classes, tasks, type);
    if (set == NULL || set->least <= log->guess) {
        return false;
    }
    if (set->refuted >= log->guess) {
        duet_log_alone(log, type, set->refuted, s->sets.text.text + set->proof, set->proof_length);
        return true;
    }
    return log_by_sums(s, tasks, type, log);
}

void duet_types_log_allocation(duet_types *s, const int64_t *tasks, duet_log *log)
{
    bool known = log == NULL || log->out.lost;
    for (size_t t = 0; t < s->classes.types && !known; t++) {
        known = duet_types_log_type(s, tasks, t, log);
    }
    if (log != NULL && !known) {
        log->out.lost = true;
    }
}
