// SPDX-License-Identifier: Apache-2.0
// What convert and generate say of a file that is written in another format than asked for, or that
// has no place for all there is.
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "console/platform.h"
#include "console/print.h"
#include "core/instance/clock.h"
#include "core/instance/instance.h"
#include "core/system/path.h"
#include "core/system/shell_word.h"

void duet_cli_note_ending(const char *path, const char *format)
{
    const char *dot = path == NULL ? NULL : strrchr(path, '.');
    if (format != NULL || dot == NULL || strchr(dot, '/') != NULL ||
        duet_path_ends(path, ".json .csv .dot .gv")) {
        return;
    }
    duet_cli_print(
        stderr,
        "duet: note: %s: no format has the ending '%s', so this is JSON; --format says which "
        "is written\n",
        path, dot);
}

// Whether an instance goes into a file of that format, by its name or else by the ending.
static bool is_of(const char *path, const char *format, const char *name, const char *endings)
{
    return format != NULL ? strcmp(format, name) == 0
                          : path != NULL && duet_path_ends(path, endings);
}

// --- what JSON alone holds -----------------------------------------------------------------------

static bool has_names(const duet_instance *instance)
{
    bool some = false;
    for (size_t t = 0; t < instance->types; t++) {
        some = some || instance->names[t].count > 0;
    }
    return some;
}

static bool has_orders(const duet_instance *instance)
{
    return instance->origin != NULL && instance->origin->submit_order != NULL;
}

enum { MOST_LOSSES = 6 };

// What the instance has of it, by its words; how many there are.
static size_t find_losses(const duet_instance *instance, const char *losses[MOST_LOSSES])
{
    bool watts = instance->watts_given[0] + instance->watts_given[1] > 0;
    bool data = instance->graph != NULL && instance->graph->amount != NULL;
    const struct {
        bool there;
        const char *words;
    } all[MOST_LOSSES] = {
        {instance->claim != NULL, "the claim"},
        {watts, "the watts"},
        {has_names(instance), "the names of processors"},
        {duet_clock_is_known(instance), "the start (--start says it where it is read)"},
        {data, "the amounts of data and the rates of transfer (the costs that they make are "
               "written)"},
        {has_orders(instance), "the SubmitOrder of the tasks, without which no --trace of this "
                               "file is one that StarPU can follow"}};
    size_t count = 0;
    for (size_t i = 0; i < MOST_LOSSES; i++) {
        if (all[i].there) {
            losses[count++] = all[i].words;
        }
    }
    return count;
}

static void note_json(const char *format, const duet_instance *instance)
{
    const char *losses[MOST_LOSSES];
    size_t count = find_losses(instance, losses);
    if (count == 0) {
        return;
    }
    duet_cli_print(stderr, "duet: note: %s has no place for ", format);
    for (size_t i = 0; i < count; i++) {
        duet_cli_print(stderr, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", losses[i]);
    }
    fputs("; --format json keeps all\n", stderr);
}

static void note_platform(const duet_instance *instance)
{
    const char *unit = duet_instance_time_unit(instance);
    bool platform = duet_instance_has_platform(instance);
    if (!platform && unit[0] == '\0') {
        return;
    }
    fputs("duet: note: a CSV file holds no platform and no unit: give them with", stderr);
    char word[DUET_SHELL_WORD];
    if (platform) {
        duet_cli_print(stderr, " --platform %s", duet_cli_counts(instance, word));
    }
    if (unit[0] != '\0') {
        duet_cli_print(stderr, "%s--unit %s", platform ? " and " : " ",
                       duet_shell_word(unit, "U", word, sizeof word));
    }
    fputs(" where it is read\n", stderr);
}

void duet_cli_note_losses(const char *path, const char *format, const duet_instance *instance,
                          bool platform)
{
    bool csv = is_of(path, format, "csv", ".csv");
    if (csv && platform) {
        note_platform(instance);
    }
    if (csv || is_of(path, format, "dot", ".dot .gv")) {
        note_json(csv ? "CSV" : "DOT", instance);
    }
}
