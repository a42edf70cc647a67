// SPDX-License-Identifier: Apache-2.0
// What a page has to know of a task graph: its edges, why tasks start when they do, and the
// critical path.
#include "report/page/parts.h"

#include <inttypes.h>

#include "core/instance/instance.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/reasons.h"

static int64_t code_of(const duet_intervals *intervals, const duet_reason *reason)
{
    switch (reason->form) {
    case DUET_REASON_DATA:
        return reason->edge;
    case DUET_REASON_PROCESSOR:
        return DUET_HTML_PROCESSOR - intervals->interval[reason->other].task;
    case DUET_REASON_START:
        return DUET_HTML_START;
    default:
        return DUET_HTML_PAUSE;
    }
}

// Tasks that a wrong schedule leaves out have no reason.
static duet_code put_why(FILE *stream, int64_t tasks, const duet_intervals *intervals,
                         const duet_reasons *reasons, duet_error *error)
{
    int64_t *why = duet_alloc_raw((size_t)tasks, sizeof *why, error);
    DUET_NEED(why);
    for (int64_t j = 0; j < tasks; j++) {
        why[j] = DUET_HTML_PAUSE;
    }
    for (size_t i = 0; i < intervals->count; i++) {
        if (!intervals->interval[i].aborted) {
            why[intervals->interval[i].task] = code_of(intervals, &reasons->of[i]);
        }
    }
    fputs("],\"why\":[", stream);
    for (int64_t j = 0; j < tasks; j++) {
        fprintf(stream, "%s%" PRId64, j == 0 ? "" : ",", why[j]);
    }
    duet_free(why);
    return DUET_OK;
}

duet_code duet_html_graph(FILE *stream, const duet_instance *instance,
                          const duet_solution *solution, const duet_intervals *intervals,
                          duet_error *error)
{
    const duet_graph *graph = instance->graph;
    if (graph == NULL || graph->edges > DUET_HTML_EDGES || graph->tasks > DUET_HTML_EDGES) {
        fputs("\"graph\":null,\n", stream);
        return DUET_OK;
    }
    duet_reasons reasons;
    duet_code code = duet_reasons_create(instance, solution, intervals, &reasons, error);
    if (code == DUET_OK) {
        fputs("\"graph\":{\"edges\":[", stream);
        for (int64_t e = 0; e < graph->edges; e++) {
            fprintf(stream, "%s%" PRId32 ",%" PRId32, e == 0 ? "" : ",", graph->tail[e],
                    graph->head[e]);
        }
        code = put_why(stream, graph->tasks, intervals, &reasons, error);
    }
    if (code == DUET_OK) {
        fputs("],\"path\":[", stream);
        for (size_t i = 0; i < reasons.length; i++) {
            fprintf(stream, "%s%" PRId64, i == 0 ? "" : ",",
                    intervals->interval[reasons.path[i]].task);
        }
        fputs("]},\n", stream);
    }
    duet_reasons_free(&reasons);
    return code;
}
