// SPDX-License-Identifier: Apache-2.0
// What `duet bench ratios` found, for people and as JSON.
#include <inttypes.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "bench/run/columns.h"
#include "bench/run/published.h"
#include "console/print.h"
#include "console/table.h"
#include "core/system/try.h"

// The attribute of a group that the report is split by, as text.
static char *label_of(const duet_ratios *ratios, const duet_ratios_group *group, char *buffer,
                      size_t size)
{
    char first[DUET_RATIOS_RANGE];
    char second[DUET_RATIOS_RANGE];
    switch (ratios->settings.by) {
    case DUET_RATIOS_BY_FAMILY:
        snprintf(buffer, size, "%s", group->family);
        break;
    case DUET_RATIOS_BY_PLATFORM:
        snprintf(buffer, size, "%s:%s", duet_ratios_range(group->m, first),
                 duet_ratios_range(group->k, second));
        break;
    default:
        snprintf(buffer, size, "%s", duet_ratios_range(group->n, first));
    }
    // Where every instance has its own.
    if (ratios->settings.by != DUET_RATIOS_BY_FAMILY && group->n.last == 0) {
        snprintf(buffer, size, "any");
    }
    return buffer;
}

// What a filter compares a group with.
typedef struct part {
    const duet_ratios *ratios;
    char label[2 * DUET_RATIOS_RANGE];
} part;

static bool is_of_part(const duet_ratios_group *group, const void *key)
{
    const part *p = key;
    char label[sizeof p->label];
    return strcmp(label_of(p->ratios, group, label, sizeof label), p->label) == 0;
}

// The part that begins with group `p`; false where an earlier group has begun it.
static bool begins_part(const duet_ratios *ratios, size_t p, part *out)
{
    out->ratios = ratios;
    label_of(ratios, &ratios->groups[p], out->label, sizeof out->label);
    for (size_t i = 0; i < p; i++) {
        if (is_of_part(&ratios->groups[i], out)) {
            return false;
        }
    }
    return true;
}

// The last column.
static const char *verdict(const duet_ratios_algorithm *algorithm, const duet_ratios_seen *seen,
                           char *buffer, size_t size)
{
    const char *published = duet_bench_published(algorithm->name);
    size_t refuted = seen->failures[DUET_RATIOS_REFUTED].count;
    if (seen->failures[DUET_RATIOS_FAULT].count > 0) {
        return "FAULT";
    }
    if (seen->failures[DUET_RATIOS_EXCEEDED].count > 0) {
        return "EXCEEDED";
    }
    if (seen->failures[DUET_RATIOS_UNREFERRED].count > 0) {
        return "REFERENCE AT FAULT";
    }
    if (seen->runs == 0 && seen->failed > 0) {
        return "all runs failed";
    }
    if (published != NULL) {
        snprintf(buffer, size,
                 refuted > 0 ? "published %s: refuted by %zu" : "published %s: not refuted",
                 published, refuted);
        return buffer;
    }
    if (algorithm->is_bound) {
        return "respected";
    }
    if (seen->judged == 0) {
        return "-";
    }
    snprintf(buffer, size, "respected");
    if (seen->judged < seen->runs) { // on some platforms nothing is proven
        duet_bench_append(buffer, size, " by %zu", seen->judged);
    }
    if (seen->unclear > 0) {
        duet_bench_append(buffer, size, ", %zu unclear", seen->unclear);
    }
    return buffer;
}

// Then the table has a column for them.
static bool any_failed(const duet_ratios *ratios)
{
    for (size_t i = 0; i < ratios->settings.algorithm_count * ratios->group_count; i++) {
        if (ratios->seen[i].failed > 0) {
            return true;
        }
    }
    return false;
}

// Whether it was run on nothing, since it handles nothing of what there is.
static bool is_skipped(const duet_ratios *ratios, size_t algorithm)
{
    size_t skipped = 0;
    size_t others = 0;
    for (size_t g = 0; g < ratios->group_count; g++) {
        const duet_ratios_seen *seen = &ratios->seen[algorithm * ratios->group_count + g];
        skipped += seen->skipped;
        others += seen->runs + seen->failed + seen->failures[DUET_RATIOS_FAULT].count;
    }
    return skipped > 0 && others == 0;
}

static duet_code add_row(const duet_ratios *ratios, size_t algorithm, const part *of,
                         duet_cli_table *table, duet_error *error)
{
    duet_ratios_figures f;
    char text[64];
    char label[DUET_RATIOS_LABEL];
    DUET_TRY(
        duet_ratios_figures_of(ratios, algorithm, of == NULL ? NULL : is_of_part, of, &f, error));
    const double ratio[] = {f.ratio.mean, f.ratio.median, f.ratio.q90, f.ratio.q99,
                            f.ratio.largest};
    duet_cli_table_add(table, of == NULL ? duet_ratios_label(&ratios->settings, algorithm, label)
                                         : of->label);
    duet_cells_addf(table, any_failed(ratios) ? "%zu\t%zu" : "%zu", f.seen.runs, f.seen.failed);
    for (size_t i = 0; i < sizeof ratio / sizeof *ratio; i++) {
        duet_cells_add_positive(table, "%.4f", ratio[i]);
    }
    duet_cells_add_positive(table, "%.4f", f.seen.proven);
    duet_cells_addf(table, "%zu", f.seen.open);
    duet_cli_table_add(table,
                       verdict(&ratios->settings.algorithm[algorithm], &f.seen, text, sizeof text));
    return DUET_OK;
}

// A row for each algorithm, or for each part of one.
static duet_code print_table(const duet_ratios *ratios, const size_t *algorithm, FILE *stream,
                             duet_error *error)
{
    duet_cli_table table;
    part of;
    char label[DUET_RATIOS_LABEL] = "algorithm";
    duet_code code = DUET_OK;
    if (algorithm != NULL) {
        duet_ratios_label(&ratios->settings, *algorithm, label);
        fputc('\n', stream);
    }
    bool failed = any_failed(ratios);
    duet_cells_begin(&table, failed ? "lrrrrrrrrrl" : "lrrrrrrrrl", NULL);
    duet_cli_table_add(&table, label);
    duet_cells_addf(&table, "runs\t%smean\tmedian\tq90\tq99\tmax\tproven\topen\t",
                    failed ? "failed\t" : "");
    size_t skipped = 0;
    size_t rows = algorithm == NULL ? ratios->settings.algorithm_count : ratios->group_count;
    for (size_t r = 0; r < rows && code == DUET_OK; r++) {
        if (algorithm == NULL && is_skipped(ratios, r)) {
            skipped++;
        } else if (algorithm == NULL) {
            code = add_row(ratios, r, NULL, &table, error);
        } else if (begins_part(ratios, r, &of)) {
            code = add_row(ratios, *algorithm, &of, &table, error);
        }
    }
    duet_cells_end(&table, 0, stream);
    if (skipped > 0) {
        fprintf(stream, "%zu more do not handle what these instances have\n", skipped);
    }
    return code;
}

// "unif4-20-7 (4,2)"; of a file the processors of all its types.
static char *where(const duet_ratios *ratios, size_t job, char *buffer, size_t size)
{
    const duet_ratios_shape shape = duet_ratios_shape_of(ratios, job);
    const duet_instance *file = duet_ratios_group_of(ratios, job)->file;
    char name[DUET_RATIOS_NAME];
    duet_ratios_name(ratios, job, name);
    snprintf(buffer, size, "%s", name);
    for (size_t t = 0; file != NULL && t < duet_instance_types(file); t++) {
        duet_bench_append(buffer, size, "%s%" PRId64, t == 0 ? " (" : ",",
                          duet_instance_type_count(file, t));
    }
    if (file != NULL) {
        duet_bench_append(buffer, size, ")");
    } else if (shape.m + shape.k > 0) {
        duet_bench_append(buffer, size, " (%" PRId64 ",%" PRId64 ")", shape.m, shape.k);
    }
    return buffer;
}

static duet_code print_worst(const duet_ratios *ratios, FILE *stream, duet_error *error)
{
    duet_cli_table table;
    duet_code code = DUET_OK;
    duet_cli_table_init(&table, "lrrll");
    for (size_t a = 0; a < ratios->settings.algorithm_count && code == DUET_OK; a++) {
        duet_ratios_figures f;
        char text[DUET_RATIOS_COMMAND];
        code = duet_ratios_figures_of(ratios, a, NULL, NULL, &f, error);
        if (code != DUET_OK || f.seen.worst.den == 0) {
            continue;
        }
        duet_cli_table_add(&table, duet_ratios_label(&ratios->settings, a, text));
        duet_cells_add_positive(&table, "%.4f", f.ratio.largest);
        duet_cli_table_add(&table, duet_fraction_format(f.seen.worst, text));
        duet_cli_table_add(&table, where(ratios, f.seen.worst_job, text, sizeof text));
        duet_cli_table_add(&table, duet_ratios_command(ratios, a, f.seen.worst_job, text));
    }
    fputs("\nworst instances:\n", stream);
    duet_cells_end(&table, 2, stream);
    return code;
}

duet_code duet_ratios_print(const duet_ratios *ratios, FILE *stream, duet_error *error)
{
    duet_code code = print_table(ratios, NULL, stream, error);
    for (size_t a = 0; a < ratios->settings.algorithm_count && code == DUET_OK &&
                       ratios->settings.by != DUET_RATIOS_BY_NOTHING;
         a++) {
        code = is_skipped(ratios, a) ? DUET_OK : print_table(ratios, &a, stream, error);
    }
    DUET_THEN(code, print_worst(ratios, stream, error));
    fputc('\n', stream);
    return code;
}

// The names of failures in JSON, and what is said of them on standard error.
static const struct {
    const char *count, *first, *of_what;
} failure_words[DUET_RATIOS_FAILURES] = {
    [DUET_RATIOS_EXCEEDED] = {"exceeded", "first_exceeded", "runs above the proven ratio"},
    [DUET_RATIOS_FAULT] = {"faults", "first_fault", "runs that the checker or the optimum refutes"},
    [DUET_RATIOS_UNREFERRED] = {"reference_faults", "first_reference_fault",
                                "instances where the checker or a schedule refutes it"},
    [DUET_RATIOS_REFUTED] = {"refuted", "first_refuted", NULL},
};

static void json_instance(const duet_ratios *ratios, const char *key, size_t algorithm, bool any,
                          size_t job, duet_cli_json *json)
{
    char text[DUET_RATIOS_COMMAND];
    if (!any) {
        duet_cli_json_string(json, key, NULL);
        return;
    }
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    duet_cli_json_open(json, key, '{');
    duet_cli_json_members(json, "job:%zu instance:%s", job, duet_ratios_name(ratios, job, text));
    const duet_ratios_shape shape = duet_ratios_shape_of(ratios, job);
    if (shape.m + shape.k > 0) {
        duet_cli_json_members(json, "m:%" PRId64 " k:%" PRId64, shape.m, shape.k);
    }
    if (group->seeded) {
        duet_cli_json_integer(json, "seed", (int64_t)duet_ratios_seed(ratios, job));
    }
    duet_ratios_command(ratios, algorithm, job, text);
    duet_cli_json_string(json, "command", text[0] == '\0' ? NULL : text);
    duet_cli_json_close(json, '}');
}

static duet_code json_figures(const duet_ratios *ratios, size_t algorithm, const part *of,
                              duet_cli_json *json, duet_error *error)
{
    enum { decimals = 6 };
    duet_ratios_figures f;
    char text[80];
    DUET_TRY(
        duet_ratios_figures_of(ratios, algorithm, of == NULL ? NULL : is_of_part, of, &f, error));
    const struct {
        const char *name;
        double value;
    } ratio[] = {{"mean", f.ratio.mean}, {"median", f.ratio.median}, {"q90", f.ratio.q90},
                 {"q99", f.ratio.q99},   {"max", f.ratio.largest},   {"proven", f.seen.proven}};
    duet_cli_json_members(json, "runs:%zu judged:%zu failed:%zu open:%zu unclear:%zu", f.seen.runs,
                          f.seen.judged, f.seen.failed, f.seen.open, f.seen.unclear);
    const duet_ratios_failed *failures = f.seen.failures;
    for (int i = 0; i < DUET_RATIOS_FAILURES; i++) {
        duet_cli_json_integer(json, failure_words[i].count, (int64_t)failures[i].count);
    }
    for (size_t i = 0; i < sizeof ratio / sizeof *ratio; i++) {
        duet_cli_json_decimal(json, ratio[i].name, ratio[i].value > 0 ? ratio[i].value : -1,
                              decimals);
    }
    bool any = f.seen.worst.den > 0;
    duet_cli_json_string(json, "max_exact", any ? duet_fraction_format(f.seen.worst, text) : NULL);
    json_instance(ratios, "worst", algorithm, any, f.seen.worst_job, json);
    for (int i = 0; i < DUET_RATIOS_FAILURES; i++) {
        json_instance(ratios, failure_words[i].first, algorithm, failures[i].count > 0,
                      failures[i].job, json);
    }
    return DUET_OK;
}

static duet_code json_parts(const duet_ratios *ratios, size_t algorithm, duet_cli_json *json,
                            duet_error *error)
{
    part of;
    duet_code code = DUET_OK;
    duet_cli_json_open(json, "parts", '[');
    for (size_t p = 0; p < ratios->group_count && code == DUET_OK; p++) {
        if (begins_part(ratios, p, &of)) {
            duet_cli_json_open(json, NULL, '{');
            duet_cli_json_string(json, "part", of.label);
            code = json_figures(ratios, algorithm, &of, json, error);
            duet_cli_json_close(json, '}');
        }
    }
    duet_cli_json_close(json, ']');
    return code;
}

duet_code duet_ratios_print_json(const duet_ratios *ratios, duet_cli_json *json, duet_error *error)
{
    duet_code code = DUET_OK;
    duet_cli_json_open(json, "algorithms", '[');
    for (size_t a = 0; a < ratios->settings.algorithm_count && code == DUET_OK; a++) {
        duet_cli_json_open(json, NULL, '{');
        const char *name = ratios->settings.algorithm[a].name;
        duet_cli_json_members(json, "name:%s options:%s published:%s", name,
                              duet_ratios_option_text(&ratios->settings, a),
                              duet_bench_published(name));
        code = json_figures(ratios, a, NULL, json, error);
        if (code == DUET_OK && ratios->settings.by != DUET_RATIOS_BY_NOTHING) {
            code = json_parts(ratios, a, json, error);
        }
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    return code;
}

static void report_failure(const duet_ratios *ratios, size_t algorithm, duet_ratios_failure failure,
                           const duet_ratios_failed *found, FILE *stream)
{
    char where_text[DUET_RATIOS_NAME + 64];
    char command[DUET_RATIOS_COMMAND];
    char who[DUET_RATIOS_LABEL] = "reference";
    const char *of_what = failure_words[failure].of_what;
    if (failure == DUET_RATIOS_EXCEEDED && ratios->settings.algorithm[algorithm].is_bound) {
        of_what = "values above the optimum";
    }
    if (failure != DUET_RATIOS_UNREFERRED) {
        duet_ratios_label(&ratios->settings, algorithm, who);
    } else if (algorithm > 0) { // the same for all of them
        return;
    }
    if (found->count == 0 || of_what == NULL) {
        return;
    }
    duet_ratios_command(ratios, algorithm, found->job, command);
    duet_cli_print(stream, "duet: %s: %zu %s, the first %s, seed %" PRIu64 "%s%s\n", who,
                   found->count, of_what, where(ratios, found->job, where_text, sizeof where_text),
                   duet_ratios_seed(ratios, found->job), command[0] == '\0' ? "" : ": ", command);
}

void duet_ratios_report_failures(const duet_ratios *ratios, FILE *stream)
{
    for (size_t a = 0; a < ratios->settings.algorithm_count; a++) {
        duet_ratios_figures f;
        char who[DUET_RATIOS_LABEL];
        if (duet_ratios_figures_of(ratios, a, NULL, NULL, &f, NULL) != DUET_OK) {
            continue;
        }
        for (int i = 0; i < DUET_RATIOS_FAILURES; i++) {
            report_failure(ratios, a, (duet_ratios_failure)i, &f.seen.failures[i], stream);
        }
        if (duet_ratios_is_unrefuted(ratios, a)) {
            duet_cli_print(stream,
                           "duet: %s: the published ratio is not refuted, expected it to be\n",
                           duet_ratios_label(&ratios->settings, a, who));
        }
    }
}
