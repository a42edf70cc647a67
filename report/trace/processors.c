// SPDX-License-Identifier: Apache-2.0
// The processors that a trace lists.
#include "report/trace/trace.h"

void duet_trace_processors(const duet_instance *instance, const duet_intervals *intervals,
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
        for (; at < intervals->count && (size_t)intervals->interval[at].type == type; at++) {
            if (!all && intervals->interval[at].processor != last) {
                last = intervals->interval[at].processor;
                visit(stream, instance, type, last);
            }
        }
    }
}
