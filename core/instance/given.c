// SPDX-License-Identifier: Apache-2.0
// What is given of an instance, made from a plan that is under way, from parts that stay and from
// processors that are lost.
#include "core/instance/given.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/pick.h"
#include "core/number/minmax.h"
#include "core/number/sort.h"
#include "core/solution/finer.h"
#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// What becomes of a task.
typedef enum fate { FREE, PINNED, RUN } fate;

typedef struct making {
    const duet_replan_desc *desc;
    const duet_instance *from; // in the ticks of the result
    duet_instance *refined;    // owned; NULL: they are those of the instance that was handed in
    int64_t divisor;           // of all times: moldable tasks keep their ticks
    bool rounded;
    int64_t *plan_of; // per task: its entry + 1
    int64_t *fix_of;  // per task: its entry of what is given + 1
    duet_fix *said;   // per task: what is given
    fate *fate;       // per task
    duet_given_up *given_up;
    size_t given_ups;
    duet_pick *pick;
    size_t picks;
    duet_instance *to;
    duet_error *error;
} making;

int64_t duet_given_ticks(int64_t time, int64_t divisor)
{
    return time == DUET_FORBIDDEN || divisor == 1
               ? time
               : time / divisor + (time % divisor >= divisor / 2);
}

static duet_code fault(const making *m, int64_t task, const char *format, ...) DUET_PRINTF(3, 4);

static duet_code fault(const making *m, int64_t task, const char *format, ...)
{
    char id[128];
    char why[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    duet_instance_task_id(m->from, task, id, sizeof id);
    return duet_error_set(m->error, DUET_E_INPUT, "task '%s': %s", id, why);
}

// A time of the description in ticks of the result, the nearest one where these are coarser.
static int64_t in_ticks(making *m, int64_t time)
{
    bool rounds = time != DUET_FORBIDDEN && time % m->divisor != 0;
    m->rounded = m->rounded || rounds;
    return duet_given_ticks(time, m->divisor);
}

// --- entries -------------------------------------------------------------------------------------

static duet_code check_set(const making *m, const duet_fix *fix)
{
    for (size_t r = 0; r < fix->ranges; r++) {
        const duet_processor_range *range = &fix->range[r];
        if (range->type < 0 || (size_t)range->type >= m->from->types ||
            (fix->type >= 0 && range->type != fix->type && !m->from->mixed_sets)) {
            return fault(m, fix->task,
                         "processors of an unknown type, or of another type than its own");
        }
        const char *name = m->from->type_names[range->type];
        int64_t count = m->from->processors[range->type];
        if (range->first < 0 || range->last < range->first || range->last >= count) {
            return fault(m, fix->task, "processor %d of type %s does not exist: expected 0 to %lld",
                         range->first < 0 ? (int)range->first : (int)range->last, name,
                         (long long)count - 1);
        }
        if (r > 0 && (range[-1].type > range->type ||
                      (range[-1].type == range->type && range[-1].last >= range->first))) {
            return fault(m, fix->task, "processors twice or out of order");
        }
    }
    if (m->from->moldable == NULL && fix->ranges > 0 &&
        (fix->ranges > 1 || fix->range[0].first != fix->range[0].last)) {
        return fault(m, fix->task, "several processors: expected one");
    }
    return DUET_OK;
}

static duet_code index_entries(const making *m, const duet_fix *list, size_t count,
                               const char *what, int64_t *at)
{
    int64_t tasks = duet_tasks(m->from);
    for (size_t i = 0; i < count; i++) {
        const duet_fix *fix = &list[i];
        if (fix->task < 0 || fix->task >= tasks) {
            return duet_error_set(m->error, DUET_E_INPUT, "%s: expected tasks 0 to %lld, got %lld",
                                  what, (long long)tasks - 1, (long long)fix->task);
        }
        if (at[fix->task] != 0) {
            return fault(m, fix->task, "is in %s twice: expected once", what);
        }
        if (fix->type >= 0 && (size_t)fix->type >= m->from->types) {
            return fault(m, fix->task, "an unknown processor type");
        }
        DUET_TRY(check_set(m, fix));
        bool negative = fix->start < 0 || fix->end < 0;
        bool late = (fix->start != DUET_FORBIDDEN && fix->start > DUET_MAX_WORK) ||
                    (fix->end != DUET_FORBIDDEN && fix->end > DUET_MAX_WORK);
        if (negative || late) {
            return fault(m, fix->task, "a time outside the schedule: expected 0 to 2^62 ticks");
        }
        at[fix->task] = (int64_t)i + 1;
    }
    return DUET_OK;
}

static bool is_without(const making *m, const duet_fix *fix)
{
    bool found = false;
    for (size_t r = 0; r < fix->ranges; r++) {
        for (size_t k = 0; k < m->desc->withouts && !found; k++) {
            const duet_processor_range *lost = &m->desc->without[k];
            found = lost->type == fix->range[r].type && lost->first <= fix->range[r].last &&
                    fix->range[r].first <= lost->last;
        }
    }
    return found;
}

// What a task takes on the processors of an entry; DUET_FORBIDDEN where it cannot run there.
static int64_t time_on(const making *m, const duet_fix *fix)
{
    size_t kind = duet_instance_kind_of(m->from, fix->task);
    return m->from->moldable == NULL
               ? duet_time(m->from, kind, (size_t)fix->range[0].type)
               : duet_moldable_duration(m->from, kind,
                                        (duet_processor_set){fix->range, fix->ranges});
}

// What both entries say of a task, that of `fix` first.
static duet_fix merge(making *m, int64_t task)
{
    const duet_fix none = {task, -1, NULL, 0, DUET_FORBIDDEN, DUET_FORBIDDEN};
    const duet_fix *plan = m->plan_of[task] == 0 ? &none : &m->desc->plan[m->plan_of[task] - 1];
    const duet_fix *fix = m->fix_of[task] == 0 ? &none : &m->desc->fix[m->fix_of[task] - 1];
    bool moved = fix->ranges > 0 || (fix->type >= 0 && fix->type != plan->type);
    bool shifted = fix->start != DUET_FORBIDDEN && fix->start != plan->start;
    duet_fix both = *fix;
    both.type = both.type < 0 ? plan->type : both.type;
    if (!moved) {
        both.range = plan->range;
        both.ranges = plan->ranges;
    }
    both.start = in_ticks(m, both.start == DUET_FORBIDDEN ? plan->start : both.start);
    both.end = in_ticks(m, both.end == DUET_FORBIDDEN && !moved && !shifted ? plan->end : both.end);
    return both;
}

// Whether a task of a plan has ended by `now`, or runs on processors that stay.
static bool has_begun(const making *m, const duet_fix *run, int64_t now)
{
    return run->end <= now || (run->start < now && !is_without(m, run));
}

// Sets the end of a run where none is given. False: it has no time there.
static bool set_end(const making *m, duet_fix *run)
{
    int64_t time = time_on(m, run);
    if (run->end == DUET_FORBIDDEN && time != DUET_FORBIDDEN) {
        run->end = run->start + time;
    }
    return run->end != DUET_FORBIDDEN &&
           duet_allowed(m->from, duet_instance_kind_of(m->from, run->task),
                        (size_t)run->range[0].type);
}

// Whether a task is given to other processors than planned, with a free start, as one may be that
// has not begun as planned. *contradicts: it has.
static bool is_moved(making *m, int64_t task, int64_t now, bool *contradicts)
{
    *contradicts = false;
    if (m->plan_of[task] == 0 || m->fix_of[task] == 0) {
        return false;
    }
    const duet_fix *fix = &m->desc->fix[m->fix_of[task] - 1];
    duet_fix plan = m->desc->plan[m->plan_of[task] - 1];
    if (fix->start != DUET_FORBIDDEN || fix->end != DUET_FORBIDDEN || plan.ranges == 0 ||
        plan.start == DUET_FORBIDDEN) {
        return false;
    }
    bool elsewhere = fix->ranges > 0
                         ? !duet_set_equal((duet_processor_set){fix->range, fix->ranges},
                                           (duet_processor_set){plan.range, plan.ranges})
                         : fix->type >= 0 && fix->type != plan.range[0].type;
    plan.start = in_ticks(m, plan.start);
    plan.end = in_ticks(m, plan.end);
    *contradicts = elsewhere && set_end(m, &plan) && has_begun(m, &plan, now);
    return elsewhere;
}

// A task that has begun by `now`, or of which an end is given.
static duet_code judge_run(making *m, int64_t task, int64_t now)
{
    bool ends = m->fix_of[task] != 0 && m->desc->fix[m->fix_of[task] - 1].end != DUET_FORBIDDEN;
    bool planned = now != DUET_FORBIDDEN && m->plan_of[task] != 0;
    bool contradicts = false;
    if ((!ends && !planned) || (planned && is_moved(m, task, now, &contradicts) && !contradicts)) {
        return DUET_OK;
    }
    if (planned && contradicts) {
        return fault(m, task,
                     "expected its start: it has begun, on another processor than planned");
    }
    duet_fix both = merge(m, task);
    bool later = both.ranges == 0 && both.start != DUET_FORBIDDEN && both.start >= now;
    if (later && !ends) {
        return DUET_OK; // planned, or given, for any processor
    }
    if (both.ranges == 0 || both.start == DUET_FORBIDDEN) {
        return fault(m, task, "expected its %s: %s", both.ranges == 0 ? "processor" : "start",
                     ends ? "an end alone does not say where and when it runs"
                          : "the plan does not say it");
    }
    if (!set_end(m, &both)) {
        return fault(m, task, "has no time where it is said to run");
    }
    if (both.end < both.start) {
        return fault(m, task, "ends before it starts");
    }
    if (ends || has_begun(m, &both, now)) {
        m->said[task] = both;
        m->fate[task] = RUN;
    }
    return DUET_OK;
}

// A task that runs at `now` on processors that are lost.
static duet_code give_up(making *m, int64_t task, int64_t now)
{
    const duet_fix *plan = m->plan_of[task] == 0 ? NULL : &m->desc->plan[m->plan_of[task] - 1];
    if (now == DUET_FORBIDDEN || plan == NULL || plan->ranges == 0 ||
        plan->start == DUET_FORBIDDEN || !is_without(m, plan)) {
        return DUET_OK;
    }
    duet_fix run = *plan;
    run.start = in_ticks(m, run.start);
    run.end = in_ticks(m, run.end);
    for (size_t r = 0; r < run.ranges && run.start < now && set_end(m, &run); r++) {
        const duet_given_up one = {task, run.start, now, run.range[r]};
        DUET_TRY(duet_vec_push(m->given_up, m->given_ups, m->error, one));
    }
    return DUET_OK;
}

static duet_code judge_tasks(making *m)
{
    int64_t now = in_ticks(m, m->desc->now);
    for (int64_t j = 0; j < duet_tasks(m->from); j++) {
        if (m->plan_of[j] == 0 && m->fix_of[j] == 0) {
            continue;
        }
        DUET_TRY(judge_run(m, j, now));
        DUET_TRY(m->fate[j] == RUN ? DUET_OK : give_up(m, j, now));
        if (m->fate[j] != RUN && m->fix_of[j] != 0) {
            m->said[j] = m->desc->fix[m->fix_of[j] - 1];
            m->said[j].start = in_ticks(m, m->said[j].start);
            m->fate[j] = PINNED;
        }
    }
    return DUET_OK;
}

// --- the instance --------------------------------------------------------------------------------

// A kind of which something is given, or of which some tasks have begun, is divided.
static duet_code divide_kinds(making *m)
{
    const duet_instance *from = m->from;
    for (size_t i = 0; i < from->kinds; i++) {
        bool divides = false;
        for (int64_t j = from->first[i]; j < from->first[i + 1] && !divides; j++) {
            divides = m->fate[j] != FREE;
        }
        int64_t step = divides ? 1 : duet_count(from, i);
        for (int64_t j = from->first[i]; j < from->first[i + 1]; j += step) {
            DUET_TRY(duet_vec_push(m->pick, m->picks, m->error, (duet_pick){j, step}));
        }
    }
    return DUET_OK;
}

static void forbid_others(duet_instance *to, size_t kind, duet_processor_set set, int32_t type)
{
    for (size_t t = 0; t < to->types; t++) {
        bool stays = type == (int32_t)t;
        for (size_t r = 0; r < set.count; r++) {
            stays = stays || set.range[r].type == (int32_t)t;
        }
        if (!stays) {
            to->times[kind * to->types + t] = DUET_FORBIDDEN;
            if (to->moldable != NULL) { // no table gives it times again
                to->moldable->cell[kind * to->types + t] = 0;
            }
        }
    }
}

// The work of a run may be more than that of its kind.
static void set_real_time(making *m, size_t kind, size_t type, int64_t time)
{
    duet_instance *to = m->to;
    int64_t longest = 0;
    for (size_t t = 0; t < to->types; t++) {
        int64_t own = duet_time(to, kind, t);
        longest = own == DUET_FORBIDDEN ? longest : duet_max(own, longest);
    }
    to->work += time > longest ? time - longest : 0;
    to->times[kind * to->types + type] = time;
}

static duet_code pin_kind(making *m, size_t kind, int64_t task)
{
    duet_instance *to = m->to;
    duet_pins *pins = to->pins;
    const duet_fix *said = &m->said[task];
    duet_pin *pin = &pins->pin[kind];
    bool run = m->fate[task] == RUN;
    *pin = (duet_pin){said->start, run ? said->end : DUET_FORBIDDEN, pins->ranges, said->ranges};
    for (size_t r = 0; r < said->ranges; r++) {
        DUET_TRY(duet_vec_push(pins->range, pins->ranges, m->error, said->range[r]));
    }
    if (run && to->moldable == NULL) {
        set_real_time(m, kind, (size_t)said->range[0].type, said->end - said->start);
    }
    if (said->type >= 0 || said->ranges > 0) {
        const duet_processor_set set = {said->range, said->ranges};
        forbid_others(to, kind, set, said->ranges > 0 ? -1 : said->type);
    }
    return DUET_OK;
}

// What was given before, and is not given anew.
static duet_code keep_pin(making *m, size_t kind, int64_t task)
{
    const duet_pin *old = duet_pin_of(m->from, duet_instance_kind_of(m->from, task));
    duet_pins *pins = m->to->pins;
    if (old == NULL) {
        return DUET_OK;
    }
    pins->pin[kind] = *old;
    pins->pin[kind].set_at = pins->ranges;
    for (size_t r = 0; r < old->set_count; r++) {
        DUET_TRY(duet_vec_push(pins->range, pins->ranges, m->error,
                               m->from->pins->range[old->set_at + r]));
    }
    return DUET_OK;
}

static duet_code raise_release(making *m, size_t kind, int64_t now)
{
    duet_instance *to = m->to;
    if (now == DUET_FORBIDDEN || now == 0) {
        return DUET_OK;
    }
    if (to->release == NULL) {
        to->release = duet_alloc(to->kinds, sizeof *to->release, m->error);
        DUET_NEED(to->release);
    }
    to->release[kind] = duet_max(now, to->release[kind]);
    to->latest = duet_max(now, to->latest);
    return DUET_OK;
}

static duet_code pin_all(making *m)
{
    int64_t now = in_ticks(m, m->desc->now);
    m->to->now = now == DUET_FORBIDDEN ? m->from->now : (duet_decimal){now, m->from->decimals};
    for (size_t i = 0; i < m->picks; i++) {
        int64_t task = m->pick[i].first;
        DUET_TRY(m->fate[task] == FREE ? keep_pin(m, i, task) : pin_kind(m, i, task));
        const duet_pin *pin = duet_pin_of(m->to, i);
        if (!duet_is_run(pin)) {
            DUET_TRY(raise_release(m, i, now));
        }
        if (duet_is_given(pin)) {
            m->to->latest = duet_max(pin->start, m->to->latest);
        }
    }
    return DUET_OK;
}

// Whether all times fit: the latest instant that is known of, and all work behind it.
static duet_code limit_times(const making *m)
{
    const duet_instance *to = m->to;
    return to->latest <= DUET_MAX_WORK && to->work <= DUET_MAX_WORK - to->latest
               ? DUET_OK
               : duet_error_set(m->error, DUET_E_LIMIT,
                                "times are too long: expected at most 2^62 ticks with all work");
}

// The latest instant that is known of. What is given has been checked, so that each given task has
// a time where it runs.
static void find_latest(making *m)
{
    for (size_t i = 0; i < m->picks; i++) {
        if (duet_is_given(duet_pin_of(m->to, i))) {
            m->to->latest = duet_max(duet_pin_end(m->to, i), m->to->latest);
        }
    }
}

// Each once, rising.
static void sort_lost(duet_pins *pins, size_t type)
{
    pins->lost_count[type] = duet_sort_distinct(pins->lost[type], pins->lost_count[type]);
}

static duet_code lose(making *m, size_t type, int64_t processor)
{
    duet_pins *pins = m->to->pins;
    return duet_vec_push(pins->lost[type], pins->lost_count[type], m->error, processor);
}

static duet_code lose_all(making *m)
{
    const duet_pins *old = m->from->pins;
    for (size_t t = 0; old != NULL && t < m->from->types; t++) {
        for (size_t i = 0; i < old->lost_count[t]; i++) {
            DUET_TRY(lose(m, t, old->lost[t][i]));
        }
    }
    for (size_t k = 0; k < m->desc->withouts; k++) {
        const duet_processor_range *range = &m->desc->without[k];
        bool known = range->type >= 0 && (size_t)range->type < m->from->types;
        int64_t count = known ? m->from->processors[range->type] : 0;
        if (!known || range->first < 0 || range->last < range->first || range->last >= count) {
            return duet_error_set(
                m->error, DUET_E_INPUT,
                "processor %d of type %s, which is to be left out, does not exist: expected 0 to "
                "%lld",
                (int)range->last, known ? m->from->type_names[range->type] : "(unknown)",
                (long long)count - 1);
        }
        for (int64_t p = range->first; p <= range->last; p++) {
            DUET_TRY(lose(m, (size_t)range->type, p));
        }
    }
    for (size_t t = 0; t < m->from->types; t++) {
        sort_lost(m->to->pins, t);
    }
    return DUET_OK;
}

static duet_code set_ticks(making *m, const duet_instance *instance)
{
    int finer = m->desc->finer;
    m->from = instance;
    m->divisor = 1;
    if (finer > 0 && instance->moldable != NULL) {
        m->divisor = duet_finer_scale(finer);
    } else if (finer > 0) {
        DUET_TRY(duet_instance_refine(instance, finer, &m->refined, m->error));
        m->from = m->refined;
    }
    return DUET_OK;
}

// Where nothing is given and none is lost, the instance is one like any other.
static void drop_empty_pins(duet_instance *to)
{
    bool some = false;
    for (size_t kind = 0; kind < to->kinds && !some; kind++) {
        some = duet_pin_of(to, kind) != NULL;
    }
    for (size_t t = 0; t < to->types && !some; t++) {
        some = to->pins->lost_count[t] > 0;
    }
    if (!some) {
        duet_pins_free(to->pins);
        to->pins = NULL;
    }
}

// Whether finer ticks are all that is wanted: then what is said of the instance as a whole, such as
// its claim, holds on.
static bool is_finer_alone(const making *m)
{
    const duet_replan_desc *desc = m->desc;
    return m->refined != NULL && desc->now == DUET_FORBIDDEN && desc->plans == 0 &&
           desc->fixes == 0 && desc->withouts == 0;
}

static duet_code make(making *m)
{
    if (is_finer_alone(m)) {
        m->to = m->refined;
        m->refined = NULL;
        return DUET_OK;
    }
    size_t tasks = (size_t)duet_tasks(m->from);
    m->plan_of = duet_alloc(tasks, sizeof *m->plan_of, m->error);
    m->fix_of = duet_alloc(tasks, sizeof *m->fix_of, m->error);
    m->said = duet_alloc(tasks, sizeof *m->said, m->error);
    m->fate = duet_alloc(tasks, sizeof *m->fate, m->error);
    DUET_NEED(m->plan_of != NULL && m->fix_of != NULL && m->said != NULL && m->fate != NULL);
    DUET_TRY(index_entries(m, m->desc->plan, m->desc->plans, "the plan", m->plan_of));
    DUET_TRY(index_entries(m, m->desc->fix, m->desc->fixes, "what is fixed", m->fix_of));
    DUET_TRY(judge_tasks(m));
    DUET_TRY(divide_kinds(m));
    DUET_TRY(duet_instance_pick(m->from, m->pick, m->picks, &m->to, m->error));
    DUET_TRY(duet_pins_create(m->picks, &m->to->pins, m->error));
    DUET_TRY(pin_all(m));
    DUET_TRY(lose_all(m));
    m->to->pins->given_up = m->given_up;
    m->to->pins->given_ups = m->given_ups;
    m->given_up = NULL;
    DUET_TRY(limit_times(m));
    DUET_TRY(duet_pins_check(m->to, m->error));
    find_latest(m);
    DUET_TRY(limit_times(m));
    drop_empty_pins(m->to);
    return DUET_OK;
}

// What the reader had to say holds on.
static duet_code set_notice(making *m, const duet_instance *instance)
{
    const char *before = instance->notice == NULL ? "" : instance->notice;
    const char *rounded = m->rounded ? "times of what is given are rounded to the nearest tick of "
                                       "moldable tasks"
                                     : "";
    size_t size = strlen(before) + strlen("; ") + strlen(rounded) + 1;
    if (before[0] == '\0' && !m->rounded) {
        return DUET_OK;
    }
    m->to->notice = duet_alloc_raw(size, 1, m->error);
    DUET_NEED(m->to->notice);
    snprintf(m->to->notice, size, "%s%s%s", before, before[0] != '\0' && m->rounded ? "; " : "",
             rounded);
    return DUET_OK;
}

duet_code duet_instance_give(const duet_instance *instance, const duet_replan_desc *given,
                             duet_instance **out, duet_error *error)
{
    duet_replan_desc desc = {.now = DUET_FORBIDDEN};
    making m = {.desc = &desc, .error = error};
    *out = NULL;
    DUET_TRY(duet_struct_take(&desc, sizeof desc, DUET_SIZE_UNTIL(duet_replan_desc, withouts),
                              given, "duet_replan_desc", error));
    if (!instance->has_platform || desc.finer < 0 || desc.finer > DUET_FINER_PLACES ||
        desc.now < 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "what is given: expected an instance with a platform, 0 to %d finer "
                              "places, and a time of 0 or more",
                              DUET_FINER_PLACES);
    }
    duet_code code = set_ticks(&m, instance);
    DUET_THEN(code, make(&m));
    DUET_THEN(code, set_notice(&m, instance));
    if (code == DUET_OK) {
        *out = m.to;
    } else {
        duet_instance_free(m.to);
    }
    duet_instance_free(m.refined);
    duet_free(m.plan_of);
    duet_free(m.fix_of);
    duet_free(m.said);
    duet_free(m.fate);
    duet_free(m.given_up);
    duet_free(m.pick);
    return code;
}
