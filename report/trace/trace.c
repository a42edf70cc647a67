// SPDX-License-Identifier: Apache-2.0
// Traces of a schedule for viewers; the format follows the ending of the path.
#include "report/trace/trace.h"

#include <duet/report.h>

#include "core/system/output.h"
#include "core/system/path.h"
#include "core/system/try.h"

typedef duet_code write_trace(FILE *stream, const duet_instance *instance,
                              const duet_solution *solution, const duet_intervals *intervals,
                              duet_error *error);

static write_trace *find_format(const char *path)
{
    static const struct {
        const char *ending;
        write_trace *write;
    } formats[] = {
        {".json", duet_trace_chrome}, {".paje", duet_trace_paje}, {".rec", duet_trace_starpu}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (duet_path_ends(path, formats[i].ending)) {
            return formats[i].write;
        }
    }
    return NULL;
}

duet_code duet_write_trace(const char *path, const duet_instance *instance,
                           const duet_solution *solution, duet_error *error)
{
    write_trace *write = find_format(path);
    if (write == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%s': unknown kind of trace; expected a name ending in .json "
                              "(Chrome trace events), .paje or .rec (StarPU's static schedule)",
                              path);
    }
    duet_intervals intervals;
    DUET_TRY(duet_intervals_collect(instance, solution, &intervals, error));
    duet_intervals_sort(&intervals);
    duet_output output;
    duet_code code = duet_output_open(&output, path, error);
    if (code == DUET_OK) {
        code = write(output.stream, instance, solution, &intervals, error);
        if (code == DUET_OK) {
            code = duet_output_commit(&output, error);
        } else {
            duet_output_abandon(&output);
        }
    }
    duet_intervals_free(&intervals);
    return code;
}
