// SPDX-License-Identifier: Apache-2.0
// Short keys: a page may hold thousands of groups.
#include "report/page/parts.h"

#include <inttypes.h>
#include <math.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/page/groups.h"
#include "report/palette.h"

// Room for the values of the largest group.
typedef struct scratch {
    double *value;
    duet_sample *sample;
} scratch;

static void put_names(FILE *stream, const char *key, const duet_names *names)
{
    fprintf(stream, "\"%s\":[", key);
    for (size_t i = 0; i < names->count; i++) {
        fputs(i == 0 ? "" : ",", stream);
        duet_html_name(stream, duet_names_text(names, i));
    }
    fputs("],\n", stream);
}

// A key that the groups do not use is left out, since it may have a million names.
static void put_key_names(FILE *stream, const char *key, const duet_names *names,
                          const duet_groups *groups, duet_group_key which)
{
    if (groups->count > 0 && groups->group[0].key[which] != UINT32_MAX) {
        put_names(stream, key, names);
    } else {
        fprintf(stream, "\"%s\":[],\n", key);
    }
}

static void put_platforms(FILE *stream, const duet_groups *groups)
{
    const duet_results *results = groups->results;
    put_key_names(stream, "platforms", &results->platforms, groups, DUET_KEY_PLATFORM);
    fputs("\"machines\":[", stream);
    bool kept = groups->count > 0 && groups->group[0].key[DUET_KEY_PLATFORM] != UINT32_MAX;
    for (size_t i = 0; kept && i < results->platforms.count; i++) {
        fprintf(stream, "%s[%" PRId64 ",%" PRId64 "]", i == 0 ? "" : ",", results->processors[i].m,
                results->processors[i].k);
    }
    fputs("],\n", stream);
}

// The first twelve algorithms that ran somewhere have colours of their own. Those after them use
// the same colours again, with dashed lines. The page shows no others.
static void put_series(FILE *stream, const duet_results *results)
{
    const duet_names *series = &results->series;
    bool tried[DUET_MAX_SERIES + 1] = {false};
    const char *names[DUET_MAX_SERIES + 1];
    duet_colour colours[DUET_MAX_SERIES + 1];
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        tried[results->run[i].series] |= results->run[i].status != DUET_RUN_SKIPPED;
    }
    for (size_t i = 0; i < series->count; i++) {
        if (tried[i]) {
            names[count++] = duet_names_text(series, i);
        }
    }
    for (size_t i = 0; i < count; i += DUET_PALETTE_SIZE) {
        duet_palette_assign(duet_min(count - i, DUET_PALETTE_SIZE), names + i, colours + i);
    }
    fputs("\"series\":[", stream);
    for (size_t i = 0, at = 0; i < series->count; i++) {
        char hex[8];
        fputs(i == 0 ? "[" : ",[", stream);
        duet_html_name(stream, duet_names_text(series, i));
        fprintf(stream, ",\"%s\",%zu]",
                duet_colour_hex(tried[i] ? colours[at] : duet_palette_grey(), hex),
                tried[i] ? at / DUET_PALETTE_SIZE : 0);
        at += tried[i];
    }
    fputs("],\n", stream);
}

static void put_sizes(FILE *stream, const duet_groups *groups)
{
    fputs("\"sizes\":[", stream);
    for (size_t i = 0; i < groups->sizes; i++) {
        fprintf(stream, "%s%" PRId64, i == 0 ? "" : ",", groups->size[i]);
    }
    fprintf(stream, "],\n\"coarseness\":%d,\n\"points\":", groups->coarseness);
    if (groups->points == SIZE_MAX) {
        fputs("null,\n", stream);
    } else {
        fprintf(stream, "%zu,\n", groups->points);
    }
}

static void put_samples(FILE *stream, const char *key, const duet_groups *groups,
                        const duet_group *group, duet_measure measure, scratch *room)
{
    size_t count = duet_group_values(groups, group, measure, room->value);
    if (count == 0) {
        return;
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += room->value[i];
    }
    size_t points = duet_samples_of(room->value, count, groups->points, room->sample);
    fprintf(stream, ",\"%s\":{\"c\":%zu,\"s\":%.17g,\"v\":[", key, count, sum);
    for (size_t i = 0; i < points; i++) {
        fputs(i == 0 ? "" : ",", stream);
        duet_html_number(stream, room->sample[i].value);
    }
    fputc(']', stream);
    if (points < count) {
        fputs(",\"w\":[", stream);
        for (size_t i = 0; i < points; i++) {
            fprintf(stream, "%s%zu", i == 0 ? "" : ",", room->sample[i].weight);
        }
        fputc(']', stream);
    }
    fputc('}', stream);
}

// All its digits, as a text; nothing where the table has none.
static void put_makespan(FILE *stream, duet_decimal makespan)
{
    char text[32];
    if (duet_is_time(makespan)) {
        fprintf(stream, ",\"%s\"", duet_decimal_format(makespan.mantissa, makespan.places, text));
    }
}

static void put_group(FILE *stream, const duet_groups *groups, const duet_group *group,
                      scratch *room)
{
    static const char *const keys[DUET_MEASURES] = {"r", "t", "o", "e", "b"};
    const duet_results *results = groups->results;
    fputs("{\"k\":[", stream);
    for (int i = 0; i < DUET_GROUP_KEYS; i++) {
        bool none = group->key[i] == UINT32_MAX;
        fprintf(stream, "%s%" PRId64, i == 0 ? "" : ",", none ? -1 : (int64_t)group->key[i]);
    }
    fprintf(stream, "],\"n\":[%zu,%zu,%zu,%zu,%zu,%zu]", group->count,
            group->status[DUET_RUN_OPTIMAL], group->status[DUET_RUN_FAILED],
            group->status[DUET_RUN_SKIPPED], group->exceeded, group->below);
    if (!isnan(group->most_proven)) {
        fputs(",\"p\":[", stream);
        duet_html_number(stream, group->least_proven);
        fputc(',', stream);
        duet_html_number(stream, group->most_proven);
        fputc(']', stream);
    }
    if (group->worst != SIZE_MAX) {
        const duet_kept_result *worst = &results->run[group->worst];
        fputs(",\"x\":[", stream);
        duet_html_number(stream, worst->ratio);
        fputc(',', stream);
        duet_html_name(stream, duet_names_text(&results->instances, worst->instance));
        put_makespan(stream, worst->makespan);
        fputc(']', stream);
    }
    for (int m = 0; m < DUET_MEASURES; m++) {
        put_samples(stream, keys[m], groups, group, (duet_measure)m, room);
    }
    fputc('}', stream);
}

static duet_code put_groups(FILE *stream, const duet_groups *groups, duet_error *error)
{
    size_t most = 0;
    for (size_t g = 0; g < groups->count; g++) {
        most = duet_max(groups->group[g].count, most);
    }
    scratch room = {duet_alloc(most, sizeof *room.value, error),
                    duet_alloc(most, sizeof *room.sample, error)};
    duet_code code = room.value == NULL || room.sample == NULL ? DUET_E_MEMORY : DUET_OK;
    fputs("\"groups\":[", stream);
    for (size_t g = 0; g < groups->count && code == DUET_OK; g++) {
        fputs(g == 0 ? "\n" : ",\n", stream);
        put_group(stream, groups, &groups->group[g], &room);
    }
    fputs("],\n", stream);
    duet_free(room.value);
    duet_free(room.sample);
    return code;
}

// Runs above their proven ratio, and runs below what should be a lower bound.
static void put_flagged(FILE *stream, const duet_results *results)
{
    size_t listed = 0;
    fputs("\"flagged\":[", stream);
    for (size_t i = 0; i < results->count && listed < DUET_HTML_LISTED; i++) {
        const duet_kept_result *run = &results->run[i];
        if (run->respected != DUET_VERDICT_EXCEEDED && !run->below) {
            continue;
        }
        fprintf(stream, "%s[%" PRIu32 ",", listed++ == 0 ? "\n" : ",\n", run->series);
        duet_html_name(stream, duet_names_text(&results->instances, run->instance));
        fputc(',', stream);
        duet_html_number(stream, run->ratio);
        fputc(',', stream);
        duet_html_number(stream, run->proven);
        fprintf(stream, ",%d]", run->below);
    }
    fputs("],\n", stream);
}

typedef struct failure {
    uint32_t series;
    uint32_t reason;
    uint32_t instance; // the first
    uint8_t status;
    size_t count;
} failure;

// Runs without a schedule: one line per algorithm, outcome and reason.
static duet_code put_failures(FILE *stream, const duet_results *results, duet_error *error)
{
    failure *list = duet_alloc(DUET_HTML_LISTED, sizeof *list, error);
    size_t count = 0;
    DUET_NEED(list);
    for (size_t i = 0; i < results->count; i++) {
        const duet_kept_result *run = &results->run[i];
        if (run->status != DUET_RUN_FAILED && run->status != DUET_RUN_SKIPPED) {
            continue;
        }
        size_t at = 0;
        while (at < count && (list[at].series != run->series || list[at].reason != run->reason ||
                              list[at].status != run->status)) {
            at++;
        }
        if (at == count && count < DUET_HTML_LISTED) {
            list[count++] = (failure){run->series, run->reason, run->instance, run->status, 0};
        }
        if (at < count) {
            list[at].count++;
        }
    }
    fputs("\"failures\":[", stream);
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s[%" PRIu32 ",%d,%zu,", i == 0 ? "\n" : ",\n", list[i].series,
                list[i].status == DUET_RUN_SKIPPED, list[i].count);
        duet_html_name(stream, duet_names_text(&results->instances, list[i].instance));
        fputc(',', stream);
        duet_html_name(stream, duet_names_text(&results->reasons, list[i].reason));
        fputc(']', stream);
    }
    fputs("],\n", stream);
    duet_free(list);
    return DUET_OK;
}

// Sources of which runs have no ratio: name, how many, algorithm and instance of the first, and
// why.
static void put_unreferred(FILE *stream, const duet_results *results)
{
    bool any = false;
    fputs("\"unreferred\":[", stream);
    for (uint32_t file = 0; file < results->files.count; file++) {
        duet_unreferred runs = duet_results_unreferred(results, file);
        if (runs.count > 0) {
            fputs(any ? ",[" : "[", stream);
            duet_html_name(stream, duet_names_text(&results->files, file));
            fprintf(stream, ",%zu,", runs.count);
            duet_html_name(stream, duet_names_text(&results->series, runs.series));
            fputc(',', stream);
            duet_html_name(stream, duet_names_text(&results->instances, runs.instance));
            fputc(',', stream);
            duet_html_sentence(stream, runs.why);
            fputc(']', stream);
            any = true;
        }
    }
    fputs("],\n", stream);
}

duet_code duet_html_tables(FILE *stream, const duet_results *results, duet_error *error)
{
    duet_groups groups;
    DUET_TRY(duet_groups_create(results, &groups, error));
    fprintf(stream, "\"runs\":%zu,\n\"instances\":%zu,\n", results->count, results->joins.groups);
    put_series(stream, results);
    put_key_names(stream, "files", &results->files, &groups, DUET_KEY_FILE);
    put_key_names(stream, "sets", &results->sets, &groups, DUET_KEY_SET);
    put_key_names(stream, "families", &results->families, &groups, DUET_KEY_FAMILY);
    put_platforms(stream, &groups);
    put_sizes(stream, &groups);
    put_flagged(stream, results);
    put_unreferred(stream, results);
    duet_code code = put_failures(stream, results, error);
    DUET_THEN(code, put_groups(stream, &groups, error));
    duet_groups_free(&groups);
    return code;
}
