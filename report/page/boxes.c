// SPDX-License-Identifier: Apache-2.0
#include "report/page/boxes.h"

#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"

// How boxes are made from the sorted intervals of a processor.
typedef struct boxing {
    const duet_instance *instance;
    const duet_intervals *intervals;
    const duet_gantt_classes *classes;
    duet_boxes *boxes; // NULL: only counted
    duet_box_level level;
    int64_t width; // longest mixed box
    size_t count;
} boxing;

static bool same_processor(const duet_interval *a, const duet_interval *b)
{
    return a->type == b->type && a->processor == b->processor;
}

static bool continues(const boxing *state, const duet_interval *first, const duet_interval *last,
                      const duet_interval *next)
{
    if (!same_processor(last, next) || last->aborted || next->aborted) {
        return false;
    }
    if (state->level == DUET_BOX_MIXED) {
        // Overlaps (of a schedule that is wrong) stay apart.
        return next->start >= last->end && next->end - first->start <= state->width;
    }
    return last->kind == next->kind && next->start == last->end &&
           (state->level == DUET_BOX_KINDS || next->task == last->task + 1);
}

// The kind of the class that most of the intervals' time is in.
static size_t main_kind(const boxing *state, size_t from, size_t to)
{
    int64_t time[DUET_GANTT_MAX_CLASSES] = {0};
    size_t best = state->intervals->interval[from].kind;
    for (size_t i = from; i < to; i++) {
        const duet_interval *interval = &state->intervals->interval[i];
        size_t class = state->classes->of_kind[interval->kind];
        time[class] += interval->end - interval->start;
        if (time[class] > time[state->classes->of_kind[best]]) {
            best = interval->kind;
        }
    }
    return best;
}

static void add_box(boxing *state, size_t from, size_t to)
{
    state->count++;
    if (state->boxes == NULL) {
        return;
    }
    const duet_interval *first = &state->intervals->interval[from];
    size_t kind = state->level == DUET_BOX_MIXED ? main_kind(state, from, to) : first->kind;
    state->boxes->box[state->boxes->count++] =
        (duet_html_box){first->start,
                        state->intervals->interval[to - 1].end,
                        first->task - state->instance->first[first->kind],
                        (int64_t)(to - from),
                        kind,
                        first->aborted};
}

// Makes the boxes of the intervals from..to-1, which share a processor.
static void make_boxes(boxing *state, size_t from, size_t to)
{
    const duet_interval *interval = state->intervals->interval;
    size_t first = from;
    for (size_t i = from + 1; i <= to; i++) {
        if (i == to || !continues(state, &interval[first], &interval[i - 1], &interval[i])) {
            add_box(state, first, i);
            first = i;
        }
    }
}

static size_t row_end(const duet_intervals *intervals, size_t from)
{
    size_t to = from + 1;
    while (to < intervals->count &&
           same_processor(&intervals->interval[from], &intervals->interval[to])) {
        to++;
    }
    return to;
}

static size_t count_boxes(boxing *state, size_t most_rows, size_t *processors)
{
    state->count = 0;
    *processors = 0;
    for (size_t at = 0; at < state->intervals->count;) {
        size_t to = row_end(state->intervals, at);
        if ((*processors)++ < most_rows) {
            make_boxes(state, at, to);
        }
        at = to;
    }
    return state->count;
}

// The finest level that fits, and how many boxes it has.
static size_t choose_level(boxing *state, size_t most, size_t most_rows, size_t *processors)
{
    state->level = DUET_BOX_TASKS;
    size_t count = count_boxes(state, most_rows, processors);
    if (count > most) {
        state->level = DUET_BOX_KINDS;
        count = count_boxes(state, most_rows, processors);
    }
    if (count > most && *processors > 0) {
        // Two neighbours together are longer than the width, so that a row has at most
        // 2 * end / width + 1 of them, beside its aborted intervals.
        size_t rows = duet_min(*processors, most_rows);
        size_t parts = most / (2 * rows) + 1;
        state->level = DUET_BOX_MIXED;
        state->width = state->intervals->end / (int64_t)parts + 1;
        count = count_boxes(state, most_rows, processors);
    }
    return count;
}

static void fill(boxing *state, size_t rows)
{
    duet_boxes *boxes = state->boxes;
    size_t at = 0;
    while (boxes->rows < rows) {
        const duet_interval *interval = &state->intervals->interval[at];
        duet_box_row *row = &boxes->row[boxes->rows++];
        size_t to = row_end(state->intervals, at);
        *row = (duet_box_row){interval->type, interval->processor, boxes->count, 0, 0, 0};
        make_boxes(state, at, to);
        row->count = boxes->count - row->first;
        for (; at < to; at++) {
            interval = &state->intervals->interval[at];
            row->busy += interval->aborted ? 0 : interval->end - interval->start;
            row->lost += interval->aborted ? (double)(interval->end - interval->start) : 0;
        }
    }
}

duet_code duet_boxes_create(const duet_instance *instance, const duet_intervals *intervals,
                            const duet_gantt_classes *classes, size_t most, size_t most_rows,
                            duet_boxes *boxes, duet_error *error)
{
    boxing state = {.instance = instance, .intervals = intervals, .classes = classes};
    size_t processors = 0;
    *boxes = (duet_boxes){0};
    size_t count = choose_level(&state, most, most_rows, &processors);
    size_t rows = duet_min(processors, most_rows);
    boxes->box = duet_alloc(count, sizeof *boxes->box, error);
    boxes->row = duet_alloc(rows, sizeof *boxes->row, error);
    if (boxes->box == NULL || boxes->row == NULL) {
        duet_boxes_free(boxes);
        return DUET_E_MEMORY;
    }
    boxes->level = state.level;
    boxes->hidden = processors - rows;
    state.boxes = boxes;
    fill(&state, rows);
    return DUET_OK;
}

void duet_boxes_free(duet_boxes *boxes)
{
    duet_free(boxes->box);
    duet_free(boxes->row);
    *boxes = (duet_boxes){0};
}
