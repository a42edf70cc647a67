// SPDX-License-Identifier: Apache-2.0
// Online scheduling where real times differ from planned ones.
//
// Completions are real, and so is the start of the next task of a line. What the rule is told of a
// processor is what is planned: when the task that runs would end, or now if that has passed, and
// behind it the planned times of those that wait in line. A task that runs ends after now, for
// completions come first; where tasks wait for idle processors it counts as busy for that tick.
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "heuristics/engine/online_state.h"

enum { PROCESSOR = 4 }; // units of work

duet_code duet_real_begin(duet_simulation *s, duet_error *error)
{
    size_t lines = 0;
    for (size_t t = 0; t < s->list.instance->types; t++) {
        lines += s->queues.of[t].count;
    }
    s->real = duet_alloc(lines, sizeof *s->real, error);
    s->done = duet_alloc((size_t)duet_tasks(s->list.instance), sizeof *s->done, error);
    s->next_gone = duet_reality_next_gone(s->reality, 0);
    return s->real == NULL || s->done == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_real_end(duet_simulation *s)
{
    duet_free(s->real);
    duet_free(s->done);
}

int64_t duet_real_next(const duet_simulation *s)
{
    int64_t completion = s->events[0].time;
    if (s->next_gone == s->reality->disturbances) {
        return completion;
    }
    int64_t loss = s->reality->disturbance[s->next_gone].at;
    return duet_min(loss, completion);
}

// --- losses --------------------------------------------------------------------------------------

// The end of a line's first task will not come.
static void drop_event(duet_simulation *s, size_t line)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->event_count; i++) {
        if (s->events[i].line != line) {
            s->events[kept++] = s->events[i];
        }
    }
    s->event_count = kept;
    duet_line_events_heapify(NULL, s->events, kept);
}

// The tasks of a line are ready again.
static duet_code give_back(duet_simulation *s, size_t line, duet_error *error)
{
    int32_t task = s->line[line].first;
    duet_code code = DUET_OK;
    if (task >= 0) {
        duet_placement placed = s->solution->placement[task];
        drop_event(s, line);
        if (placed.start < s->now) {
            duet_aborted run = {task, placed.start, s->now, placed.processor, placed.type};
            code = duet_solution_add_aborted(s->solution, run, error);
        }
    }
    for (; task >= 0 && code == DUET_OK; task = s->next[task]) {
        code = duet_ready_add(&s->ready, task, (size_t)s->kind[task], error);
    }
    s->line[line] = (duet_line){-1, -1};
    s->real[line] = (duet_real_line){.gone = true};
    return code;
}

duet_code duet_real_lose(duet_simulation *s, duet_error *error)
{
    duet_reality *reality = s->reality;
    duet_code code = DUET_OK;
    while (s->next_gone < reality->disturbances && code == DUET_OK &&
           reality->disturbance[s->next_gone].at <= s->now) {
        const duet_disturbance *gone = &reality->disturbance[s->next_gone];
        size_t used = s->queues.of[gone->type].count;
        code = duet_reality_lose(reality, gone, s->done, error);
        if (code == DUET_OK && (size_t)gone->processor < used) {
            code = give_back(s, s->line_at[gone->type] + (size_t)gone->processor, error);
        }
        if (code == DUET_OK && reality->platform.processors[gone->type] == 0) {
            code = duet_idle_lose(s, gone->type, error);
        }
        s->next_gone = duet_reality_next_gone(reality, s->next_gone + 1);
    }
    return code;
}

// --- expectations --------------------------------------------------------------------------------

// From when on a processor that has tasks is expected to be free.
static int64_t expected_end(const duet_simulation *s, size_t line)
{
    bool idle = s->how->bind == DUET_BIND_IDLE;
    int64_t end = duet_max(s->real[line].end, s->now + idle);
    if (!s->queues.costs) {
        return end + s->real[line].behind;
    }
    for (int32_t task = s->next[s->line[line].first]; task >= 0; task = s->next[task]) {
        end = duet_max(end, duet_real_arrival(s, task)) + duet_real_time(s, task);
    }
    return end;
}

static void refresh_processor(duet_simulation *s, size_t type, size_t processor)
{
    duet_tournament *free_from = &s->queues.of[type];
    size_t line = s->line_at[type] + processor;
    int64_t before = duet_tournament_at(free_from, processor);
    int64_t busy = duet_busy_until(s->list.instance, type, (int64_t)processor);
    int64_t now = duet_max(busy, duet_min(s->now, before));
    if (s->real[line].gone) {
        now = INT64_MAX;
    } else if (s->line[line].first >= 0) {
        now = expected_end(s, line);
    }
    if (now != before) {
        duet_tournament_set(free_from, processor, now);
    }
}

void duet_real_refresh(duet_simulation *s)
{
    for (size_t t = 0; t < s->list.instance->types; t++) {
        (void)duet_watch_spend(&s->watch, PROCESSOR * (int64_t)s->queues.of[t].count);
        for (size_t p = 0; p < s->queues.of[t].count; p++) {
            refresh_processor(s, t, p);
        }
    }
}
