// SPDX-License-Identifier: Apache-2.0
#include "heuristics/engine/online.h"

#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/engine/information.h"
#include "heuristics/engine/online_state.h"
#include "heuristics/engine/places.h"

enum { TASK = 256 }; // units of work of a task that is ready, or placed

// --- decisions -----------------------------------------------------------------------------------

static duet_code bind_ready(duet_simulation *s, duet_error *error)
{
    if (s->reality != NULL) {
        duet_real_refresh(s);
    }
    if (s->how->bind == DUET_BIND_IDLE) {
        return duet_idle_start(s, error);
    }
    while (s->ready.count > 0) {
        int64_t task = duet_ready_take(&s->ready);
        size_t type = 0;
        if (duet_watch_spend(&s->watch, TASK)) {
            return duet_watch_code(&s->watch, error);
        }
        duet_spot spot = {0, 0};
        DUET_TRY(duet_simulation_choose(s, &s->queues, task, &type, &spot, error));
        duet_simulation_bind(s, task, type, spot);
    }
    return DUET_OK;
}

// --- revelations ---------------------------------------------------------------------------------

static duet_code add_later(duet_simulation *s, duet_later later, duet_error *error)
{
    DUET_TRY(duet_vec_grow(s->later, s->later_count, error));
    duet_laters_push(NULL, s->later, &s->later_count, later);
    return DUET_OK;
}

// Tasks that are released by now are ready.
static duet_code take_later(duet_simulation *s, duet_error *error)
{
    duet_code code = DUET_OK;
    while (s->later_count > 0 && s->later[0].time <= s->now && code == DUET_OK) {
        duet_later later = duet_laters_pop(NULL, s->later, &s->later_count);
        if (later.task >= 0) {
            code = duet_ready_add(&s->ready, later.task, (size_t)s->kind[later.task], error);
        }
    }
    return code;
}

// A task that waits for an idle processor may start when one is no more busy.
static duet_code add_busy(duet_simulation *s, duet_error *error)
{
    const duet_instance *instance = s->list.instance;
    for (size_t t = 0; t < instance->types && s->how->bind == DUET_BIND_IDLE; t++) {
        for (int64_t p = 0; p < instance->busy_count[t]; p++) {
            if (instance->busy[t][p] > 0) {
                DUET_TRY(add_later(s, (duet_later){instance->busy[t][p], -1}, error));
            }
        }
    }
    return DUET_OK;
}

static duet_code add_ready(duet_simulation *s, int64_t task, duet_error *error)
{
    if (duet_watch_spend(&s->watch, TASK)) {
        return duet_watch_code(&s->watch, error);
    }
    int64_t release = duet_release(s->list.instance, (size_t)s->kind[task]);
    if (release > s->now) {
        return add_later(s, (duet_later){release, task}, error);
    }
    return duet_ready_add(&s->ready, task, (size_t)s->kind[task], error);
}

// What the edges of the instance reveal.
static duet_code reveal_by_edges(duet_simulation *s, duet_error *error)
{
    duet_code code = DUET_OK;
    const duet_graph *graph = s->list.instance->graph;
    for (size_t i = 0; i < s->completed_count && graph != NULL && code == DUET_OK; i++) {
        int64_t done = s->completed[i];
        int64_t at = graph->leave_at[done];
        for (int64_t task; (task = duet_waits_next(&s->waits, done, &at)) >= 0;) {
            DUET_THEN(code, add_ready(s, task, error));
        }
    }
    return code;
}

static duet_code reveal_first(duet_simulation *s, duet_error *error)
{
    for (int64_t j = 0; j < duet_tasks(s->list.instance); j++) {
        if (s->waits.left == NULL || s->waits.left[j] == 0) {
            DUET_TRY(add_ready(s, j, error));
        }
    }
    return DUET_OK;
}

static duet_code reveal(duet_simulation *s, bool first, duet_error *error)
{
    const duet_task_source *source = s->how->source;
    if (source != NULL) {
        return source->reveal(source->user, s->completed, s->completed_count, s->now, &s->ready,
                              error);
    }
    return first ? reveal_first(s, error) : reveal_by_edges(s, error);
}

// --- time ----------------------------------------------------------------------------------------

// When the first task of a line ends, once the one before it has completed.
static int64_t end_of_first(duet_simulation *s, size_t line)
{
    int32_t task = s->line[line].first;
    if (s->reality == NULL) {
        return duet_queues_end(&s->queues, task);
    }
    size_t type = (size_t)s->solution->placement[task].type;
    s->real[line].behind -= duet_time(s->list.instance, (size_t)s->kind[task], type);
    return duet_real_start(s, line);
}

// Takes the first task of the line that ends first.
static int32_t complete(duet_simulation *s)
{
    size_t at = s->events[0].line;
    duet_line *line = &s->line[at];
    int32_t task = line->first;
    line->first = s->next[task];
    if (line->first < 0) {
        duet_line_events_pop(NULL, s->events, &s->event_count);
    } else {
        duet_line_event next = {end_of_first(s, at), at};
        duet_line_events_replace_top(NULL, s->events, s->event_count, next);
    }
    if (s->reality != NULL) {
        s->done[task] = true;
    }
    return task;
}

// All completions of the next instant, and what they reveal; then what is lost.
static duet_code advance(duet_simulation *s, duet_error *error)
{
    duet_code code = DUET_OK;
    int64_t next = s->event_count == 0  ? INT64_MAX
                   : s->reality == NULL ? s->events[0].time
                                        : duet_real_next(s);
    if (s->later_count > 0) {
        next = duet_min(s->later[0].time, next);
    }
    DUET_ASSERT(next >= s->now);
    s->now = next;
    s->completed_count = 0;
    while (s->event_count > 0 && s->events[0].time == s->now && code == DUET_OK) {
        code = duet_vec_push(s->completed, s->completed_count, error, complete(s));
    }
    if (code == DUET_OK && s->completed_count > 0) {
        code = reveal(s, false, error);
    }
    DUET_THEN(code, take_later(s, error));
    return code == DUET_OK && s->reality != NULL ? duet_real_lose(s, error) : code;
}

static duet_code simulate(duet_simulation *s, duet_error *error)
{
    DUET_TRY(add_busy(s, error));
    DUET_TRY(reveal(s, true, error));
    if (s->reality != NULL) {
        DUET_TRY(duet_real_lose(s, error)); // gone from the beginning
    }
    DUET_TRY(bind_ready(s, error));
    while (s->event_count > 0 || s->later_count > 0) {
        DUET_TRY(duet_watch_spend(&s->watch, TASK) ? duet_watch_code(&s->watch, error)
                                                   : advance(s, error));
        DUET_TRY(bind_ready(s, error));
    }
    return DUET_OK;
}

// --- beginning and end ---------------------------------------------------------------------------

// What follows completions: where some task waits for one, be it for an idle processor.
static duet_code create_lines(duet_simulation *s, duet_error *error)
{
    const duet_instance *instance = s->list.instance;
    size_t lines = 0;
    for (size_t t = 0; t < instance->types; t++) {
        s->line_at[t] = lines;
        lines += s->queues.of[t].count;
    }
    s->line = duet_alloc_raw(lines, sizeof *s->line, error);
    s->next = duet_alloc_raw((size_t)duet_tasks(instance), sizeof *s->next, error);
    s->events = duet_alloc_raw(lines, sizeof *s->events, error);
    DUET_NEED(s->line != NULL && s->next != NULL && s->events != NULL);
    for (size_t i = 0; i < lines; i++) {
        s->line[i] = (duet_line){-1, -1};
    }
    return DUET_OK;
}

// No more than the rule asks for.
static duet_code inform(duet_simulation *s, duet_error *error)
{
    duet_code code = DUET_OK;
    if (s->how->source != NULL) {
        s->list.bottom = s->how->source->bottom;
        s->list.descendants = s->how->source->descendants;
        return DUET_OK;
    }
    if (s->rule->information >= DUET_SEES_BOTTOM) {
        code = duet_bottom_levels(s->list.instance, &s->bottom, error);
    }
    if (code == DUET_OK && s->rule->information >= DUET_SEES_DESCENDANTS) {
        code = duet_descendant_work(s->list.instance, s->context, &s->descendants, error);
    }
    s->list.bottom = s->bottom;
    s->list.descendants = s->descendants;
    return code;
}

static duet_code create(duet_simulation *s, duet_error *error)
{
    const duet_instance *instance = s->list.instance;
    s->kind = duet_kinds_of_tasks(instance, error);
    DUET_NEED(s->kind);
    duet_code code = duet_queues_create(instance, s->kind, s->reality, s->solution->placement,
                                        &s->queues, error);
    bool waits = instance->graph != NULL && s->how->source == NULL;
    if (code == DUET_OK && waits) {
        code = duet_waits_create(instance->graph, &s->waits, error);
    }
    bool follows =
        waits || instance->release != NULL || s->how->source != NULL || s->reality != NULL;
    if (code == DUET_OK && (follows || s->how->bind == DUET_BIND_IDLE)) {
        code = create_lines(s, error);
    }
    if (code == DUET_OK && s->reality != NULL) {
        code = duet_real_begin(s, error);
    }
    if (code == DUET_OK && s->how->bind == DUET_BIND_IDLE) {
        code = duet_idle_begin(s, error);
    }
    if (code == DUET_OK && s->how->place == NULL && s->rule->priority != NULL) {
        code = duet_ready_rank(&s->ready, instance, s->rule->priority, error);
    }
    DUET_THEN(code, inform(s, error));
    s->ready.place = s->how->place;
    s->list.spot = s->spot;
    s->list.kind = s->kind;
    s->list.given = s->how->given;
    s->list.idle = s->how->bind == DUET_BIND_IDLE;
    return code;
}

static void destroy(duet_simulation *s)
{
    duet_idle_end(s);
    duet_real_end(s);
    duet_queues_free(&s->queues);
    duet_waits_free(&s->waits);
    duet_ready_free(&s->ready);
    duet_free(s->kind);
    duet_free(s->line);
    duet_free(s->next);
    duet_free(s->events);
    duet_free(s->completed);
    duet_free(s->later);
    duet_free(s->bottom);
    duet_free(s->descendants);
}

duet_code duet_online_run(const duet_rule *rule, const duet_instance *instance,
                          const duet_context *context, const duet_online *how,
                          duet_solution *solution, duet_error *error)
{
    duet_simulation s = {.rule = rule,
                         .context = context,
                         .how = how,
                         .solution = solution,
                         .reality = context->reality,
                         .watch = {.context = context->reality == NULL ? NULL : context},
                         .list = {.instance = instance}};
    if (how->bind == DUET_BIND_IDLE &&
        (duet_instance_features(instance) & DUET_FEATURE_COMMUNICATION) != 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "bind=idle does not handle what this instance has: communication "
                              "between types; expected bind=queue");
    }
    duet_code code = create(&s, error);
    if (code == DUET_OK && rule->begin != NULL) {
        code = rule->begin(&s.list, context, error);
    }
    DUET_THEN(code, simulate(&s, error));
    if (rule->end != NULL) {
        rule->end(&s.list, solution);
    }
    destroy(&s);
    return code;
}

const duet_option_spec duet_online_options[] = {DUET_OPTIONS_ONLINE, {.name = NULL}};

duet_code duet_online_solve(const duet_rule *rule, const duet_instance *instance,
                            const duet_context *context, const void *given, duet_solution *solution,
                            duet_error *error)
{
    const duet_options *options = context->options;
    duet_online how = {.bind = (duet_bind)duet_option_choice(options, duet_online_options, "bind"),
                       .given = given};
    int32_t *place = NULL;
    duet_code code = DUET_OK;
    if (duet_option_choice(options, duet_online_options, "order") != 0) {
        code = duet_places_by_bottom_level(instance, DUET_LEVEL_LEAST, &place, error);
    }
    how.place = place;
    DUET_THEN(code, duet_online_run(rule, instance, context, &how, solution, error));
    duet_free(place);
    return code;
}
