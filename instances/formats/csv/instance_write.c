// SPDX-License-Identifier: Apache-2.0
// Instances as CSV, written so that the reader takes every column and every task for what it is.
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include <duet/graph.h>

#include "core/instance/available.h"
#include "core/instance/lateness.h"
#include "core/instance/moldable.h"
#include "core/instance/time_table.h"
#include "core/number/minmax.h"
#include "core/system/output.h"
#include "core/system/try.h"
#include "core/system/utf8.h"
#include "instances/formats/csv/csv.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"

// A type called like a column with a meaning of its own would pass for it. The first such column is
// the one with the meaning, so it is then written too.
static bool has_type(const duet_instance *instance, const char *name)
{
    bool found = false;
    for (size_t t = 0; t < instance->types; t++) {
        found = found || strcasecmp(instance->type_names[t], name) == 0;
    }
    return found;
}

// How the columns of a type say what its tasks take.
typedef enum type_form {
    ONE_TIME, // a column
    LAWS,     // work and alpha
    TABLES,   // a column for each number of processors
    NO_FORM   // laws for some tasks, times for others
} type_form;

// Whether some task runs on several processors and on one number of them alone, as all others do:
// a column has that number.
static bool has_cores(const duet_instance *instance)
{
    bool one = instance->moldable != NULL;
    bool several = false;
    for (size_t i = 0; i < instance->kinds && one; i++) {
        int64_t cores = duet_moldable_cores(instance, i);
        one = cores > 0;
        several = several || cores > 1;
    }
    return one && several;
}

static type_form form_of(const duet_instance *instance, size_t type, int64_t *longest)
{
    bool laws = false;
    bool times = false;
    bool tables = false; // also of one time each
    *longest = 1;
    for (size_t i = 0; i < instance->kinds && instance->moldable != NULL; i++) {
        int64_t length = duet_moldable_length(instance, i, type);
        bool law = duet_moldable_law(instance, i, type) != NULL;
        bool some = duet_time(instance, i, type) != DUET_FORBIDDEN;
        tables = tables || (some && !law && duet_moldable_has_table(instance, i, type));
        laws = laws || (some && law);
        times = times || (some && !law);
        *longest = some && !law && length > *longest ? length : *longest;
    }
    int64_t count = instance->processors[type];
    bool cut = instance->has_platform && count < *longest;
    *longest = cut ? duet_max(count, 1) : *longest;
    return laws && times ? NO_FORM : laws ? LAWS : tables ? TABLES : ONE_TIME;
}

// A type whose name passes for a column of moldable tasks.
static duet_code check_names(const duet_instance *instance, duet_error *error)
{
    bool pair = has_type(instance, "work") && has_type(instance, "alpha");
    for (size_t t = 0; t < instance->types; t++) {
        const char *colon = strrchr(instance->type_names[t], ':');
        const char *behind = colon == NULL ? instance->type_names[t] : colon + 1;
        bool word = strcasecmp(behind, "work") == 0 || strcasecmp(behind, "alpha") == 0;
        bool count = *behind != '\0' && behind[strspn(behind, "0123456789")] == '\0';
        if (colon == NULL ? pair && word : word || count) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "the type '%.60s' would pass for a column of moldable tasks in "
                                  "CSV; expected another name, or json",
                                  instance->type_names[t]);
        }
    }
    return DUET_OK;
}

// What columns of moldable tasks cannot say.
static duet_code check_moldable(const duet_instance *instance, duet_error *error)
{
    enum { most = 4000 }; // columns, some fewer than are read
    int64_t columns = 0;
    if (instance->moldable->shape != DUET_TABLES_FULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "CSV has no place for tasks of 0 ticks, or that not all numbers of "
                              "processors suit, beside tasks of several sizes; expected json");
    }
    for (size_t t = 0; t < instance->types; t++) {
        int64_t longest;
        type_form form = form_of(instance, t, &longest);
        duet_fraction speed = duet_moldable_speed(instance, t);
        if (form == NO_FORM) {
            return duet_error_set(
                error, DUET_E_USAGE,
                "CSV has no place for laws beside times on one type, which '%.60s' "
                "has; expected json",
                instance->type_names[t]);
        }
        if (form == LAWS && speed.num != speed.den) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "CSV has no place for speeds other than 1, which '%.60s' has; "
                                  "expected json",
                                  instance->type_names[t]);
        }
        columns += longest;
    }
    if (columns > most) {
        return duet_error_set(
            error, DUET_E_USAGE,
            "CSV has a column for each number of processors, at most %d; expected "
            "json",
            most);
    }
    return DUET_OK;
}

// What a column of predecessors cannot say.
// A column of a type whose name means something else would not come back as one.
static duet_code check_meanings(const duet_instance *instance, duet_error *error)
{
    for (size_t t = 0; t < instance->types; t++) {
        const char *name = duet_instance_type_name(instance, t);
        bool own = strcasecmp(name, "id") == 0 || strcasecmp(name, "count") == 0 ||
                   strcasecmp(name, "after") == 0; // which stand there twice
        bool cpus = strcasecmp(name, "cpus") == 0 && has_type(instance, "gpus");
        if (!own && !cpus && duet_field_meaning(name) != DUET_MEANS_NOTHING) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "CSV has no place for a processor type called '%.60s', which "
                                  "means something else of a task; expected json or dot",
                                  name);
        }
    }
    return DUET_OK;
}

duet_code duet_check_instance_csv(const duet_instance *instance, duet_error *error)
{
    unsigned features = duet_instance_features(instance);
    if ((features & DUET_FEATURE_COMMUNICATION) != 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "CSV has no place for what edges cost; expected json or dot");
    }
    if (instance->mixed_sets) {
        return duet_error_set(error, DUET_E_USAGE,
                              "CSV has no place for mixed sets; expected json, or -O "
                              "mixed_sets=false, and the option again where the file is read");
    }
    if (duet_has_busy(instance)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "CSV has no place for busy processors; expected json");
    }
    if ((features & DUET_FEATURE_FIXED) != 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "CSV has no place for what is fixed; expected json");
    }
    DUET_TRY(check_names(instance, error));
    DUET_TRY(check_meanings(instance, error));
    if (instance->moldable != NULL && !has_cores(instance)) {
        DUET_TRY(check_moldable(instance, error));
    }
    for (size_t kind = 0; kind < instance->kinds && duet_instance_edges(instance) > 0; kind++) {
        const char *id = duet_instance_kind_id(instance, kind);
        if (strchr(id, ';') != NULL || id[0] == ' ' || id[strlen(id) - 1] == ' ') {
            return duet_error_set(error, DUET_E_USAGE,
                                  "the task '%.60s' cannot be a predecessor in CSV: it has a "
                                  "semicolon, or a blank at an end; expected another id, json or "
                                  "dot",
                                  id);
        }
    }
    return DUET_OK;
}

typedef struct csv_shape {
    bool counts; // there is a column of counts
    bool cores;  // there is a column of cores
    bool after;
    type_form form[DUET_MAX_TYPES];
    int64_t longest[DUET_MAX_TYPES]; // numbers of processors with a time
} csv_shape;

// A type's name with what stands behind it, as one field.
static void write_column(FILE *stream, const char *name, const char *suffix)
{
    fputc(',', stream);
    if (suffix[0] == '\0') {
        duet_csv_put_field(stream, name);
        return;
    }
    const char *quote = strpbrk(name, ",;\" ") == NULL && duet_utf8_is_plain(name) ? "" : "\"";
    fputs(quote, stream);
    duet_output_quoted(stream, name, '"');
    fprintf(stream, "%s%s", suffix, quote);
}

static void write_header(FILE *stream, const duet_instance *instance, const csv_shape *shape)
{
    fprintf(stream, "id%s%s%s%s%s%s%s", shape->counts ? ",count" : "", shape->after ? ",after" : "",
            instance->release != NULL ? ",release" : "",
            instance->deadline != NULL ? ",deadline" : "",
            instance->priority != NULL ? ",priority" : "", instance->group != NULL ? ",group" : "",
            shape->cores ? ",cores" : "");
    for (size_t t = 0; t < instance->types; t++) {
        const char *name = instance->type_names[t];
        if (shape->form[t] == LAWS) {
            write_column(stream, name, ":work");
            write_column(stream, name, ":alpha");
        }
        for (int64_t p = 1; p <= shape->longest[t] && shape->form[t] != LAWS; p++) {
            char count[32];
            snprintf(count, sizeof count, ":%" PRId64, p);
            write_column(stream, name, shape->form[t] == TABLES ? count : "");
        }
    }
    fputc('\n', stream);
}

// The times of a kind on a type, of which columns are written for `longest` numbers of processors.
static void write_table(FILE *stream, const duet_instance *instance, size_t kind, size_t type,
                        int64_t longest)
{
    char buffer[32];
    const int64_t *table = duet_table_of(instance, kind, type).time;
    int64_t length = duet_moldable_length(instance, kind, type);
    bool none = duet_time(instance, kind, type) == DUET_FORBIDDEN;
    for (int64_t p = 0; p < longest; p++) {
        fputc(',', stream);
        fputs(none || p >= length ? "" : duet_instance_format_time(instance, table[p], buffer),
              stream);
    }
}

// How many processors the tasks of a kind take, and their time on each type.
static void write_sized(FILE *stream, const duet_instance *instance, size_t kind)
{
    char buffer[32];
    int64_t cores = duet_moldable_cores(instance, kind);
    fprintf(stream, ",%" PRId64, cores);
    for (size_t t = 0; t < instance->types; t++) {
        int64_t time = duet_moldable_has_table(instance, kind, t)
                           ? duet_moldable_table_time(instance, kind, t, cores)
                           : duet_time(instance, kind, t);
        fputc(',', stream);
        fputs(time == DUET_FORBIDDEN ? "" : duet_instance_format_time(instance, time, buffer),
              stream);
    }
    fputc('\n', stream);
}

static void write_times(FILE *stream, const duet_instance *instance, const csv_shape *shape,
                        size_t kind)
{
    if (instance->release != NULL) {
        char buffer[32];
        fprintf(stream, ",%s",
                duet_instance_format_time(instance, duet_release(instance, kind), buffer));
    }
    if (instance->deadline != NULL) {
        char buffer[32];
        duet_decimal due = instance->deadline[kind];
        fprintf(stream, ",%s",
                duet_has_deadline(instance, kind)
                    ? duet_decimal_format(due.mantissa, due.places, buffer)
                    : "");
    }
    if (instance->priority != NULL) {
        char buffer[32];
        duet_decimal priority = instance->priority[kind];
        fprintf(stream, ",%s", duet_decimal_format(priority.mantissa, priority.places, buffer));
    }
    if (instance->group != NULL) {
        const char *group = duet_instance_group(instance, kind);
        fputc(',', stream);
        duet_csv_put_field(stream, group == NULL ? "" : group);
    }
    if (shape->cores) {
        write_sized(stream, instance, kind);
        return;
    }
    for (size_t t = 0; t < instance->types; t++) {
        const duet_law *law = duet_moldable_law(instance, kind, t);
        if (shape->form[t] != LAWS) {
            write_table(stream, instance, kind, t, shape->longest[t]);
        } else if (law == NULL) {
            fputs(",,", stream);
        } else {
            char work[32];
            char alpha[32];
            fprintf(stream, ",%s,%s",
                    duet_decimal_format(law->work.mantissa, law->work.places, work),
                    duet_decimal_format(law->alpha.mantissa, law->alpha.places, alpha));
        }
    }
    fputc('\n', stream);
}

// The task's id as part of a field in quotes.
static void write_quoted_id(FILE *stream, const duet_instance *instance, int64_t task)
{
    size_t kind = duet_instance_kind_of(instance, task);
    for (const char *c = duet_instance_kind_id(instance, kind); *c != '\0'; c++) {
        fputs(*c == '"' ? "\"" : "", stream);
        fputc(*c, stream);
    }
    if (duet_count(instance, kind) != 1) {
        fprintf(stream, "#%" PRId64, task - instance->first[kind]);
    }
}

// A record a task: edges are between tasks, not kinds.
static void write_graph(FILE *stream, const duet_instance *instance, const csv_shape *shape)
{
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        size_t count;
        const int32_t *edges = duet_instance_edges_to(instance, j, &count);
        fputc('"', stream);
        write_quoted_id(stream, instance, j);
        fprintf(stream, "\"%s,", shape->counts ? ",1" : "");
        for (size_t i = 0; i < count; i++) {
            fputs(i == 0 ? "\"" : ";", stream);
            write_quoted_id(stream, instance, duet_instance_edge(instance, edges[i]).from);
        }
        fputs(count > 0 ? "\"" : "", stream);
        write_times(stream, instance, shape, duet_instance_kind_of(instance, j));
    }
}

void duet_write_instance_csv(FILE *stream, const duet_instance *instance)
{
    bool graph = duet_instance_edges(instance) > 0;
    bool single = graph || duet_tasks(instance) == (int64_t)instance->kinds;
    csv_shape shape = {.counts = has_type(instance, "count") || !single,
                       .after = graph || has_type(instance, "after"),
                       .cores = has_cores(instance)};
    for (size_t t = 0; t < instance->types; t++) {
        shape.form[t] = shape.cores ? ONE_TIME : form_of(instance, t, &shape.longest[t]);
        shape.longest[t] = shape.cores ? 1 : shape.longest[t];
    }
    write_header(stream, instance, &shape);
    if (graph) {
        write_graph(stream, instance, &shape);
        return;
    }
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        duet_csv_put_field(stream, duet_instance_kind_id(instance, kind));
        if (shape.counts) {
            fprintf(stream, ",%" PRId64, duet_count(instance, kind));
        }
        fputs(shape.after ? "," : "", stream);
        write_times(stream, instance, &shape, kind);
    }
}
