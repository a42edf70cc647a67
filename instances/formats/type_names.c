// SPDX-License-Identifier: Apache-2.0
// Fields whose names become processor types because nothing else is known of them. Some names may
// as well say something else: how long a task takes, on how many processors, in which unit. What
// may be meant in two ways is refused, and the message says how each of them is asked for.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/instance/unit.h"
#include "core/system/shell_word.h"
#include "core/system/try.h"
#include "instances/formats/fields.h"

// "--platform a=N,b=N" for a shell; without a second name that of the first alone.
enum { ADVICE = DUET_SHELL_WORD + 16 };
static const char *platform_of(char advice[ADVICE], const char *first, const char *second)
{
    char one[DUET_SHELL_WORD];
    char other[DUET_SHELL_WORD];
    char list[2 * DUET_SHELL_WORD + 8];
    char word[DUET_SHELL_WORD];
    bool two = second[0] != '\0';
    snprintf(list, sizeof list, "%s=N%s%s%s", duet_listed_name(first, one, sizeof one),
             two ? "," : "", duet_listed_name(second, other, sizeof other), two ? "=N" : "");
    snprintf(advice, ADVICE, "--platform %s",
             duet_shell_word(list, two ? "NAME=N,NAME=N" : "NAME=N", word, sizeof word));
    return advice;
}

static void keep(char kept[DUET_FIELD_KEPT], const char *name)
{
    if (kept[0] == '\0') {
        snprintf(kept, DUET_FIELD_KEPT, "%s", name);
    }
}

// Of two lengths of time one is no type.
static duet_code take_length(duet_type_names *names, const duet_field *field, const char *file,
                             duet_error *error)
{
    char advice[DUET_FIELD_ADVICE];
    if (names->length[0] == '\0') {
        keep(names->length, field->name);
        return DUET_OK;
    }
    duet_field_ignore_advice(field->name, advice);
    return duet_error_set_at(error, DUET_E_INPUT, file, field->line, field->column,
                             "\"%s\" and \"%s\" both say how long a task takes; expected one of "
                             "them: %s leaves out the second, --columns cpu=NAME picks one, and "
                             "--platform names both, if they are processor types",
                             names->length, field->name, advice);
}

// Two types of which each says a unit, another one.
static duet_code check_units(const duet_type_names *names, const duet_field *field,
                             const char *file, duet_error *error)
{
    const char *unit = duet_field_unit(field->name);
    const char *other = duet_field_unit(names->in_unit);
    char advice[ADVICE];
    if (unit == NULL || other == NULL || duet_unit_same(unit, other)) {
        return DUET_OK;
    }
    return duet_error_set_at(error, DUET_E_INPUT, file, field->line, field->column,
                             "\"%s\" and \"%s\" name different units of time; expected one unit "
                             "everywhere, or %s if they are none",
                             names->in_unit, field->name,
                             platform_of(advice, names->in_unit, field->name));
}

// "gpus" and "cpus" are types; beside a length of time they may be how many there are.
static duet_code check_counts(const duet_type_names *names, const char *file, duet_error *error)
{
    char advice[ADVICE];
    if (names->length[0] == '\0' || names->plural[0] == '\0') {
        return DUET_OK;
    }
    return duet_error_set_at(error, DUET_E_INPUT, file, 0, 0,
                             "\"%s\" says how long a task takes, and \"%s\" may be a processor "
                             "type, or how many of them a task needs; expected %s with all types, "
                             "or --columns cpu=NAME with the times",
                             names->length, names->plural,
                             platform_of(advice, names->length, names->plural));
}

static duet_code check_processors(const duet_type_names *names, const char *file, duet_error *error)
{
    char advice[ADVICE];
    if (!names->ended || names->others || names->gpu[0] == '\0' || names->processors[0] == '\0') {
        return DUET_OK;
    }
    return duet_error_set_at(error, DUET_E_INPUT, file, names->line, names->column,
                             "\"%s\" beside \"%s\" may be a processor type, or on how many "
                             "processors a task runs at once; expected %s, or "
                             "--columns '%s,cores=%s', which says the latter",
                             names->processors, names->gpu,
                             platform_of(advice, names->processors, names->gpu), names->gpu,
                             names->processors);
}

// Whether a name stands for what tasks take where there is no other: programs that write graphs
// call it a cost, and tables of moldable tasks the work.
static bool is_alone(const duet_type_names *names)
{
    return names->taken == 1 &&
           (strcasecmp(names->unknown, "cost") == 0 || strcasecmp(names->unknown, "work") == 0);
}

// Names of which nothing is known but that they stand where those of types may.
static duet_code check_unknown(const duet_field_uses *fields, const char *file, duet_error *error)
{
    char advice[DUET_FIELD_ADVICE];
    const duet_type_names *names = &fields->names_of_types;
    if (!fields->strict || names->unknowns == 0 || is_alone(names)) {
        return DUET_OK;
    }
    duet_field_ignore_advice(names->unknown, advice);
    return duet_error_set_at(error, DUET_E_INPUT, file, names->unknown_line, names->unknown_column,
                             "\"%.60s\" is taken for a processor type, as nothing else is known of "
                             "its name (--strict-input); expected %s, which passes over it, or "
                             "--platform with the name of each type",
                             names->unknown, advice);
}

duet_code duet_field_note_types(const duet_field_uses *fields, duet_builder *builder,
                                duet_error *error)
{
    char notice[320];
    char many[80] = " is taken for a processor type";
    const duet_type_names *names = &fields->names_of_types;
    if (names->unknowns == 0 || is_alone(names)) {
        return DUET_OK;
    }
    if (names->unknowns > 1) {
        snprintf(many, sizeof many, " and %zu more are taken for processor types",
                 names->unknowns - 1);
    }
    snprintf(notice, sizeof notice,
             "\"%.60s\"%s, as nothing else is known of the name; --platform with the name of each "
             "type says so, and -O ignore= passes over what is none",
             names->unknown, many);
    return duet_builder_add_notice(builder, notice, error);
}

duet_code duet_field_take_type(duet_field_uses *fields, const duet_field *field, const char *file,
                               duet_error *error)
{
    const char *name = field->name;
    if (fields == NULL) {
        return DUET_OK;
    }
    duet_type_names *names = &fields->names_of_types;
    names->taken++;
    if (fields->picks != NULL || duet_field_is_type(fields, name)) {
        names->others = true; // the caller knows what the types are
        if (duet_field_unit(name) != NULL) {
            keep(names->named, name);
        }
        return DUET_OK;
    }
    if (name[0] != '\0' && duet_field_meaning(name) == DUET_MEANS_NOTHING &&
        !duet_field_is_type_name(name)) {
        names->unknown_line = names->unknowns == 0 ? field->line : names->unknown_line;
        names->unknown_column = names->unknowns == 0 ? field->column : names->unknown_column;
        keep(names->unknown, name);
        names->unknowns++;
    }
    if (strlen(name) >= sizeof names->length) {
        names->others = true;
        return DUET_OK;
    }
    DUET_TRY(duet_field_is_length(name) ? take_length(names, field, file, error) : DUET_OK);
    DUET_TRY(check_units(names, field, file, error));
    if (duet_field_unit(name) != NULL) {
        keep(names->in_unit, name);
    }
    if (strcasecmp(name, "gpus") == 0 || strcasecmp(name, "cpus") == 0) {
        keep(names->plural, name);
    }
    if (strncasecmp(name, "gpu", 3) == 0 || strncasecmp(name, "cuda", 4) == 0 ||
        strncasecmp(name, "opencl", 6) == 0) {
        keep(names->gpu, name);
    } else {
        names->others = true;
    }
    return check_counts(names, file, error);
}

duet_code duet_field_end_types(duet_field_uses *fields, const char *file, duet_error *error)
{
    if (fields == NULL) {
        return DUET_OK;
    }
    fields->names_of_types.ended = true;
    DUET_TRY(check_unknown(fields, file, error));
    return check_processors(&fields->names_of_types, file, error);
}

duet_code duet_field_take_processors(duet_field_uses *fields, const duet_field *field,
                                     const char *file, duet_error *error)
{
    duet_type_names *names = fields == NULL ? NULL : &fields->names_of_types;
    if (names == NULL || fields->picks != NULL || !duet_field_is_processors(field->name) ||
        names->processors[0] != '\0') {
        return DUET_OK;
    }
    keep(names->processors, field->name);
    names->line = field->line;
    names->column = field->column;
    return check_processors(names, file, error);
}

// The first column with a unit in its name that the caller picks for a type, one of another unit
// than `other` where that is none; "": there is none.
static const char *picked_in_unit(const duet_csv_picks *picks, const char *other)
{
    for (size_t i = 0; i < picks->count; i++) {
        const duet_csv_pick *pick = &picks->pick[i];
        const char *unit = duet_field_picks_type(pick) ? duet_field_unit(pick->column) : NULL;
        if (unit != NULL && (other == NULL || !duet_unit_same(unit, other))) {
            return pick->column;
        }
    }
    return "";
}

// Two picked columns of which each says a unit, another one: their numbers would be mixed.
static duet_code check_picked(const duet_csv_picks *picks, const char *file, duet_error *error)
{
    const char *first = picked_in_unit(picks, NULL);
    const char *unit = duet_field_unit(first);
    const char *second = unit == NULL ? "" : picked_in_unit(picks, unit);
    if (second[0] == '\0') {
        return DUET_OK;
    }
    return duet_error_set_at(error, DUET_E_INPUT, file, 0, 0,
                             "\"%s\" and \"%s\" name different units of time; expected one unit "
                             "everywhere, or --unit %s if all times are in that",
                             first, second, unit);
}

const char *duet_field_unit_of_types(const duet_field_uses *fields)
{
    const duet_type_names *names = &fields->names_of_types;
    return duet_field_unit(fields->picks != NULL       ? picked_in_unit(fields->picks, NULL)
                           : names->in_unit[0] != '\0' ? names->in_unit
                                                       : names->named);
}

duet_code duet_field_check_unit(const duet_field_uses *fields, const char *unit, const char *file,
                                duet_error *error)
{
    duet_unit known;
    char advice[ADVICE];
    bool picked = fields->picks != NULL;
    const char *name =
        picked ? picked_in_unit(fields->picks, NULL) : fields->names_of_types.in_unit;
    const char *own = duet_field_unit(name);
    DUET_TRY(picked ? check_picked(fields->picks, file, error) : DUET_OK);
    if (own == NULL || unit == NULL || !duet_unit_find(unit, &known) || duet_unit_same(own, unit)) {
        return DUET_OK;
    }
    snprintf(advice, sizeof advice, "--unit %.40s", unit);
    return duet_error_set_at(error, DUET_E_INPUT, file, 0, 0,
                             "the times are in \"%.40s\", and \"%s\" names another unit; expected "
                             "one unit everywhere, or %s if that is none",
                             unit, name, picked ? advice : platform_of(advice, name, ""));
}
