// SPDX-License-Identifier: Apache-2.0
// Every attribute of nodes is a processor type, but for those by which Graphviz draws, those whose
// values are no numbers, and those whose names mean something else (fields.h). daggen writes a
// "size" and an "alpha", networkx a "weight": where there is nothing else, the size, or the weight,
// is the one time that is known; a size is that of a GPU where two are asked for.
#include "instances/formats/dot/values.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/instance/moment.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"

void duet_dot_free_values(duet_dot_values *values)
{
    duet_names_free(&values->names);
    duet_free(values->nodes);
    duet_names_free(&values->attributes);
    duet_names_free(&values->groups);
    duet_free(values->owns);
    duet_free(values->kinds);
    duet_free(values->values);
}

size_t duet_dot_find_node(duet_dot_values *values, const char *name, int line)
{
    duet_dot_lexer *lexer = values->lexer;
    size_t before = values->names.count;
    uint32_t number = 0;
    if (lexer->code != DUET_OK) {
        return 0;
    }
    duet_dot_note(lexer, duet_names_add(&values->names, 0, name, &number, lexer->error));
    if (lexer->code == DUET_OK && number == before) {
        duet_dot_note(lexer, duet_vec_grow(values->nodes, before, lexer->error));
        if (lexer->code == DUET_OK) {
            values->nodes[before] = (duet_dot_node){.line = line};
        }
    }
    return number;
}

// --- attributes ----------------------------------------------------------------------------------

// Whether an attribute is a time only where there is no other.
static bool is_spare(const char *name)
{
    return strcmp(name, "size") == 0 || strcmp(name, "alpha") == 0 || strcmp(name, "weight") == 0 ||
           strcasecmp(name, "cpus") == 0;
}

// What tasks have beside times. Where attributes are picked, a name that is not is read if it is
// the very word.
static const struct own_word {
    const char *text;
    duet_meaning meaning;
    duet_dot_kind kind;
} own_words[] = {{"group", DUET_MEANS_GROUP, DUET_DOT_GROUPS},
                 {"release", DUET_MEANS_RELEASE, DUET_DOT_RELEASES},
                 {"deadline", DUET_MEANS_DEADLINE, DUET_DOT_DEADLINES},
                 {"priority", DUET_MEANS_PRIORITY, DUET_DOT_PRIORITIES},
                 {"count", DUET_MEANS_COUNT, DUET_DOT_GUARDED},
                 {"cores", DUET_MEANS_CORES, DUET_DOT_GUARDED}};

enum { OWN_WORDS = sizeof own_words / sizeof *own_words };

static const struct own_word *find_own_word(const char *text)
{
    for (size_t i = 0; i < OWN_WORDS; i++) {
        if (strcmp(own_words[i].text, text) == 0 && own_words[i].meaning != DUET_MEANS_COUNT) {
            return &own_words[i];
        }
    }
    return NULL;
}

// DUET_DOT_UNKNOWN: it is nothing that tasks have beside times.
static duet_dot_kind own_kind(const duet_dot_values *values, const char *name)
{
    const duet_field_uses *fields = values->lexer->input->fields;
    bool picks = fields != NULL && fields->picks != NULL;
    duet_meaning meaning = duet_field_meaning(name);
    if (duet_field_is_type(fields, name) || is_spare(name)) {
        return DUET_DOT_UNKNOWN;
    }
    for (size_t i = 0; i < OWN_WORDS; i++) {
        const struct own_word *word = &own_words[i];
        bool very = picks || word->meaning == DUET_MEANS_PRIORITY; // no other name will do
        if (meaning == word->meaning && (!very || strcmp(name, word->text) == 0)) {
            return word->kind;
        }
    }
    return DUET_DOT_UNKNOWN;
}

// What the name of an attribute says of its values.
static duet_dot_kind first_kind(const duet_dot_values *values, const char *name)
{
    duet_field_uses *fields = values->lexer->input->fields;
    const duet_csv_pick *pick = duet_field_pick(fields, name);
    if (pick != NULL) {
        const struct own_word *word = find_own_word(pick->name);
        return word != NULL ? word->kind : DUET_DOT_UNKNOWN;
    }
    if (duet_field_is_ignored(fields, name) && !duet_field_is_type(fields, name)) {
        return DUET_DOT_TEXTS;
    }
    duet_dot_kind own = own_kind(values, name);
    if (own != DUET_DOT_UNKNOWN) {
        return own;
    }
    bool asked = fields != NULL && fields->picks != NULL;
    if (duet_dot_draws_nodes(name) || (asked && !duet_meaning_binds(duet_field_meaning(name)))) {
        return DUET_DOT_DRAWING; // or passed over as asked
    }
    bool plain = duet_field_is_type(fields, name) || is_spare(name) ||
                 duet_field_meaning(name) == DUET_MEANS_NOTHING;
    return values->declared == 0 && plain ? DUET_DOT_UNKNOWN : DUET_DOT_TEXTS;
}

static uint32_t find_attribute(duet_dot_values *values, const char *name)
{
    duet_dot_lexer *lexer = values->lexer;
    size_t before = values->attributes.count;
    uint32_t number = 0;
    duet_dot_note(lexer, duet_names_add(&values->attributes, 0, name, &number, lexer->error));
    if (lexer->code == DUET_OK && number == before) {
        duet_dot_note(lexer, duet_vec_grow(values->kinds, before, lexer->error));
        if (lexer->code == DUET_OK) {
            values->kinds[number] = first_kind(values, name);
        }
    }
    return number;
}

// The number of processors behind '='; -1: the text does not say.
static int64_t read_count(duet_dot_values *values, const char *equals)
{
    duet_decimal number = {0, 0};
    if (equals == NULL) {
        return -1;
    }
    if (duet_decimal_parse(equals + 1, strlen(equals + 1), &number) != DUET_DECIMAL_OK ||
        number.places != 0 || number.mantissa > DUET_MAX_PROCESSORS) {
        duet_dot_expected(values->lexer, "a platform such as \"cpu=20,gpu=4\" or \"cpu,gpu\"");
    }
    return number.mantissa;
}

void duet_dot_take_platform(duet_dot_values *values)
{
    duet_dot_lexer *lexer = values->lexer;
    if (values->attributes.count > 0) {
        duet_dot_fail(lexer, "the platform comes behind attributes of nodes; expected it before");
    }
    char *copy = lexer->code == DUET_OK ? duet_copy_string(lexer->text, lexer->error) : NULL;
    if (lexer->code == DUET_OK && copy == NULL) {
        duet_dot_note(lexer, DUET_E_MEMORY);
    }
    for (char *name = copy; name != NULL && lexer->code == DUET_OK;) {
        char *comma = strchr(name, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        char *equals = strchr(name, '=');
        int64_t count = read_count(values, equals);
        if (equals != NULL) {
            *equals = '\0';
        }
        duet_dot_then(lexer, duet_builder_add_type(values->builder, name, count, lexer->line,
                                                   lexer->column, lexer->error));
        if (lexer->code == DUET_OK) {
            values->declared = 0; // so that it is a new attribute without a kind
            uint32_t number = find_attribute(values, name);
            if (lexer->code == DUET_OK) {
                values->kinds[number] = DUET_DOT_TIMES;
            }
        }
        name = comma == NULL ? NULL : comma + 1;
    }
    values->declared = values->attributes.count;
    duet_free(copy);
}

static void keep_value(duet_dot_values *values, size_t node, uint32_t attribute,
                       duet_read_time time)
{
    duet_dot_lexer *lexer = values->lexer;
    duet_dot_note(lexer, duet_vec_grow(values->values, values->count, lexer->error));
    if (lexer->code == DUET_OK) {
        values->values[values->count++] =
            (duet_dot_value){attribute, time, values->nodes[node].last};
        values->nodes[node].last = values->count;
    }
}

// Whether it is one of nodes that has times.
static bool is_type_pick(const duet_csv_pick *pick)
{
    return strcmp(pick->name, "cost") != 0 && strcmp(pick->name, "data") != 0 &&
           find_own_word(pick->name) == NULL;
}

// The current token as a time: a number, what says that there is none, or a length of time.
static duet_decimal_fault read_time(const duet_dot_lexer *lexer, duet_read_time *time, bool *length)
{
    *time = (duet_read_time){.forbidden = false};
    duet_decimal_fault fault =
        duet_decimal_read(lexer->text, lexer->length, &time->value, &time->tail);
    if (fault == DUET_DECIMAL_SYNTAX) {
        time->forbidden = duet_time_is_missing(lexer->text);
        *length = !time->forbidden && duet_duration_read(lexer->text, lexer->length, time);
        fault = time->forbidden || *length ? DUET_DECIMAL_OK : fault;
    }
    return fault;
}

// Whether the caller calls it a type.
static bool is_asked(duet_field_uses *fields, const char *attribute)
{
    const duet_csv_pick *pick = duet_field_pick(fields, attribute);
    return duet_field_is_type(fields, attribute) || (pick != NULL && is_type_pick(pick));
}

void duet_dot_take_value(duet_dot_values *values, size_t node, const char *attribute)
{
    duet_dot_lexer *lexer = values->lexer;
    uint32_t number = lexer->code == DUET_OK ? find_attribute(values, attribute) : 0;
    if (lexer->code != DUET_OK) {
        return;
    }
    duet_dot_kind *kind = &values->kinds[number];
    duet_read_time time;
    bool length = false;
    duet_decimal_fault fault = read_time(lexer, &time, &length);
    if (*kind == DUET_DOT_UNKNOWN && time.forbidden && strcasecmp(lexer->text, "inf") != 0) {
        return; // it says nothing, also of what the attribute is
    }
    if (*kind == DUET_DOT_UNKNOWN) {
        bool text = fault == DUET_DECIMAL_SYNTAX && !is_asked(lexer->input->fields, attribute);
        *kind = text ? DUET_DOT_TEXTS : DUET_DOT_TIMES;
    }
    values->lengths = values->lengths || (length && *kind == DUET_DOT_TIMES);
    const duet_field field = {DUET_FIELD_NODE_ATTRIBUTE, attribute, lexer->line, lexer->column};
    if (*kind == DUET_DOT_TEXTS) {
        duet_meaning meaning = duet_field_meaning(attribute);
        bool order = meaning == DUET_MEANS_AFTER || meaning == DUET_MEANS_BEFORE;
        bool word = meaning != DUET_MEANS_NOTHING;
        bool numeric = fault != DUET_DECIMAL_SYNTAX;
        duet_dot_note(lexer, duet_field_pass(lexer->input->fields, &field,
                                             order     ? "a -> b says the order"
                                             : word    ? NULL
                                             : numeric ? "it is no type of the platform"
                                                       : "it is no number",
                                             lexer->input->name, lexer->error));
    } else if (*kind == DUET_DOT_GROUPS) {
        duet_dot_take_group(values, node, number, &field);
    } else if (*kind == DUET_DOT_RELEASES || *kind == DUET_DOT_DEADLINES ||
               *kind == DUET_DOT_PRIORITIES) {
        duet_dot_take_own(values, node, number, &field);
    } else if (*kind == DUET_DOT_GUARDED) {
        duet_dot_take_cores(values, node, &field);
    } else if (*kind == DUET_DOT_TIMES && fault != DUET_DECIMAL_OK) {
        duet_dot_fail(lexer, "%.60s \"%.40s\": expected %s", attribute, lexer->text,
                      duet_decimal_expected(fault));
    } else if (*kind == DUET_DOT_TIMES) {
        keep_value(values, node, number, time);
    }
}

// --- the instance --------------------------------------------------------------------------------

// Which attributes are types, in their order.
typedef struct type_list {
    uint32_t attribute[DUET_MAX_TYPES + 1];
    const char *name[DUET_MAX_TYPES + 1]; // NULL: that of the attribute
    size_t count;
    bool gpu_time; // one time, by daggen
    bool weights;  // the one time is the weight
    bool unnamed;  // the one time has no name
} type_list;

static bool is_named(const duet_dot_values *values, size_t attribute, const char *name)
{
    return strcmp(duet_names_text(&values->attributes, attribute), name) == 0;
}

static size_t find_times(const duet_dot_values *values, const char *name)
{
    size_t a = 0;
    while (a < values->attributes.count &&
           (values->kinds[a] != DUET_DOT_TIMES || !is_named(values, a, name))) {
        a++;
    }
    return a;
}

// Where no attribute is a time by itself, the size or else the weight is.
static void choose_spare(const duet_dot_values *values, type_list *types)
{
    size_t size = find_times(values, "size");
    size_t weight = find_times(values, "weight");
    types->gpu_time = size < values->attributes.count;
    types->weights = !types->gpu_time && weight < values->attributes.count;
    if (types->gpu_time || types->weights) {
        types->attribute[types->count++] = (uint32_t)(types->gpu_time ? size : weight);
        types->unnamed = true;
    }
}

// Attributes that the caller has picked, which are types unless they are of edges.
static void choose_picked(duet_dot_values *values, type_list *types)
{
    const duet_csv_picks *picks = values->lexer->input->fields->picks;
    if (values->declared > 0) {
        duet_dot_fail(values->lexer, "the graph says itself which attributes are types, by its "
                                     "\"platform\"; expected no --columns");
    }
    for (size_t i = 0; i < picks->count && values->lexer->code == DUET_OK; i++) {
        const duet_csv_pick *pick = &picks->pick[i];
        size_t a = find_times(values, pick->column);
        if (!is_type_pick(pick)) {
            continue;
        }
        duet_meaning meaning = duet_field_meaning(pick->name);
        if (meaning == DUET_MEANS_ID || meaning == DUET_MEANS_AFTER ||
            meaning == DUET_MEANS_BEFORE || strcmp(pick->name, "count") == 0) {
            values->lexer->line = 0;
            duet_dot_fail(values->lexer,
                          "a node names itself, is one task, and waits for those with edges to it; "
                          "expected --columns without %.60s=",
                          pick->name);
            return;
        }
        if (a == values->attributes.count) {
            values->lexer->line = 0;
            duet_dot_fail(
                values->lexer,
                "no attribute \"%.60s\" of nodes that is a number; expected --columns with "
                "attributes that are there",
                pick->column);
            return;
        }
        types->name[types->count] = pick->name;
        types->attribute[types->count++] = (uint32_t)a;
    }
}

static void choose_types(duet_dot_values *values, type_list *types)
{
    const duet_field_uses *fields = values->lexer->input->fields;
    *types = (type_list){.count = 0};
    bool picked = false; // an attribute of nodes
    for (size_t i = 0; fields != NULL && fields->picks != NULL && i < fields->picks->count; i++) {
        picked = picked || is_type_pick(&fields->picks->pick[i]);
    }
    if (picked) {
        choose_picked(values, types);
        return;
    }
    bool gpus = find_times(values, "gpus") < values->attributes.count;
    for (size_t a = 0; a < values->attributes.count && types->count <= DUET_MAX_TYPES; a++) {
        const char *name = duet_names_text(&values->attributes, a);
        bool spare = values->declared == 0 && is_spare(name) && !duet_field_is_type(fields, name) &&
                     !(gpus && strcasecmp(name, "cpus") == 0);
        if (values->kinds[a] == DUET_DOT_TIMES && !spare) {
            types->attribute[types->count++] = (uint32_t)a;
        }
    }
    if (types->count == 0) {
        choose_spare(values, types);
    }
}

// Types that no node has, but the caller names.
static void add_named_types(duet_dot_values *values, type_list *types)
{
    duet_dot_lexer *lexer = values->lexer;
    char name[DUET_FIELD_TYPE_NAME];
    size_t which = 0;
    while (lexer->code == DUET_OK && types->count > 0 && types->count < DUET_MAX_TYPES &&
           duet_field_next_type(lexer->input->fields, &which, name)) {
        if (duet_builder_find_type(values->builder, name) == duet_builder_types(values->builder)) {
            types->attribute[types->count++] = UINT32_MAX; // of no node
            duet_dot_note(lexer,
                          duet_builder_add_type(values->builder, name, -1, 0, 0, lexer->error));
        }
    }
}

static void add_types(duet_dot_values *values, type_list *types)
{
    duet_dot_lexer *lexer = values->lexer;
    if (types->gpu_time) {
        duet_builder_set_gpu_time(values->builder);
    }
    bool named = types->unnamed || values->declared > 0; // or they need no name
    for (size_t t = 0; t < types->count && !named && lexer->code == DUET_OK; t++) {
        const char *name = types->name[t] != NULL
                               ? types->name[t]
                               : duet_names_text(&values->attributes, types->attribute[t]);
        const duet_field field = {DUET_FIELD_NODE_ATTRIBUTE, name, 0, 0};
        duet_dot_note(lexer, duet_field_take_type(lexer->input->fields, &field, lexer->input->name,
                                                  lexer->error));
        duet_dot_then(lexer, duet_builder_add_type(values->builder, name, -1, 0, 0, lexer->error));
    }
    if (!named) {
        add_named_types(values, types);
    }
    if (!named && lexer->code == DUET_OK) {
        duet_dot_note(lexer,
                      duet_field_end_types(lexer->input->fields, lexer->input->name, lexer->error));
    }
}

static void add_own(duet_dot_values *values, size_t node)
{
    duet_dot_lexer *lexer = values->lexer;
    if (lexer->code != DUET_OK || values->nodes[node].own == 0) {
        return;
    }
    const duet_dot_own *own = &values->owns[values->nodes[node].own - 1];
    duet_dot_note(lexer,
                  duet_builder_set_release_when(values->builder, &own->release, lexer->error));
    if (lexer->code == DUET_OK && own->due > 0) {
        duet_dot_note(
            lexer, duet_builder_set_deadline_when(values->builder, &own->deadline, lexer->error));
    }
    if (lexer->code == DUET_OK && own->priority.mantissa != 0) {
        duet_dot_note(lexer,
                      duet_builder_set_priority(values->builder, own->priority, lexer->error));
    }
}

static void add_task(duet_dot_values *values, const type_list *types, size_t node)
{
    duet_dot_lexer *lexer = values->lexer;
    const char *id = duet_names_text(&values->names, node);
    duet_read_time times[DUET_MAX_TYPES];
    bool given[DUET_MAX_TYPES] = {false};
    bool timed = false;
    for (size_t t = 0; t < types->count; t++) {
        times[t] = (duet_read_time){.forbidden = true};
    }
    // The last value of an attribute counts, and comes first.
    for (size_t at = values->nodes[node].last; at > 0; at = values->values[at - 1].before) {
        const duet_dot_value *value = &values->values[at - 1];
        for (size_t t = 0; t < types->count; t++) {
            if (types->attribute[t] == value->attribute && !given[t]) {
                given[t] = true;
                times[t] = value->time;
                timed = timed || !value->time.forbidden;
            }
        }
    }
    lexer->line = values->nodes[node].line;
    lexer->column = 0;
    if (!timed &&
        !duet_field_take_default(lexer->input->fields, times, duet_max(types->count, (size_t)1))) {
        duet_dot_fail(
            lexer,
            "node \"%.60s\" has no time; expected an attribute for each processor "
            "type on which it can run, such as [cpu=3, gpu=1], or -O time=1 for all nodes "
            "without",
            id);
        return;
    }
    const duet_read_kind kind = {.id = id,
                                 .id_length = strlen(id),
                                 .count = 1,
                                 .times = times,
                                 .time_count = duet_max(types->count, 1),
                                 .line = lexer->line};
    duet_dot_note(lexer, duet_builder_add_kind(values->builder, &kind, lexer->error));
    duet_dot_then(lexer,
                  duet_builder_set_cores(values->builder, values->nodes[node].cores, lexer->error));
    add_own(values, node);
    if (lexer->code == DUET_OK && values->nodes[node].group > 0) {
        const char *group = duet_names_text(&values->groups, values->nodes[node].group - 1);
        duet_dot_note(lexer,
                      duet_builder_set_group(values->builder, group, strlen(group), lexer->error));
    }
}

// What of the attributes that would be times is none goes into the ledger.
static void pass_spare(duet_dot_values *values, const type_list *types)
{
    duet_dot_lexer *lexer = values->lexer;
    for (size_t i = 0; i < values->count && lexer->code == DUET_OK; i++) {
        uint32_t attribute = values->values[i].attribute;
        const char *name = duet_names_text(&values->attributes, attribute);
        const duet_field field = {DUET_FIELD_NODE_ATTRIBUTE, name, 0, 0};
        bool used = values->kinds[attribute] == DUET_DOT_GUARDED;
        for (size_t t = 0; t < types->count; t++) {
            used = used || types->attribute[t] == attribute;
        }
        if (!used) {
            bool alpha = strcmp(name, "alpha") == 0;
            bool size = strcmp(name, "size") == 0;
            duet_dot_note(lexer, duet_field_pass(lexer->input->fields, &field,
                                                 alpha  ? "tasks of DOT files are sequential"
                                                 : size ? "other attributes are the times"
                                                        : NULL,
                                                 lexer->input->name, lexer->error));
        }
    }
}

static void note_weights(duet_dot_values *values, const type_list *types)
{
    duet_dot_lexer *lexer = values->lexer;
    values->weights = types->weights;
    if (types->weights && lexer->code == DUET_OK) {
        duet_dot_note(lexer, duet_builder_add_notice(values->builder,
                                                     "the weight of a node is taken for its time, "
                                                     "that of an edge for its cost",
                                                     lexer->error));
    }
}

void duet_dot_build(duet_dot_values *values)
{
    duet_dot_lexer *lexer = values->lexer;
    type_list types;
    if (lexer->code != DUET_OK) {
        return;
    }
    if (values->lengths) {
        duet_dot_note(lexer, duet_builder_take_lengths(values->builder, lexer->error));
    }
    choose_types(values, &types);
    if (types.count > DUET_MAX_TYPES) {
        lexer->line = 0;
        duet_dot_fail(lexer,
                      "too many processor types: expected at most %d attributes of nodes "
                      "that are numbers",
                      DUET_MAX_TYPES);
        return;
    }
    add_types(values, &types);
    duet_dot_settle_cpus(values, types.attribute, types.count);
    for (size_t node = 0; node < values->names.count && lexer->code == DUET_OK; node++) {
        add_task(values, &types, node);
    }
    pass_spare(values, &types);
    note_weights(values, &types);
}
