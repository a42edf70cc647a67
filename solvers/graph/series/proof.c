// SPDX-License-Identifier: Apache-2.0
// Lines that prove what the stages of a task graph take together; see series.h.
// Method:    the tasks of a stage start after the paths that lead there. Its work, which is done
//            from there on, delays the first tasks of the next stage (line `ancestors`), and paths
//            go on from there (`heads`). In the end the last stage does not fit (`energy`), or the
//            last path.
// Guarantee: lines are kept only where the checker takes them.
// Cost:      O(tasks + edges) and for each first task of a stage the tasks and edges before it, at
//            most LOOKS of these in all.
// Memory:    some 10 bytes a task of text.
// Reference: docs/theory/graphs.md.

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/graph/network.h"
#include "solvers/graph/series/series.h"
#include "solvers/proof_text.h"

// Tasks and edges at which the checker looks, and bytes of a proof, at most.
enum { LOOKS = 1 << 28, BYTES = 1 << 24 };
// Bytes of the lines around those of the stages.
enum { HEADERS = 256 };

typedef struct writing {
    const duet_network *network;
    const duet_series *stages;
    const duet_series_area *area;
    int64_t *start; // Of each task, as far as it is raised.
    int32_t *stage; // Of each task.
    int64_t looks;  // That the lines take.
    bool too_long;  // There would be too many.
    duet_proof_writer text;
} writing;

static int64_t end_of(const writing *w, int32_t task)
{
    return w->start[task] + w->network->shortest[w->network->kind[task]];
}

static void put_line(writing *w, const char *word, const int64_t *number, size_t numbers,
                     const int64_t *weight)
{
    size_t types = w->network->instance->types;
    if (!duet_proof_begin(&w->text, (numbers + types + 2) * DUET_PROOF_NUMBER)) {
        return;
    }
    duet_proof_put(&w->text, word);
    for (size_t i = 0; i < numbers; i++) {
        duet_proof_put_number(&w->text, number[i]);
    }
    for (size_t t = 0; weight != NULL && t < types; t++) {
        duet_proof_put_number(&w->text, weight[t]);
    }
    duet_proof_put(&w->text, "\n");
}

// Whether a task of a stage has no predecessor in it.
static bool is_first(const writing *w, int32_t task)
{
    const duet_graph *graph = w->network->graph;
    for (int64_t i = graph->enter_at[task]; i < graph->enter_at[task + 1]; i++) {
        if (w->stage[graph->tail[graph->entering[i]]] == w->stage[task]) {
            return false;
        }
    }
    return true;
}

// Paths go on from where the tasks before have been raised to.
static void raise_heads(writing *w, const int32_t *order, int64_t count)
{
    const duet_graph *graph = w->network->graph;
    if (!duet_proof_begin(&w->text, ((size_t)count + 2) * DUET_PROOF_NUMBER)) {
        return;
    }
    duet_proof_put(&w->text, "heads");
    duet_proof_put_number(&w->text, count);
    for (int64_t i = 0; i < count; i++) {
        int32_t j = order[i];
        for (int64_t k = graph->enter_at[j]; k < graph->enter_at[j + 1]; k++) {
            int64_t end = end_of(w, graph->tail[graph->entering[k]]);
            w->start[j] = duet_max(end, w->start[j]);
        }
        duet_proof_put_number(&w->text, j);
    }
    duet_proof_put(&w->text, "\n");
}

// When the first task of a stage may start.
static int64_t begin_of(const writing *w, int64_t stage)
{
    int64_t least = INT64_MAX;
    for (int64_t i = w->stages->begin[stage]; i < w->stages->begin[stage + 1]; i++) {
        least = duet_min(w->start[w->stages->task[i]], least);
    }
    return least;
}

// The work of a stage delays the first tasks of the next one.
static void delay_next(writing *w, int64_t stage)
{
    const duet_series *s = w->stages;
    int64_t begin = begin_of(w, stage);
    int64_t behind = begin + w->area[stage].value;
    for (int64_t i = s->begin[stage + 1]; i < s->begin[stage + 2] && !w->too_long; i++) {
        int32_t j = s->task[i];
        if (w->start[j] >= behind || !is_first(w, j)) {
            continue;
        }
        w->looks += w->network->tasks + w->network->edges;
        w->too_long = w->looks > LOOKS;
        const int64_t line[] = {j, begin, 0};
        put_line(w, "ancestors", line, 3, w->area[stage].weight);
        w->start[j] = behind;
    }
}

// The bound that the lines prove.
static int64_t write_stages(writing *w)
{
    const duet_series *s = w->stages;
    int64_t bound = 0;
    for (int64_t i = 0, at = 0; i < s->count; i++) {
        int64_t count = s->begin[i + 1] - s->begin[i];
        raise_heads(w, w->network->order + at, count);
        at += count;
        if (i + 1 < s->count && w->area[i].value > 0) {
            delay_next(w, i);
        }
    }
    for (int32_t j = 0; j < (int32_t)w->network->tasks; j++) {
        bound = duet_max(end_of(w, j), bound);
    }
    const duet_series_area *last = &w->area[s->count - 1];
    int64_t begin = begin_of(w, s->count - 1);
    if (begin + last->value > bound) {
        bound = begin + last->value;
        put_line(w, "energy", (const int64_t[]){begin, 0}, 2, last->weight);
    }
    return bound;
}

static duet_code keep_lines(const writing *w, const duet_context *context, duet_bound *bound,
                            duet_error *error)
{
    duet_params params = {.struct_size = sizeof params,
                          .threads = 1,
                          .memory_limit = context->memory_limit,
                          .cancel = context->cancel};
    duet_proof_writer all = {.limit = BYTES};
    if (w->too_long || w->text.lost || !duet_proof_begin(&all, w->text.length + HEADERS)) {
        return DUET_OK;
    }
    duet_proof_put(&all, "duet-proof 1\nbound");
    duet_proof_put_number(&all, bound->value);
    duet_proof_put(&all, "\ngraph");
    duet_proof_put_number(&all, w->network->tasks);
    duet_proof_put_number(&all, w->network->edges);
    duet_proof_put(&all, "\n");
    duet_proof_put_text(&all, w->text.text, w->text.length);
    duet_proof_put(&all, "end\n");
    bound->certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = bound->value};
    duet_code code =
        duet_proof_lines_create(all.text, all.length, &bound->certificate.lines, error);
    if (code != DUET_OK || duet_certificate_check(&bound->certificate, w->network->instance,
                                                  &params, NULL) != DUET_OK) {
        duet_bound_release(bound);
    }
    duet_proof_writer_free(&all);
    return code;
}

duet_code duet_series_certify(const duet_instance *instance, const duet_context *context,
                              const duet_series *stages, const duet_series_area *area,
                              duet_bound *bound, duet_error *error)
{
    duet_network network;
    *bound = (duet_bound){.name = "series"};
    DUET_TRY(duet_network_create(instance, &network, error));
    writing w = {.network = &network,
                 .stages = stages,
                 .area = area,
                 .start = duet_alloc((size_t)network.tasks, sizeof *w.start, error),
                 .stage = duet_alloc((size_t)network.tasks, sizeof *w.stage, error),
                 .text = {.limit = BYTES}};
    duet_code code = w.start == NULL || w.stage == NULL ? DUET_E_MEMORY : DUET_OK;
    for (int64_t i = 0; code == DUET_OK && i < stages->count; i++) {
        for (int64_t k = stages->begin[i]; k < stages->begin[i + 1]; k++) {
            w.stage[stages->task[k]] = (int32_t)i;
        }
    }
    if (code == DUET_OK) {
        bound->value = write_stages(&w);
        code = keep_lines(&w, context, bound, error);
    }
    duet_free(w.start);
    duet_free(w.stage);
    duet_proof_writer_free(&w.text);
    duet_network_free(&network);
    return code;
}
