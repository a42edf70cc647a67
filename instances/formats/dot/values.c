// SPDX-License-Identifier: Apache-2.0
// Every attribute of nodes is a processor type, but for those by which Graphviz draws, and those
// whose values are no numbers. daggen writes a "size" and an "alpha": where there is nothing else,
// the size is the one time that is known, and that of a GPU where two are asked for.
#include "instances/formats/dot/values.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/system/memory.h"
#include "core/system/vec.h"

void duet_dot_free_values(duet_dot_values *values)
{
    duet_names_free(&values->names);
    duet_free(values->nodes);
    duet_names_free(&values->attributes);
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
            values->nodes[before] = (duet_dot_node){line, 0};
        }
    }
    return number;
}

// --- attributes ----------------------------------------------------------------------------------

// What Graphviz knows of nodes.
static bool is_drawing(const char *name)
{
    static const char *const known[] = {"_background",   "area",        "class",
                                        "color",         "colorscheme", "comment",
                                        "distortion",    "fillcolor",   "fixedsize",
                                        "fontcolor",     "fontname",    "fontsize",
                                        "gradientangle", "group",       "height",
                                        "href",          "id",          "image",
                                        "imagepos",      "imagescale",  "label",
                                        "labelloc",      "layer",       "margin",
                                        "nojustify",     "ordering",    "orientation",
                                        "penwidth",      "peripheries", "pin",
                                        "pos",           "rank",        "rects",
                                        "regular",       "root",        "samplepoints",
                                        "shape",         "shapefile",   "showboxes",
                                        "sides",         "skew",        "sortv",
                                        "style",         "target",      "tooltip",
                                        "URL",           "vertices",    "width",
                                        "xlabel",        "xlp",         "z"};
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++) {
        found = strcmp(name, known[i]) == 0;
    }
    return found;
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
            values->kinds[number] =
                values->declared > 0 || is_drawing(name) ? DUET_DOT_DRAWING : DUET_DOT_UNKNOWN;
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
        if (lexer->code == DUET_OK) {
            duet_dot_note(lexer, duet_builder_add_type(values->builder, name, count, lexer->line,
                                                       lexer->column, lexer->error));
        }
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

void duet_dot_take_value(duet_dot_values *values, size_t node, const char *attribute)
{
    duet_dot_lexer *lexer = values->lexer;
    uint32_t number = lexer->code == DUET_OK ? find_attribute(values, attribute) : 0;
    if (lexer->code != DUET_OK) {
        return;
    }
    duet_dot_kind *kind = &values->kinds[number];
    duet_read_time time = {.forbidden = strcasecmp(lexer->text, "inf") == 0};
    duet_decimal_fault fault =
        time.forbidden ? DUET_DECIMAL_OK
                       : duet_decimal_read(lexer->text, lexer->length, &time.value, &time.tail);
    if (*kind == DUET_DOT_UNKNOWN) {
        *kind = fault == DUET_DECIMAL_SYNTAX ? DUET_DOT_TEXTS : DUET_DOT_TIMES;
    }
    if (*kind == DUET_DOT_TIMES && fault != DUET_DECIMAL_OK) {
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
    size_t count;
    bool gpu_time; // one time, by daggen
} type_list;

static bool is_named(const duet_dot_values *values, size_t attribute, const char *name)
{
    return strcmp(duet_names_text(&values->attributes, attribute), name) == 0;
}

static void choose_types(const duet_dot_values *values, type_list *types)
{
    *types = (type_list){.count = 0};
    size_t size = values->attributes.count;
    for (size_t a = 0; a < values->attributes.count && types->count <= DUET_MAX_TYPES; a++) {
        bool daggen =
            values->declared == 0 && (is_named(values, a, "size") || is_named(values, a, "alpha"));
        if (values->kinds[a] == DUET_DOT_TIMES && !daggen) {
            types->attribute[types->count++] = (uint32_t)a;
        } else if (values->kinds[a] == DUET_DOT_TIMES && is_named(values, a, "size")) {
            size = a;
        }
    }
    if (types->count == 0 && size < values->attributes.count) {
        types->attribute[types->count++] = (uint32_t)size;
        types->gpu_time = true;
    }
}

static void add_types(duet_dot_values *values, const type_list *types)
{
    duet_dot_lexer *lexer = values->lexer;
    if (types->gpu_time) {
        duet_builder_set_gpu_time(values->builder);
    }
    bool named = types->gpu_time || values->declared > 0; // or they need no name
    for (size_t t = 0; t < types->count && !named && lexer->code == DUET_OK; t++) {
        const char *name = duet_names_text(&values->attributes, types->attribute[t]);
        duet_dot_note(lexer, duet_builder_add_type(values->builder, name, -1, 0, 0, lexer->error));
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
    if (!timed) {
        duet_dot_fail(lexer,
                      "node \"%.60s\" has no time; expected an attribute for each processor "
                      "type on which it can run, such as [cpu=3, gpu=1]",
                      id);
        return;
    }
    const duet_read_kind kind = {id, strlen(id), 1, times, types->count, lexer->line, 0};
    duet_dot_note(lexer, duet_builder_add_kind(values->builder, &kind, lexer->error));
}

static void note_texts(duet_dot_values *values)
{
    duet_dot_lexer *lexer = values->lexer;
    for (size_t a = 0; a < values->attributes.count && lexer->code == DUET_OK; a++) {
        char notice[160];
        if (values->kinds[a] == DUET_DOT_TEXTS) {
            snprintf(notice, sizeof notice, "the attribute \"%.60s\" is no number and left out",
                     duet_names_text(&values->attributes, a));
            duet_dot_note(lexer, duet_builder_add_notice(values->builder, notice, lexer->error));
        }
    }
}

void duet_dot_build(duet_dot_values *values)
{
    duet_dot_lexer *lexer = values->lexer;
    type_list types;
    if (lexer->code != DUET_OK) {
        return;
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
    for (size_t node = 0; node < values->names.count && lexer->code == DUET_OK; node++) {
        add_task(values, &types, node);
    }
    note_texts(values);
}
