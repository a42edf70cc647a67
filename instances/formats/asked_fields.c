// SPDX-License-Identifier: Apache-2.0
// What the caller says of fields: which are processor types, which count, which are passed over.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/number/minmax.h"
#include "core/system/shell_word.h"
#include "core/system/try.h"
#include "instances/formats/fields.h"

// Items of a list of names of which it is noted whether there is such a field.
enum { NOTED_ITEMS = 64 };

// The name of an item of a list, "a=1,b" or "a,b", while it is read. It may stand in double quotes;
// a doubled one is one of the name. Blanks around a name that has none do not count.
typedef struct list_item {
    const char *at;
    bool quoted;
} list_item;

static list_item open_item(const char *list)
{
    list += strspn(list, " ,");
    bool quoted = *list == '"';
    return (list_item){list + quoted, quoted};
}

// The next character of the name; NUL at its end.
static char next_of_item(list_item *item)
{
    const char *behind = item->at + (item->quoted ? 0 : strspn(item->at, " \t"));
    bool quote = item->quoted && *item->at == '"';
    if (strchr(item->quoted ? "" : "=,", *behind) != NULL || (quote && item->at[1] != '"')) {
        return '\0';
    }
    item->at += quote;
    return *item->at++;
}

// What stands behind the item.
static const char *close_item(const list_item *item)
{
    return item->at + strcspn(item->at, ",");
}

static bool is_last_of_item(list_item item)
{
    return next_of_item(&item) == '\0';
}

// Whether the item is that name, in lower or upper case; "a*" may be all that begins so.
static bool is_item(list_item *item, const char *name, bool wild)
{
    bool same = true;
    for (char c; (c = next_of_item(item)) != '\0';) {
        if (wild && same && c == '*' && is_last_of_item(*item)) {
            name += strlen(name);
        } else {
            same = same && strncasecmp(&c, name, 1) == 0;
            name += same;
        }
    }
    return same && *name == '\0';
}

// Whether an item of the list is that name; bit i of *which: the item i is.
static bool is_listed(const char *list, const char *name, bool wild, uint64_t *which)
{
    bool found = false;
    for (size_t i = 0; list != NULL && *list != '\0' && !found; i++) {
        list_item item = open_item(list);
        found = is_item(&item, name, wild);
        *which |= found && i < NOTED_ITEMS ? (uint64_t)1 << i : 0;
        list = close_item(&item);
    }
    return found;
}

// Takes the next name of a list. False: it is empty, or too long for that of a type.
static bool take_type(const char **list, char name[DUET_FIELD_TYPE_NAME])
{
    list_item item = open_item(*list);
    size_t length = 0;
    for (char c; (c = next_of_item(&item)) != '\0'; length++) {
        if (length + 1 < DUET_FIELD_TYPE_NAME) {
            name[length] = c;
        }
    }
    *list = close_item(&item);
    bool fits = length < DUET_FIELD_TYPE_NAME;
    name[fits ? length : 0] = '\0';
    return fits && length > 0;
}

void duet_field_ignore_advice(const char *name, char advice[DUET_FIELD_ADVICE])
{
    enum { SHOWN = 60 }; // bytes of a name, each of which may take four
    size_t length = strlen(name);
    bool cut = length > SHOWN;
    length = cut ? SHOWN : length;
    while (cut && length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
        length--; // in the middle of a character
    }
    bool listed = duet_list_is_special(name);
    bool shell = listed || cut || duet_shell_is_special(name);
    size_t used = (size_t)snprintf(advice, DUET_FIELD_ADVICE, "-O %signore=%s", shell ? "'" : "",
                                   listed ? "\"" : "");
    for (size_t i = 0; i < length; i++) {
        const char one[2] = {name[i], '\0'};
        const char *as = name[i] == '\'' ? "'\\''" : name[i] == '"' ? "\"\"" : one;
        used += (size_t)snprintf(advice + used, DUET_FIELD_ADVICE - used, "%s", as);
    }
    snprintf(advice + used, DUET_FIELD_ADVICE - used, "%s%s%s", cut ? "*" : "", listed ? "\"" : "",
             shell ? "'" : "");
}

// Appends a name to a list for --columns. False: it would need quotes of its own, or is too long.
static bool add_column(char *list, size_t size, const char *before, const char *name)
{
    size_t used = strlen(list);
    if (strpbrk(name, ",=\"'") != NULL || used + strlen(before) + strlen(name) >= size) {
        return false;
    }
    snprintf(list + used, size - used, "%s%s", before, name);
    return true;
}

void duet_field_id_advice(const duet_field_uses *fields, const duet_builder *builder,
                          const char *name, char advice[DUET_FIELD_ID_ADVICE])
{
    enum { LIST = 100 };
    char list[LIST] = "";
    bool good = (fields == NULL || fields->picks == NULL) && add_column(list, LIST, "id=", name);
    for (size_t t = 0; t < duet_builder_types(builder) && good; t++) {
        good = add_column(list, LIST, ",", duet_builder_type_name(builder, t));
    }
    char word[DUET_SHELL_WORD];
    int length = good ? snprintf(advice, DUET_FIELD_ID_ADVICE,
                                 ", or --columns %s, which says that \"%s\" has the ids",
                                 duet_shell_word(list, "id=FIELD", word, sizeof word), name)
                      : 0;
    if (length <= 0 || length >= DUET_FIELD_ID_ADVICE) {
        advice[0] = '\0';
    }
}

bool duet_field_is_type(const duet_field_uses *fields, const char *name)
{
    uint64_t which = 0;
    return fields != NULL && is_listed(fields->types, name, false, &which);
}

bool duet_field_picks_type(const duet_csv_pick *pick)
{
    const char *as = pick->name;
    return duet_field_meaning(as) == DUET_MEANS_NOTHING && strcmp(as, "count") != 0 &&
           strcmp(as, "cost") != 0 && strcmp(as, "data") != 0;
}

bool duet_field_next_type(const duet_field_uses *fields, size_t *which,
                          char name[DUET_FIELD_TYPE_NAME])
{
    const duet_csv_picks *picks = fields == NULL ? NULL : fields->picks;
    for (size_t i = *which; picks != NULL && i < picks->count; i++) {
        if (duet_field_picks_type(&picks->pick[i])) {
            *which = i + 1;
            snprintf(name, DUET_FIELD_TYPE_NAME, "%s", picks->pick[i].name);
            return true;
        }
    }
    const char *list = fields == NULL || picks != NULL ? NULL : fields->types;
    for (size_t i = 0; list != NULL && *list != '\0' && i <= *which; i++) {
        if (take_type(&list, name) && i == *which) {
            ++*which;
            return true;
        }
    }
    return false;
}

bool duet_field_is_ignored(duet_field_uses *fields, const char *name)
{
    return fields != NULL && is_listed(fields->ignored, name, true, &fields->passed);
}

const duet_csv_pick *duet_field_pick(duet_field_uses *fields, const char *name)
{
    for (size_t i = 0; fields != NULL && fields->picks != NULL && i < fields->picks->count; i++) {
        if (strcmp(fields->picks->pick[i].column, name) == 0) {
            fields->picked[i] = true;
            return &fields->picks->pick[i];
        }
    }
    return NULL;
}

duet_code duet_field_check_picks(const duet_field_uses *fields, const char *file, duet_error *error)
{
    for (size_t i = 0; fields != NULL && fields->picks != NULL && i < fields->picks->count; i++) {
        if (!fields->picked[i]) {
            return duet_error_set_at(error, DUET_E_INPUT, file, 0, 0,
                                     "nothing is called \"%.60s\"; expected --columns with names "
                                     "that are there",
                                     fields->picks->pick[i].column);
        }
    }
    return DUET_OK;
}

duet_code duet_field_note_ignored(const duet_field_uses *fields, duet_builder *builder,
                                  duet_error *error)
{
    const char *list = fields->ignored;
    for (size_t i = 0; list != NULL && *list != '\0' && i < NOTED_ITEMS; i++) {
        char notice[160];
        list_item item = open_item(list);
        while (next_of_item(&item) != '\0') {
        }
        const char *end = close_item(&item);
        int length = (int)(end - list);
        snprintf(notice, sizeof notice,
                 "-O ignore=%.*s passes over nothing: no field that may be left out is called so",
                 duet_min(length, 60), list);
        if ((fields->passed >> i & 1) == 0 && length > 0) {
            DUET_TRY(duet_builder_add_notice(builder, notice, error));
        }
        list = end + (*end == ',');
    }
    return DUET_OK;
}
