// SPDX-License-Identifier: Apache-2.0
// The value of an option, from its text into the member that its row names.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/args_list.h"
#include "console/options.h"
#include "core/instance/moment.h"
#include "core/system/assert.h"

// The member at an offset of the command's input.
static void *member(void *input, size_t at)
{
    return (char *)input + at;
}

// Stores an integer of the member's own width.
static void store_whole(void *input, const duet_cli_value *value, uint64_t number)
{
    uint32_t narrow = (uint32_t)number;
    DUET_ASSERT(value->size == sizeof number || value->size == sizeof narrow);
    memcpy(member(input, value->at),
           value->size == sizeof number ? (const void *)&number : (const void *)&narrow,
           value->size);
}

static void store_text(void *input, const duet_cli_value *value, const char *text)
{
    DUET_ASSERT(value->size == sizeof text);
    memcpy(member(input, value->at), &text, sizeof text);
}

// A length of time such as "90s" or "1h 20m" in seconds; 0: it is none.
static double length_of(const char *text)
{
    duet_read_time length = {.value = {0, 0}};
    return duet_duration_read(text, strlen(text), &length)
               ? (double)length.value.mantissa * pow(10, -length.value.places)
               : 0;
}

static bool take_seconds(duet_cli_args *args, const char *option, const char *text, double *value)
{
    // strtod() would also take spaces, hexadecimal numbers, infinities and NaN.
    char *end = NULL;
    double seconds = 0;
    if (text[0] != '\0' && strspn(text, "0123456789.eE+-") == strlen(text)) {
        seconds = strtod(text, &end);
    }
    if (end == NULL || *end != '\0') {
        seconds = length_of(text);
    }
    if (!isfinite(seconds) || seconds <= 0) {
        return duet_cli_usage(
            args,
            "%s: expected a number of seconds greater than 0, or a length such as 2min, got '%s'",
            option, text);
    }
    *value = seconds;
    return true;
}

// "4" or "2:8".
static bool take_range(void *input, const duet_cli_value *value, const char *option,
                       const char *text)
{
    duet_cli_args *args = input;
    char first[24];
    size_t length = strcspn(text, ":");
    const char *second = text[length] == ':' ? text + length + 1 : text;
    uint64_t low = 0;
    uint64_t high = 0;
    if (length < sizeof first) {
        memcpy(first, text, length);
        first[length] = '\0';
        if (!duet_cli_whole(args, option, first, value->minimum, value->maximum, &low) ||
            !duet_cli_whole(args, option, second, value->minimum, value->maximum, &high)) {
            return false;
        }
        if (low <= high) {
            memcpy(member(input, value->at), &low, sizeof low);
            memcpy(member(input, value->second_at), &high, sizeof high);
            return true;
        }
    }
    return duet_cli_usage(args, "%s: expected a number or a range A:B with A <= B, got '%s'",
                          option, text);
}

static size_t count_names(const char *const *names)
{
    size_t count = 0;
    while (names[count] != NULL) {
        count++;
    }
    return count;
}

static bool take_name(void *input, const duet_cli_value *value, const char *option,
                      const char *text)
{
    const char *name = NULL;
    if (!duet_cli_take_name(input, option, text, value->names, count_names(value->names), &name)) {
        return false;
    }
    if (value->type == DUET_CLI_TYPE_CHOICE) {
        store_text(input, value, name);
        return true;
    }
    uint64_t index = value->minimum;
    for (size_t i = 0; value->names[i] != name; i++) {
        index++;
    }
    store_whole(input, value, index);
    return true;
}

static bool take_list(void *input, const duet_cli_value *value, const char *option,
                      const char *text)
{
    size_t *count = member(input, value->count_at);
    switch (value->type) {
    case DUET_CLI_TYPE_NUMBERS:
        return duet_cli_take_numbers(input, option, text, value->minimum, value->maximum,
                                     member(input, value->at), count);
    case DUET_CLI_TYPE_INDICES:
        return duet_cli_take_words(input, option, text, value->names, count_names(value->names),
                                   member(input, value->at), count);
    default:
        return duet_cli_take_platforms(input, option, text, member(input, value->at),
                                       member(input, value->second_at), count);
    }
}

static bool take_number(void *input, const duet_cli_value *value, const char *option,
                        const char *text)
{
    uint64_t number = 0;
    if (!duet_cli_whole(input, option, text, value->minimum, value->maximum, &number)) {
        return false;
    }
    store_whole(input, value, value->type == DUET_CLI_TYPE_MEBIBYTES ? number << 20 : number);
    return true;
}

bool duet_cli_take_value(void *input, const duet_cli_option *row, const char *text)
{
    const duet_cli_value *value = &row->value;
    // Messages name an option by its letter where it has one.
    char letter[] = {'-', (char)row->letter, '\0'};
    char name[64];
    snprintf(name, sizeof name, "--%s", row->name);
    const char *option = row->letter != 0 ? letter : name;
    switch (value->type) {
    case DUET_CLI_TYPE_FLAG:
        *(bool *)member(input, value->at) = true;
        return true;
    case DUET_CLI_TYPE_WHOLE:
    case DUET_CLI_TYPE_MEBIBYTES:
        return take_number(input, value, option, text);
    case DUET_CLI_TYPE_SECONDS:
        return take_seconds(input, option, text, member(input, value->at));
    case DUET_CLI_TYPE_TEXT:
    case DUET_CLI_TYPE_PATH:
        store_text(input, value, text);
        return true;
    case DUET_CLI_TYPE_CHOICE:
    case DUET_CLI_TYPE_INDEX:
        return take_name(input, value, option, text);
    case DUET_CLI_TYPE_RANGE:
        return take_range(input, value, option, text);
    case DUET_CLI_TYPE_NUMBERS:
    case DUET_CLI_TYPE_INDICES:
    case DUET_CLI_TYPE_PLATFORMS:
        return take_list(input, value, option, text);
    case DUET_CLI_TYPE_OWN:
        break;
    }
    return value->take(input, text);
}
