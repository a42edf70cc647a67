// SPDX-License-Identifier: Apache-2.0
// The command lines that show a ratio of `duet bench ratios` again.
#include <inttypes.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "console/plugin.h"

// Options were checked: none has a blank in its value, nor anything else that a shell would take.
static void append_options(char *buffer, const char *options)
{
    for (const char *at = options; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, " ");
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " -O %.*s", (int)length, at);
        at += length + (at[length] == ' ');
    }
}

// What the reference and a run depend on, where it is not the default.
static void append_limits(char *buffer, const duet_ratios_settings *s)
{
    if (s->rounds != DUET_RATIOS_ROUNDS) {
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " --rounds %" PRIu64, s->rounds);
    }
    if (s->seconds > 0) {
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " -t %.15g", s->seconds);
    }
    if ((s->given & DUET_RATIOS_MEMORY) != 0) {
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " --memory %zu", s->memory >> 20);
    }
}

char *duet_ratios_command(const duet_ratios *ratios, size_t algorithm, size_t job, char *buffer)
{
    const duet_ratios_settings *s = &ratios->settings;
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    const duet_ratios_shape shape = duet_ratios_shape_of(ratios, job);
    buffer[0] = '\0';
    if (group->path != NULL) {
        return buffer;
    }
    // A bound runs beside an algorithm; of those that are run, this one is first.
    size_t named = s->algorithm[algorithm].is_bound ? 0 : algorithm;
    const char *plugin = duet_cli_plugin_of(s->algorithm[named].name);
    bool in_file = plugin != NULL && plugin[0] != '\0';
    duet_bench_append(buffer, DUET_RATIOS_COMMAND, "duet bench ratios%s%.400s -a %s",
                      in_file ? " --plugin " : "", in_file ? plugin : "", s->algorithm[named].name);
    if (s->algorithm[algorithm].is_bound) {
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " --bounds");
    } else {
        append_options(buffer, duet_ratios_option_text(s, algorithm));
    }
    duet_bench_append(buffer, DUET_RATIOS_COMMAND, " --family %s", group->family);
    if (shape.size > 0) {
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " -n %" PRId64, shape.size);
    }
    if (shape.m + shape.k > 0) {
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " --platforms %" PRId64 ":%" PRId64, shape.m,
                          shape.k);
    }
    if (group->seeded) {
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " --instances 1 --seed %" PRIu64,
                          duet_ratios_seed(ratios, job));
    }
    append_limits(buffer, s);
    if (plugin != NULL && !in_file) { // a rule of a program in Python
        duet_bench_append(buffer, DUET_RATIOS_COMMAND, " # by duet.command(..., rules=[%s])",
                          s->algorithm[named].name);
    }
    return buffer;
}
