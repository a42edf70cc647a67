// SPDX-License-Identifier: Apache-2.0
// What `duet bench ratios` found, for people and as JSON.
#include <inttypes.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "bench/run/cells.h"
#include "bench/run/published.h"
#include "console/table.h"

// The attribute of a group that the report is split by, as text.
static char *label_of(const duet_ratios *ratios, const duet_ratios_group *group, char *buffer,
                      size_t size)
{
    switch (ratios->settings.by) {
    case DUET_RATIOS_BY_FAMILY:
        snprintf(buffer, size, "%s", group->family);
        break;
    case DUET_RATIOS_BY_PLATFORM:
        snprintf(buffer, size, "%" PRId64 ":%" PRId64, group->m, group->k);
        break;
    default:
        snprintf(buffer, size, "%" PRId64, group->n);
    }
    // Where every instance has its own.
    if (ratios->settings.by != DUET_RATIOS_BY_FAMILY && group->m + group->k == 0) {
        snprintf(buffer, size, "any");
    }
    return buffer;
}

// What a filter compares a group with.
typedef struct part {
    const duet_ratios *ratios;
    char label[64];
} part;

static bool is_of_part(const duet_ratios_group *group, const void *key)
{
    const part *p = key;
    char label[64];
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

static void add_number(duet_cli_table *table, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.4f", value);
    duet_cli_table_add(table, value > 0 ? text : "-");
}

// The last column.
static const char *verdict(const duet_ratios_algorithm *algorithm, const duet_ratios_seen *seen,
                           char *buffer, size_t size)
{
    const char *published = duet_bench_published(algorithm->name);
    if (seen->faults > 0) {
        return "FAULT";
    }
    if (seen->exceeded > 0) {
        return "EXCEEDED";
    }
    if (seen->unreferred > 0) {
        return "REFERENCE AT FAULT";
    }
    if (seen->runs == 0 && seen->failed > 0) {
        return "all runs failed";
    }
    if (published != NULL && seen->refuted > 0) {
        snprintf(buffer, size, "published %s: refuted by %zu", published, seen->refuted);
        return buffer;
    }
    if (published != NULL) {
        snprintf(buffer, size, "published %s: not refuted", published);
        return buffer;
    }
    if (algorithm->is_bound) {
        return "respected";
    }
    if (seen->judged == 0) {
        return "-";
    }
    int used = snprintf(buffer, size, "respected");
    if (seen->judged < seen->runs) { // on some platforms nothing is proven
        used += snprintf(buffer + used, size - (size_t)used, " by %zu", seen->judged);
    }
    if (seen->unclear > 0) {
        snprintf(buffer + used, size - (size_t)used, ", %zu unclear", seen->unclear);
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

static duet_code add_row(const duet_ratios *ratios, size_t algorithm, const part *of,
                         duet_cli_table *table, duet_error *error)
{
    duet_ratios_figures f;
    char text[64];
    char label[DUET_RATIOS_LABEL];
    duet_code code =
        duet_ratios_figures_of(ratios, algorithm, of == NULL ? NULL : is_of_part, of, &f, error);
    if (code != DUET_OK) {
        return code;
    }
    const double ratio[] = {f.mean, f.median, f.q90, f.q99, f.largest};
    duet_cli_table_add(table, of == NULL ? duet_ratios_label(&ratios->settings, algorithm, label)
                                         : of->label);
    duet_cells_add_count(table, f.seen.runs);
    if (any_failed(ratios)) {
        duet_cells_add_count(table, f.seen.failed);
    }
    for (size_t i = 0; i < sizeof ratio / sizeof *ratio; i++) {
        add_number(table, ratio[i]);
    }
    add_number(table, f.seen.proven);
    duet_cells_add_count(table, f.seen.open);
    duet_cli_table_add(table,
                       verdict(&ratios->settings.algorithm[algorithm], &f.seen, text, sizeof text));
    return DUET_OK;
}

static void begin_table(const duet_ratios *ratios, const char *first, duet_cli_table *table)
{
    static const char *const heads[] = {"mean", "median", "q90",  "q99",
                                        "max",  "proven", "open", ""};
    bool failed = any_failed(ratios);
    duet_cli_table_init(table, failed ? "lrrrrrrrrrl" : "lrrrrrrrrl");
    duet_cli_table_add(table, first);
    duet_cli_table_add(table, "runs");
    if (failed) {
        duet_cli_table_add(table, "failed");
    }
    duet_cells_add(table, heads, sizeof heads / sizeof *heads);
}

static duet_code print_table(const duet_ratios *ratios, FILE *stream, duet_error *error)
{
    duet_cli_table table;
    duet_code code = DUET_OK;
    begin_table(ratios, "algorithm", &table);
    for (size_t a = 0; a < ratios->settings.algorithm_count && code == DUET_OK; a++) {
        code = add_row(ratios, a, NULL, &table, error);
    }
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
    return code;
}

// The figures of one algorithm, split.
static duet_code print_parts(const duet_ratios *ratios, size_t algorithm, FILE *stream,
                             duet_error *error)
{
    duet_cli_table table;
    part of;
    char label[DUET_RATIOS_LABEL];
    duet_code code = DUET_OK;
    begin_table(ratios, duet_ratios_label(&ratios->settings, algorithm, label), &table);
    for (size_t p = 0; p < ratios->group_count && code == DUET_OK; p++) {
        if (begins_part(ratios, p, &of)) {
            code = add_row(ratios, algorithm, &of, &table, error);
        }
    }
    fputc('\n', stream);
    duet_cli_table_print(&table, 0, stream);
    duet_cli_table_free(&table);
    return code;
}

// "unif4-20-7 (4,2)".
static char *where(const duet_ratios *ratios, size_t job, char *buffer, size_t size)
{
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    char name[DUET_RATIOS_NAME];
    duet_ratios_name(ratios, job, name);
    if (group->m + group->k == 0) {
        snprintf(buffer, size, "%s", name);
    } else {
        snprintf(buffer, size, "%s (%" PRId64 ",%" PRId64 ")", name, group->m, group->k);
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
        if (code != DUET_OK || f.seen.worst_job == SIZE_MAX) {
            continue;
        }
        duet_cli_table_add(&table, duet_ratios_label(&ratios->settings, a, text));
        add_number(&table, f.largest);
        duet_cli_table_add(&table, duet_fraction_format(f.seen.worst, text));
        duet_cli_table_add(&table, where(ratios, f.seen.worst_job, text, sizeof text));
        duet_cli_table_add(&table, duet_ratios_command(ratios, a, f.seen.worst_job, text));
    }
    fputs("\nworst instances:\n", stream);
    duet_cli_table_print(&table, 2, stream);
    duet_cli_table_free(&table);
    return code;
}

duet_code duet_ratios_print(const duet_ratios *ratios, FILE *stream, duet_error *error)
{
    duet_code code = print_table(ratios, stream, error);
    for (size_t a = 0; a < ratios->settings.algorithm_count && code == DUET_OK &&
                       ratios->settings.by != DUET_RATIOS_BY_NOTHING;
         a++) {
        code = print_parts(ratios, a, stream, error);
    }
    if (code == DUET_OK) {
        code = print_worst(ratios, stream, error);
    }
    fputc('\n', stream);
    return code;
}

static void json_instance(const duet_ratios *ratios, const char *key, size_t algorithm, size_t job,
                          duet_cli_json *json)
{
    char text[DUET_RATIOS_COMMAND];
    if (job == SIZE_MAX) {
        duet_cli_json_string(json, key, NULL);
        return;
    }
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    duet_cli_json_open(json, key, '{');
    duet_cli_json_integer(json, "job", (int64_t)job);
    duet_cli_json_string(json, "instance", duet_ratios_name(ratios, job, text));
    if (group->m + group->k > 0) {
        duet_cli_json_integer(json, "m", group->m);
        duet_cli_json_integer(json, "k", group->k);
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
    duet_code code =
        duet_ratios_figures_of(ratios, algorithm, of == NULL ? NULL : is_of_part, of, &f, error);
    if (code != DUET_OK) {
        return code;
    }
    const struct {
        const char *name;
        double value;
    } ratio[] = {{"mean", f.mean}, {"median", f.median}, {"q90", f.q90},
                 {"q99", f.q99},   {"max", f.largest},   {"proven", f.seen.proven}};
    const struct {
        const char *name;
        size_t value;
    } count[] = {{"runs", f.seen.runs},       {"judged", f.seen.judged},
                 {"failed", f.seen.failed},   {"open", f.seen.open},
                 {"unclear", f.seen.unclear}, {"exceeded", f.seen.exceeded},
                 {"faults", f.seen.faults},   {"reference_faults", f.seen.unreferred},
                 {"refuted", f.seen.refuted}};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
        duet_cli_json_integer(json, count[i].name, (int64_t)count[i].value);
    }
    for (size_t i = 0; i < sizeof ratio / sizeof *ratio; i++) {
        duet_cli_json_decimal(json, ratio[i].name, ratio[i].value > 0 ? ratio[i].value : -1,
                              decimals);
    }
    duet_cli_json_string(json, "max_exact",
                         f.seen.worst_job == SIZE_MAX ? NULL
                                                      : duet_fraction_format(f.seen.worst, text));
    json_instance(ratios, "worst", algorithm, f.seen.worst_job, json);
    json_instance(ratios, "first_exceeded", algorithm, f.seen.exceeded_job, json);
    json_instance(ratios, "first_fault", algorithm, f.seen.fault_job, json);
    json_instance(ratios, "first_reference_fault", algorithm, f.seen.unreferred_job, json);
    json_instance(ratios, "first_refuted", algorithm, f.seen.refuted_job, json);
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
        duet_cli_json_string(json, "name", ratios->settings.algorithm[a].name);
        duet_cli_json_string(json, "options", duet_ratios_option_text(&ratios->settings, a));
        duet_cli_json_string(json, "published",
                             duet_bench_published(ratios->settings.algorithm[a].name));
        code = json_figures(ratios, a, NULL, json, error);
        if (code == DUET_OK && ratios->settings.by != DUET_RATIOS_BY_NOTHING) {
            code = json_parts(ratios, a, json, error);
        }
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    return code;
}

static void report_failure(const duet_ratios *ratios, const char *who, size_t algorithm,
                           size_t count, size_t job, const char *of_what, FILE *stream)
{
    char where_text[DUET_RATIOS_NAME + 64];
    char command[DUET_RATIOS_COMMAND];
    if (count == 0) {
        return;
    }
    duet_ratios_command(ratios, algorithm, job, command);
    fprintf(stream, "duet: %s: %zu %s, the first %s, seed %" PRIu64 "%s%s\n", who, count, of_what,
            where(ratios, job, where_text, sizeof where_text), duet_ratios_seed(ratios, job),
            command[0] == '\0' ? "" : ": ", command);
}

void duet_ratios_report_failures(const duet_ratios *ratios, FILE *stream)
{
    for (size_t a = 0; a < ratios->settings.algorithm_count; a++) {
        duet_ratios_figures f;
        if (duet_ratios_figures_of(ratios, a, NULL, NULL, &f, NULL) == DUET_OK) {
            char who[DUET_RATIOS_LABEL];
            duet_ratios_label(&ratios->settings, a, who);
            report_failure(ratios, who, a, f.seen.exceeded, f.seen.exceeded_job,
                           ratios->settings.algorithm[a].is_bound ? "values above the optimum"
                                                                  : "runs above the proven ratio",
                           stream);
            report_failure(ratios, who, a, f.seen.faults, f.seen.fault_job,
                           "runs that the checker or the optimum refutes", stream);
            report_failure(ratios, "reference", a, a == 0 ? f.seen.unreferred : 0,
                           f.seen.unreferred_job,
                           "instances where the checker or a schedule refutes it", stream);
            if (duet_ratios_is_unrefuted(ratios, a)) {
                fprintf(stream, "duet: %s: the published ratio is not refuted, expected it to be\n",
                        who);
            }
        }
    }
}
