// SPDX-License-Identifier: Apache-2.0
#include "core/options.h"

#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "core/number/decimal.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

typedef struct assignment {
    char *key;    // one block: key, NUL, value, NUL
    char *value;  // points into it
    bool implied; // by a command, not set
} assignment;

struct duet_options {
    assignment *items;
    size_t count;
    const duet_option_spec *other; // the table whose options were taken out; NULL: none were
};

duet_code duet_options_create(duet_options **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    return *out == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_options_free(duet_options *options)
{
    if (options == NULL) {
        return;
    }
    for (size_t i = 0; i < options->count; i++) {
        duet_free(options->items[i].key);
    }
    duet_free(options->items);
    duet_free(options);
}

duet_code duet_options_add(duet_options *options, const char *text, duet_error *error)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return duet_error_set(error, DUET_E_USAGE, "option '%s': expected key=value", text);
    }
    assignment added = {.implied = false};
    added.key = duet_copy_string(text, error);
    DUET_NEED(added.key);
    added.key[equals - text] = '\0';
    added.value = added.key + (equals - text) + 1;
    for (size_t i = 0; i < options->count; i++) {
        if (strcmp(options->items[i].key, added.key) == 0) {
            duet_free(options->items[i].key);
            options->items[i] = added;
            return DUET_OK;
        }
    }
    duet_code code = duet_vec_grow(options->items, options->count, error);
    if (code != DUET_OK) {
        duet_free(added.key);
        return code;
    }
    options->items[options->count++] = added;
    return DUET_OK;
}

static const duet_option_spec *find_spec(const duet_option_spec *table, const char *name)
{
    for (; table != NULL && table->name != NULL; table++) {
        if (strcmp(table->name, name) == 0) {
            return table;
        }
    }
    return NULL;
}

duet_code duet_options_take(duet_options *options, const duet_option_spec *table,
                            duet_options **taken, duet_error *error)
{
    duet_code code = DUET_OK;
    size_t kept = 0;
    *taken = NULL;
    for (size_t i = 0; options != NULL && i < options->count; i++) {
        assignment item = options->items[i];
        bool wanted = code == DUET_OK && find_spec(table, item.key) != NULL;
        if (wanted && *taken == NULL) {
            code = duet_options_create(taken, error);
        }
        if (wanted && code == DUET_OK) {
            code = duet_vec_grow((*taken)->items, (*taken)->count, error);
        }
        if (wanted && code == DUET_OK) {
            (*taken)->items[(*taken)->count++] = item;
        } else {
            options->items[kept++] = item;
        }
    }
    if (options != NULL) {
        options->count = kept;
        options->other = table;
    }
    if (code != DUET_OK) {
        duet_options_free(*taken);
        *taken = NULL;
    }
    return code;
}

// A whole number over the entire text.
static bool parse_integer(const char *text, int64_t *value)
{
    const char *at = text;
    bool negative = *at == '-';
    at += negative;
    if (*at == '\0') {
        return false;
    }
    int64_t sum = 0;
    for (; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || sum > (INT64_MAX - 9) / 10) {
            return false;
        }
        sum = sum * 10 + (*at - '0');
    }
    *value = negative ? -sum : sum;
    return true;
}

// A decimal with at most three places, in thousandths.
static bool parse_thousandths(const char *text, int64_t *value)
{
    char digits[32];
    size_t length = strlen(text);
    const char *point = strchr(text, '.');
    size_t places = point == NULL ? 0 : length - (size_t)(point - text) - 1;
    if (length + 4 > sizeof digits || places > 3 || (point != NULL && places == 0)) {
        return false;
    }
    size_t at = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (c != point) {
            digits[at++] = *c;
        }
    }
    for (; places < 3; places++) {
        digits[at++] = '0';
    }
    digits[at] = '\0';
    return parse_integer(digits, value);
}

// A share, as a decimal or in percent, of at most nine places as a decimal; in billionths.
static bool parse_billionths(const char *text, int64_t *value)
{
    size_t length = strlen(text);
    bool percent = length > 0 && text[length - 1] == '%';
    duet_decimal share;
    if (duet_decimal_parse(text, length - percent, &share) != DUET_DECIMAL_OK) {
        return false;
    }
    return duet_decimal_scale(share, percent ? 7 : 9, value) != 0;
}

// Position of `word` in "a|b|c", or -1.
static int find_choice(const char *choices, const char *word)
{
    size_t length = strlen(word);
    int index = 0;
    for (const char *at = choices; at != NULL; index++) {
        const char *bar = strchr(at, '|');
        size_t size = bar == NULL ? strlen(at) : (size_t)(bar - at);
        if (size == length && memcmp(at, word, size) == 0) {
            return index;
        }
        at = bar == NULL ? NULL : bar + 1;
    }
    return -1;
}

static bool is_boolean(const char *text)
{
    return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

static duet_code check_number(const duet_option_spec *spec, const char *text, const char *owner,
                              duet_error *error)
{
    int64_t value = 0;
    if (spec->type == DUET_OPTION_INTEGER) {
        if (parse_integer(text, &value) && value >= spec->minimum && value <= spec->maximum) {
            return DUET_OK;
        }
        return duet_error_set(error, DUET_E_USAGE,
                              "%s: option %s: expected a whole number from %lld to %lld, got '%s'",
                              owner, spec->name, (long long)spec->minimum, (long long)spec->maximum,
                              text);
    }
    if (spec->type == DUET_OPTION_SHARE) {
        if (parse_billionths(text, &value) && value >= spec->minimum && value <= spec->maximum) {
            return DUET_OK;
        }
        return duet_error_set(error, DUET_E_USAGE,
                              "%s: option %s: expected a share from %g to %g, such as 0.01 or 1%%, "
                              "with at most 9 places, got '%s'",
                              owner, spec->name, (double)spec->minimum / DUET_BILLION,
                              (double)spec->maximum / DUET_BILLION, text);
    }
    if (parse_thousandths(text, &value) && value >= spec->minimum && value <= spec->maximum) {
        return DUET_OK;
    }
    return duet_error_set(
        error, DUET_E_USAGE,
        "%s: option %s: expected a number from %g to %g with at most 3 places, got '%s'", owner,
        spec->name, (double)spec->minimum / 1000, (double)spec->maximum / 1000, text);
}

static duet_code check_value(const duet_option_spec *spec, const char *text, const char *owner,
                             duet_error *error)
{
    switch (spec->type) {
    case DUET_OPTION_INTEGER:
    case DUET_OPTION_DECIMAL:
    case DUET_OPTION_SHARE:
        return check_number(spec, text, owner, error);
    case DUET_OPTION_BOOLEAN:
        if (!is_boolean(text)) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "%s: option %s: expected true or false, got '%s'", owner,
                                  spec->name, text);
        }
        return DUET_OK;
    case DUET_OPTION_CHOICE:
        if (find_choice(spec->choices, text) < 0) {
            return duet_error_set(error, DUET_E_USAGE, "%s: option %s: expected %s, got '%s'",
                                  owner, spec->name, spec->choices, text);
        }
        return DUET_OK;
    case DUET_OPTION_TEXT:
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_INTERNAL, "%s: option %s has no type", owner, spec->name);
}

// Appends the names of a table to a list of them.
static void list_names(const duet_option_spec *table, char *known, size_t size)
{
    size_t used = strlen(known);
    for (; table != NULL && table->name != NULL; table++) {
        int more = snprintf(known + used, size - used, "%s%s", used == 0 ? "" : ", ", table->name);
        if (more < 0 || used + (size_t)more >= size) {
            break;
        }
        used += (size_t)more;
    }
}

static void offer_names(const duet_option_spec *table, duet_nearest *nearest)
{
    for (; table != NULL && table->name != NULL; table++) {
        duet_nearest_offer(nearest, table->name);
    }
}

static duet_code unknown_key(const duet_options *options, const duet_option_spec *table,
                             const duet_option_spec *common, const char *key, const char *owner,
                             duet_error *error)
{
    char known[256] = "";
    char hint[DUET_NEAREST_HINT];
    duet_nearest nearest = duet_nearest_to(key);
    offer_names(table, &nearest);
    offer_names(common, &nearest);
    offer_names(options->other, &nearest);
    duet_nearest_hint(&nearest, hint);
    list_names(table, known, sizeof known);
    list_names(common, known, sizeof known);
    if (known[0] == '\0') {
        return duet_error_set(error, DUET_E_USAGE,
                              "%s: unknown option '%.80s'%s: it has no options", owner, key, hint);
    }
    return duet_error_set(error, DUET_E_USAGE, "%s: unknown option '%.80s'%s: expected one of %s",
                          owner, key, hint, known);
}

duet_code duet_options_check_both(const duet_options *options, const duet_option_spec *table,
                                  const duet_option_spec *common, const char *owner,
                                  duet_error *error)
{
    for (size_t i = 0; options != NULL && i < options->count; i++) {
        const assignment *item = &options->items[i];
        const duet_option_spec *spec = find_spec(table, item->key);
        spec = spec == NULL ? find_spec(common, item->key) : spec;
        DUET_TRY(spec == NULL ? unknown_key(options, table, common, item->key, owner, error)
                              : check_value(spec, item->value, owner, error));
    }
    return DUET_OK;
}

duet_code duet_options_check(const duet_options *options, const duet_option_spec *table,
                             const char *owner, duet_error *error)
{
    return duet_options_check_both(options, table, NULL, owner, error);
}

// The value that was set, or NULL.
static const assignment *find_item(const duet_options *options, const char *name)
{
    for (size_t i = 0; options != NULL && i < options->count; i++) {
        if (strcmp(options->items[i].key, name) == 0) {
            return &options->items[i];
        }
    }
    return NULL;
}

static const char *find_value(const duet_options *options, const char *name)
{
    const assignment *item = find_item(options, name);
    return item == NULL ? NULL : item->value;
}

duet_code duet_options_imply(duet_options **options, const char *text, duet_error *error)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    if (find_item(*options, name) != NULL) {
        return DUET_OK;
    }
    DUET_TRY(*options == NULL ? duet_options_create(options, error) : DUET_OK);
    DUET_TRY(duet_options_add(*options, text, error));
    (*options)->items[(*options)->count - 1].implied = true;
    return DUET_OK;
}

bool duet_option_given(const duet_options *options, const char *name)
{
    const assignment *item = find_item(options, name);
    return item != NULL && !item->implied;
}

const char *duet_option_text(const duet_options *options, const duet_option_spec *table,
                             const char *name)
{
    const char *value = find_value(options, name);
    const duet_option_spec *spec = find_spec(table, name);
    return value != NULL ? value : spec == NULL ? "" : spec->fallback;
}

int64_t duet_option_integer(const duet_options *options, const duet_option_spec *table,
                            const char *name)
{
    int64_t value = 0;
    return parse_integer(duet_option_text(options, table, name), &value) ? value : 0;
}

int64_t duet_option_thousandths(const duet_options *options, const duet_option_spec *table,
                                const char *name)
{
    int64_t value = 0;
    return parse_thousandths(duet_option_text(options, table, name), &value) ? value : 0;
}

int64_t duet_option_billionths(const duet_options *options, const duet_option_spec *table,
                               const char *name)
{
    int64_t value = 0;
    return parse_billionths(duet_option_text(options, table, name), &value) ? value : 0;
}

bool duet_option_boolean(const duet_options *options, const duet_option_spec *table,
                         const char *name)
{
    return strcmp(duet_option_text(options, table, name), "true") == 0;
}

int duet_option_choice(const duet_options *options, const duet_option_spec *table, const char *name)
{
    const duet_option_spec *spec = find_spec(table, name);
    int index = -1;
    if (spec != NULL) {
        index = find_choice(spec->choices, duet_option_text(options, table, name));
    }
    return duet_max(index, 0);
}
