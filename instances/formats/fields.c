// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/fields.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// Names that get a notice of their own, and names that are counted.
enum { MOST_NOTICES = 20, MOST_NAMES = 1000 };

void duet_field_uses_free(duet_field_uses *fields)
{
    duet_names_free(&fields->names);
    duet_names_free(&fields->orders);
    duet_free(fields->unused);
}

bool duet_field_priority(const char *text, size_t length, duet_decimal *priority)
{
    bool below = length > 0 && text[0] == '-';
    bool read = duet_decimal_parse(text + below, length - below, priority) == DUET_DECIMAL_OK &&
                text[below] != '-';
    priority->mantissa = below ? -priority->mantissa : priority->mantissa;
    return read;
}

bool duet_meaning_binds(duet_meaning meaning)
{
    return meaning == DUET_MEANS_AFTER || meaning == DUET_MEANS_BEFORE ||
           meaning == DUET_MEANS_RELEASE || meaning == DUET_MEANS_DEADLINE ||
           meaning == DUET_MEANS_TIMED || meaning == DUET_MEANS_COUNT ||
           meaning == DUET_MEANS_CORES;
}

bool duet_meaning_guarded(duet_meaning meaning)
{
    return meaning == DUET_MEANS_RELEASE || meaning == DUET_MEANS_CORES ||
           meaning == DUET_MEANS_COUNT;
}

// --- the ledger ----------------------------------------------------------------------------------

static const char *why_unused(duet_meaning meaning)
{
    static const char *const why[] = {
        [DUET_MEANS_NOTHING] = "nothing is known of this name",
        [DUET_MEANS_ID] = "another field names the tasks",
        [DUET_MEANS_AFTER] = "the order is read from another field",
        [DUET_MEANS_BEFORE] = "the order is read from another field",
        [DUET_MEANS_RELEASE] =
            "another field says the release, --columns does not pick it, or the format has none",
        [DUET_MEANS_COUNT] =
            "another field says it, --columns does not pick it, or the format has none",
        [DUET_MEANS_CORES] =
            "another field says it, --columns does not pick it, or the format has none",
        [DUET_MEANS_DEADLINE] =
            "another field says the deadline, --columns does not pick it, or the format has none",
        [DUET_MEANS_PRIORITY] = "heteroprio alone takes priorities, where a field is called that",
        [DUET_MEANS_WEIGHT] = "tasks have no weights, the makespan alone counts",
        [DUET_MEANS_SETUP] = "set-up times are not known: they are part of the times, or none",
        [DUET_MEANS_MEMORY] = "memory and other resources are no limit",
        [DUET_MEANS_REMARK] = "remarks do not count",
        [DUET_MEANS_GROUP] = "another field says the group, or the format has none",
        [DUET_MEANS_RUN] = "how a task was run once does not count",
        [DUET_MEANS_LIMIT] =
            "how long a task may run is no limit, nor is when it may start at the latest",
        [DUET_MEANS_TIMED] = "releases and deadlines are in the unit of the times"};
    return why[meaning];
}

// What stands before and behind a name.
static const char *owner_kind(duet_field_owner owner)
{
    switch (owner) {
    case DUET_FIELD_COLUMN:
        return "column";
    case DUET_FIELD_GRAPH_ATTRIBUTE:
    case DUET_FIELD_NODE_ATTRIBUTE:
    case DUET_FIELD_EDGE_ATTRIBUTE:
        return "attribute";
    case DUET_FIELD_RECORD:
        return "field";
    default:
        return "member";
    }
}

static const char *owner_name(duet_field_owner owner)
{
    static const char *const names[] = {[DUET_FIELD_COLUMN] = "",
                                        [DUET_FIELD_INSTANCE] = " of the instance",
                                        [DUET_FIELD_TASK] = " of tasks",
                                        [DUET_FIELD_TYPE] = " of processor types",
                                        [DUET_FIELD_EDGE] = " of edges",
                                        [DUET_FIELD_GRAPH_ATTRIBUTE] = " of the graph",
                                        [DUET_FIELD_NODE_ATTRIBUTE] = " of nodes",
                                        [DUET_FIELD_EDGE_ATTRIBUTE] = " of edges",
                                        [DUET_FIELD_RECORD] = " of records",
                                        [DUET_FIELD_PART] = ""};
    return names[owner];
}

static duet_code refuse_unused(const duet_field *field, const char *why, const char *file,
                               duet_error *error)
{
    char advice[DUET_FIELD_ADVICE];
    duet_field_ignore_advice(field->name, advice);
    return duet_error_set_at(error, DUET_E_INPUT, file, field->line, field->column,
                             "%s \"%.60s\"%s is not used (%s); expected input of which all is used "
                             "(--strict-input), or %s",
                             owner_kind(field->owner), field->name, owner_name(field->owner), why,
                             advice);
}

// A release or a deadline that would be read in another unit than its name says.
static duet_code refuse_timed(const duet_field *field, const char *file, duet_error *error)
{
    char advice[DUET_FIELD_ADVICE];
    duet_field_ignore_advice(field->name, advice);
    return duet_error_set_at(error, DUET_E_INPUT, file, field->line, field->column,
                             "%s \"%.60s\"%s names its unit, and releases and deadlines are in the "
                             "unit of the times; expected --columns with what it is, such as "
                             "release=, where that is the same, or %s",
                             owner_kind(field->owner), field->name, owner_name(field->owner),
                             advice);
}

duet_code duet_field_pass(duet_field_uses *fields, const duet_field *field, const char *why,
                          const char *file, duet_error *error)
{
    uint32_t number = 0;
    if (fields == NULL) {
        return DUET_OK;
    }
    bool ignored = duet_field_is_ignored(fields, field->name);
    why = ignored       ? "it is passed over, as -O ignore= asks"
          : why == NULL ? why_unused(duet_field_meaning(field->name))
                        : why;
    bool task = field->owner == DUET_FIELD_COLUMN || field->owner == DUET_FIELD_TASK ||
                field->owner == DUET_FIELD_NODE_ATTRIBUTE;
    if (task && !ignored && duet_field_meaning(field->name) == DUET_MEANS_TIMED) {
        return refuse_timed(field, file, error);
    }
    if (fields->strict && !ignored) {
        return refuse_unused(field, why, file, error);
    }
    size_t before = fields->names.count;
    const char *name = before < MOST_NAMES ? field->name : "...";
    DUET_TRY(duet_names_add(&fields->names, (uint32_t)field->owner, name, &number, error));
    if (number == before) {
        DUET_TRY(duet_vec_grow(fields->unused, before, error));
        fields->unused[number] = (duet_unused_field){field->owner, why, 0};
    }
    fields->unused[number].values++;
    return DUET_OK;
}

duet_code duet_field_take_order(duet_field_uses *fields, duet_field_owner owner, const char *name,
                                duet_builder *builder, duet_error *error)
{
    uint32_t number = 0;
    size_t before = fields == NULL ? 0 : fields->orders.count;
    if (fields == NULL) {
        return DUET_OK;
    }
    DUET_TRY(duet_names_add(&fields->orders, (uint32_t)owner, name, &number, error));
    if (before == 0 || number < before) {
        return DUET_OK;
    }
    duet_builder_merge_edges(builder); // what both say is one edge
    char notice[DUET_FIELD_ADVICE + 300];
    char advice[DUET_FIELD_ADVICE] = "";
    duet_field_owner first = (duet_field_owner)fields->orders.salt[0];
    const char *other = duet_names_text(&fields->orders, 0);
    const char *passed = owner != DUET_FIELD_INSTANCE   ? name
                         : first != DUET_FIELD_INSTANCE ? other
                                                        : NULL; // lists of edges always count
    if (passed != NULL) {
        duet_field_ignore_advice(passed, advice);
    }
    snprintf(notice, sizeof notice,
             "%s \"%.60s\"%s and %s \"%.60s\"%s both say the order, and count together%s%s%s",
             owner_kind(first), other, owner_name(first), owner_kind(owner), name,
             owner_name(owner), passed == NULL ? "" : " (", advice,
             passed == NULL ? "" : " passes over one)");
    return duet_builder_add_notice(builder, notice, error);
}

// Whether a release time of 0, or one core, is all that the value says.
static bool says_the_usual(bool release, const char *value)
{
    duet_decimal number;
    duet_decimal_tail tail;
    if (value[0] == '\0' || strcasecmp(value, "null") == 0 || strcasecmp(value, "nan") == 0) {
        return true;
    }
    int64_t usual = release ? 0 : 1;
    return duet_decimal_read(value, strlen(value), &number, &tail) == DUET_DECIMAL_OK &&
           number.mantissa == usual && number.places == 0 && tail == DUET_DECIMAL_NO_TAIL;
}

// A number of cores that the reader takes. Of two fields that say different ones it is none.
static bool take_cores(duet_field_uses *fields, const char *value)
{
    duet_decimal number;
    bool whole = fields != NULL && fields->takes_cores &&
                 duet_decimal_parse(value, strlen(value), &number) == DUET_DECIMAL_OK &&
                 number.places == 0 && number.mantissa >= 1 &&
                 number.mantissa <= DUET_MAX_PROCESSORS &&
                 (fields->cores == 0 || fields->cores == number.mantissa);
    if (whole) {
        fields->cores = number.mantissa;
    }
    return whole;
}

int64_t duet_field_take_cores(duet_field_uses *fields)
{
    int64_t cores = fields == NULL || fields->cores == 0 ? 1 : fields->cores;
    if (fields != NULL) {
        fields->cores = 0;
    }
    return cores;
}

// Why a release, a number of tasks or of cores is refused, and what was expected.
typedef struct refusal {
    const char *why;
    const char *expected;
} refusal;

static refusal refusal_of(const duet_field_uses *fields, duet_meaning meaning)
{
    if (meaning == DUET_MEANS_COUNT) {
        return (refusal){"numbers of tasks are read from JSON and CSV alone", "1 everywhere"};
    }
    if (meaning == DUET_MEANS_RELEASE) {
        return (refusal){"release times are read from JSON, CSV and DOT alone", "0 everywhere"};
    }
    if (fields == NULL || !fields->takes_cores) {
        return (refusal){"tasks of several cores are not read, every task runs on one processor",
                         "1 everywhere"};
    }
    if (fields->cores > 0) {
        return (refusal){"another field says another number of processors", "one of them"};
    }
    return (refusal){"it is no number of processors on which a task runs at once",
                     "a whole number from 1, --platform with its name if it is a processor type"};
}

duet_code duet_field_guard(duet_field_uses *fields, const duet_field *field, const char *value,
                           const char *file, duet_error *error)
{
    duet_meaning meaning = duet_field_meaning(field->name);
    bool release = meaning == DUET_MEANS_RELEASE;
    bool cores = !release && meaning != DUET_MEANS_COUNT; // or picked as such
    bool ignored = duet_field_is_ignored(fields, field->name);
    if (cores && !ignored && value[0] != '\0') {
        DUET_TRY(duet_field_take_processors(fields, field, file, error));
    }
    if (says_the_usual(release, value)) {
        return DUET_OK;
    }
    if (ignored) {
        return duet_field_pass(fields, field, NULL, file, error);
    }
    if (cores && take_cores(fields, value)) {
        return DUET_OK;
    }
    refusal refused = refusal_of(fields, meaning);
    char advice[DUET_FIELD_ADVICE];
    duet_field_ignore_advice(field->name, advice);
    return duet_error_set_at(
        error, DUET_E_INPUT, file, field->line, field->column,
        "%s \"%.60s\"%s is %.40s: %s; expected %s, or %s, with which it is passed over",
        owner_kind(field->owner), field->name, owner_name(field->owner), value, refused.why,
        refused.expected, advice);
}

static duet_code note_one(const duet_field_uses *fields, size_t which, duet_builder *builder,
                          duet_error *error)
{
    char notice[320];
    const duet_unused_field *unused = &fields->unused[which];
    snprintf(notice, sizeof notice, "%s \"%.80s\"%s is not used (%zu value%s): %s",
             owner_kind(unused->owner), duet_names_text(&fields->names, which),
             owner_name(unused->owner), unused->values, unused->values == 1 ? "" : "s",
             unused->why);
    return duet_builder_add_notice(builder, notice, error);
}

bool duet_field_take_default(duet_field_uses *fields, duet_read_time *times, size_t count)
{
    bool said = fields != NULL && fields->time != NULL;
    for (size_t i = 0; said && i < count; i++) {
        times[i] = *fields->time;
    }
    if (said) {
        fields->untimed++;
    }
    return said;
}

static duet_code note_default(const duet_field_uses *fields, duet_builder *builder,
                              duet_error *error)
{
    char notice[120];
    size_t tasks = fields->untimed;
    if (fields->time == NULL) {
        return DUET_OK;
    }
    snprintf(notice, sizeof notice, "%zu task%s no time and take%s what -O time= says", tasks,
             tasks == 1 ? " has" : "s have", tasks == 1 ? "s" : "");
    return duet_builder_add_notice(
        builder, tasks > 0 ? notice : "-O time= is not used: no task is without a time", error);
}

duet_code duet_field_note(const duet_field_uses *fields, duet_builder *builder, duet_error *error)
{
    size_t count = fields->names.count;
    size_t shown = duet_min(count, (size_t)MOST_NOTICES);
    for (size_t i = 0; i < shown; i++) {
        DUET_TRY(note_one(fields, i, builder, error));
    }
    if (count > shown) {
        char notice[80];
        snprintf(notice, sizeof notice, "%zu more fields are not used", count - shown);
        DUET_TRY(duet_builder_add_notice(builder, notice, error));
    }
    DUET_TRY(duet_field_note_types(fields, builder, error));
    DUET_TRY(note_default(fields, builder, error));
    return duet_field_note_ignored(fields, builder, error);
}
