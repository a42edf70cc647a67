// SPDX-License-Identifier: Apache-2.0
// A processor that is free for task i at s ends at the later of s plus the times from i on, and of
// what the releases from i on make it: both are known of each task, so that a change is followed no
// further than it differs from the line.
#include "solvers/released/line.h"

#include "core/number/minmax.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { NONE = DUET_RELEASED_NO_TASK };

bool duet_released_comes_first(const duet_released_model *m, int32_t a, int32_t b)
{
    return m->release[a] != m->release[b] ? m->release[a] < m->release[b] : a < b;
}

static int64_t time_on(const duet_released_model *m, int32_t task, size_t p)
{
    return duet_time(m->instance, (size_t)m->kind[task], (size_t)m->processor[p].type);
}

// How many tasks of the line come before a task.
static size_t place_of(const duet_released_model *m, const duet_released_line *line, int32_t task)
{
    size_t low = 0;
    size_t high = line->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = duet_released_comes_first(m, line->stop[middle].task, task);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

duet_code duet_released_put_in(const duet_released_model *m, duet_released_line *line, int32_t task,
                               duet_error *error)
{
    DUET_TRY(duet_vec_grow(line->stop, line->count + 1, error));
    size_t place = place_of(m, line, task);
    for (size_t i = line->count++; i > place; i--) {
        line->stop[i].task = line->stop[i - 1].task;
    }
    line->stop[place].task = task;
    return DUET_OK;
}

void duet_released_take_out(const duet_released_model *m, duet_released_line *line, int32_t task)
{
    line->count--;
    for (size_t i = place_of(m, line, task); i < line->count; i++) {
        line->stop[i].task = line->stop[i + 1].task;
    }
}

void duet_released_settle(const duet_released_model *m, duet_released_line *line, size_t p)
{
    int64_t ready = m->processor[p].from;
    int64_t before = 0;
    for (size_t i = 0; i < line->count; i++) {
        duet_released_stop *stop = &line->stop[i];
        int64_t time = time_on(m, stop->task, p);
        stop->ready = ready;
        stop->before = before;
        ready = duet_max(ready, m->release[stop->task]) + time;
        before += time;
    }
    if (line->stop != NULL) {
        line->stop[line->count] = (duet_released_stop){ready, before, 0, NONE};
    }
    int64_t least = 0;
    for (size_t i = line->count; i-- > 0;) {
        int64_t rest = before - line->stop[i].before;
        least = duet_max(least, m->release[line->stop[i].task] + rest);
        line->stop[i].least = least;
    }
}

// When the tasks from `from` to before `to` have run, if the processor is free for the first at
// `ready`. Releases do not fall along the line: if that of the last has passed, all have.
static int64_t run_between(const duet_released_model *m, const duet_released_line *line,
                           size_t from, size_t to, int64_t ready)
{
    const duet_released_stop *stop = line->stop;
    if (from < to && ready >= m->release[stop[to - 1].task]) {
        return ready + stop[to].before - stop[from].before;
    }
    for (size_t i = from; i < to; i++) {
        ready = duet_max(ready, m->release[stop[i].task]) + stop[i + 1].before - stop[i].before;
    }
    return ready;
}

// When the processor ends that is free for the task at `from` at `ready`.
static int64_t run_from(const duet_released_line *line, size_t from, int64_t ready)
{
    int64_t rest = line->stop[line->count].before - line->stop[from].before;
    return duet_max(ready + rest, line->stop[from].least);
}

// Without the task at `out`, which is no task where that is the line's length, and with a task.
static int64_t end_with_task(const duet_released_model *m, const duet_released_line *line, size_t p,
                             size_t out, int32_t with)
{
    size_t in = place_of(m, line, with);
    int64_t release = m->release[with];
    int64_t time = time_on(m, with, p);
    if (in <= out) {
        int64_t ready = duet_max(line->stop[in].ready, release) + time;
        return out == line->count ? run_from(line, in, ready)
                                  : run_from(line, out + 1, run_between(m, line, in, out, ready));
    }
    int64_t ready = run_between(m, line, out + 1, in, line->stop[out].ready);
    return run_from(line, in, duet_max(ready, release) + time);
}

int64_t duet_released_end_with(const duet_released_model *m, const duet_released_line *line,
                               size_t p, int32_t without, int32_t with)
{
    if (line->count == 0) {
        int64_t from = m->processor[p].from;
        return with == NONE ? 0 : duet_max(from, m->release[with]) + time_on(m, with, p);
    }
    size_t out = without == NONE ? line->count : place_of(m, line, without);
    if (with != NONE) {
        return end_with_task(m, line, p, out, with);
    }
    return out == line->count ? line->stop[out].ready
                              : run_from(line, out + 1, line->stop[out].ready);
}
