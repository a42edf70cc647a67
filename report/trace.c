// SPDX-License-Identifier: Apache-2.0
// Traces of a schedule for viewers; the format follows the ending of the path.
#include "report/trace.h"

#include <duet/report.h>

#include "core/output.h"

duet_code duet_write_trace(const char *path, const duet_instance *instance,
                           const duet_solution *solution, duet_error *error)
{
    bool chrome = duet_path_ends(path, ".json");
    if (!chrome && !duet_path_ends(path, ".paje")) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s': unknown kind of trace; expected a name ending in .json "
                              "(Chrome trace events) or .paje",
                              path);
    }
    duet_runs runs;
    duet_code code = duet_runs_collect(instance, solution, &runs, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_runs_sort(&runs);
    duet_output output;
    code = duet_output_open(&output, path, error);
    if (code == DUET_OK) {
        if (chrome) {
            duet_trace_chrome(output.stream, instance, solution, &runs);
        } else {
            code = duet_trace_paje(output.stream, instance, solution, &runs, error);
        }
        if (code == DUET_OK) {
            code = duet_output_commit(&output, error);
        } else {
            duet_output_abandon(&output);
        }
    }
    duet_runs_free(&runs);
    return code;
}

void duet_trace_processors(const duet_instance *instance, const duet_runs *runs,
                           void (*visit)(FILE *stream, const duet_instance *instance, size_t type,
                                         int64_t processor),
                           FILE *stream)
{
    size_t at = 0;
    for (size_t type = 0; type < instance->types; type++) {
        bool all = instance->processors[type] <= DUET_TRACE_LISTED;
        for (int64_t p = 0; all && p < instance->processors[type]; p++) {
            visit(stream, instance, type, p);
        }
        int64_t last = -1;
        for (; at < runs->count && (size_t)runs->run[at].type == type; at++) {
            if (!all && runs->run[at].processor != last) {
                last = runs->run[at].processor;
                visit(stream, instance, type, last);
            }
        }
    }
}
