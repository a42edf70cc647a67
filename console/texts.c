// SPDX-License-Identifier: Apache-2.0
#include "console/texts.h"

#include <math.h>
#include <stdio.h>

#include <duet/graph.h>

#include "core/instance/unit.h"
#include "core/system/utf8.h"

char *duet_cli_finer_time(const duet_instance *instance, int finer, int64_t ticks, char *buffer)
{
    bool negative = ticks < 0;
    buffer[0] = '-';
    duet_time_text(instance, finer, (duet_uint128)(negative ? -ticks : ticks), buffer + negative);
    return buffer;
}

char *duet_cli_time(const duet_instance *instance, int64_t ticks, char *buffer)
{
    return duet_cli_finer_time(instance, 0, ticks, buffer);
}

char *duet_cli_size(const duet_instance *instance, char *buffer)
{
    long long tasks = duet_instance_tasks(instance);
    long long edges = duet_instance_edges(instance);
    size_t kinds = duet_instance_kinds(instance);
    char joined[40] = "";
    if (edges > 0) {
        snprintf(joined, sizeof joined, " with %lld edge%s", edges, edges == 1 ? "" : "s");
    }
    snprintf(buffer, DUET_CLI_TEXT, "%lld task%s in %zu kind%s%s", tasks, tasks == 1 ? "" : "s",
             kinds, kinds == 1 ? "" : "s", joined);
    return buffer;
}

char *duet_cli_platform(const duet_instance *instance, char *buffer, size_t size)
{
    enum { most_named = 8 };
    size_t types = duet_instance_types(instance);
    size_t used = 0;
    buffer[0] = '\0';
    if (types > most_named) {
        long long processors = 0;
        for (size_t t = 0; t < types; t++) {
            processors += duet_instance_type_count(instance, t);
        }
        snprintf(buffer, size, "%lld processors of %zu types", processors, types);
        return buffer;
    }
    for (size_t t = 0; t < types && used < size; t++) {
        int more = snprintf(buffer + used, size - used, "%s%lld %s", t == 0 ? "" : " + ",
                            (long long)duet_instance_type_count(instance, t),
                            duet_instance_type_name(instance, t));
        used += more > 0 ? (size_t)more : 0;
    }
    // What is cut off ends with a whole letter.
    size_t length = used < size ? used : size - 1;
    for (size_t cut = 0; used >= size && cut < 4 && !duet_utf8_valid(buffer, length); cut++) {
        buffer[--length] = '\0';
    }
    return buffer;
}

double duet_cli_gap(int64_t value, int64_t bound)
{
    if (value == bound) {
        return 0.0;
    }
    return bound <= 0 ? -1.0 : 100.0 * (double)(value - bound) / (double)bound;
}

double duet_cli_round_up(double percent)
{
    return percent <= 0.0 ? 0.0 : ceil(percent * 100.0 - 1e-9) / 100.0;
}

char *duet_cli_gap_text(int64_t value, int64_t bound, char *buffer)
{
    double gap = duet_cli_gap(value, bound);
    if (gap < 0) {
        snprintf(buffer, DUET_CLI_TEXT, "unknown");
    } else if (value == bound) {
        snprintf(buffer, DUET_CLI_TEXT, "0 %%");
    } else {
        snprintf(buffer, DUET_CLI_TEXT, "%.2f %%", duet_cli_round_up(gap));
    }
    return buffer;
}
