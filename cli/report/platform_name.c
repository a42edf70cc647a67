// SPDX-License-Identifier: Apache-2.0
// One name for a platform that tables tell in different words.
#include "cli/report/report.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <duet/instance.h>

#include "core/system/try.h"

// Digits of a count, and a name that may be empty, both within the text.
typedef struct part {
    const char *count;
    size_t digits;
    const char *name;
    size_t letters;
    uint32_t rank; // of its type
} part;

typedef struct parts {
    size_t count;
    size_t named;
    part part[DUET_MAX_TYPES];
} parts;

static const char *const BLANKS = " \t";
static const char *const DIGITS = "0123456789";

static part trim_name(part made, const char *name, const char *end)
{
    name += strspn(name, BLANKS);
    while (end > name && strchr(BLANKS, end[-1]) != NULL) {
        end--;
    }
    made.name = name;
    made.letters = end > name ? (size_t)(end - name) : 0;
    // "4 CPUs" and "2 gpus" are many of one type.
    bool many = made.letters == 4 &&
                (strncasecmp(made.name, "cpus", 4) == 0 || strncasecmp(made.name, "gpus", 4) == 0);
    made.letters -= many;
    return made;
}

// "4 cpu", "4cpu", "4" or "cpu=4". Without digits it is no count.
static part read_part(const char *text, const char *end)
{
    part made = {0};
    const char *equals = memchr(text, '=', (size_t)(end - text));
    const char *count = equals == NULL ? text : equals + 1;
    count += strspn(count, BLANKS);
    made.count = count + strspn(count, "0");
    made.digits = strspn(made.count, DIGITS);
    const char *rest = made.count + made.digits;
    if (rest == count || rest > end) {
        return (part){0};
    }
    if (made.digits == 0) {
        made.count = "0";
        made.digits = 1;
    }
    if (equals == NULL) {
        return trim_name(made, rest, end);
    }
    return rest + strspn(rest, BLANKS) >= end ? trim_name(made, text, equals) : (part){0};
}

// False: the text is no list of counts, either all with names or all without.
static bool read_parts(const char *text, parts *list)
{
    for (bool more = true; more;) {
        text += strspn(text, BLANKS);
        size_t length = strcspn(text, "+,;");
        if (list->count == DUET_MAX_TYPES) {
            return false;
        }
        part made = read_part(text, text + length);
        if (made.digits == 0) {
            return false;
        }
        list->named += made.letters > 0;
        list->part[list->count++] = made;
        more = text[length] != '\0';
        text += length + more;
    }
    return list->named == 0 ? list->count == 2 : list->named == list->count;
}

static bool is_cpu(const part *one)
{
    return one->letters == 3 && strncasecmp(one->name, "cpu", 3) == 0;
}

static int by_rank(const void *left, const void *right)
{
    const part *a = left;
    const part *b = right;
    if (is_cpu(a) != is_cpu(b)) {
        return is_cpu(a) ? -1 : 1;
    }
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static void put_lower(char *text)
{
    for (; *text != '\0'; text++) {
        *text = (char)tolower((unsigned char)*text);
    }
}

// `text` is used and left empty.
static duet_code rank_parts(parts *list, duet_names *types, duet_cli_text *text, duet_error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        part *one = &list->part[i];
        text->used = 0;
        DUET_TRY(duet_cli_text_put_bytes(text, one->name, one->letters, error));
        put_lower(text->chars);
        DUET_TRY(duet_names_add(types, 0, text->chars, &one->rank, error));
    }
    text->used = 0;
    return DUET_OK;
}

static duet_code put_part(const part *one, duet_cli_text *text, duet_error *error)
{
    duet_code code = text->used == 0 ? DUET_OK : duet_cli_text_put(text, " + ", error);
    DUET_THEN(code, duet_cli_text_put_bytes(text, one->count, one->digits, error));
    DUET_THEN(code, duet_cli_text_put(text, " ", error));
    size_t begin = text->used;
    DUET_THEN(code, duet_cli_text_put_bytes(text, one->name, one->letters, error));
    if (code == DUET_OK) {
        put_lower(text->chars + begin);
    }
    return code;
}

static part name_part(part made, const char *name)
{
    return trim_name(made, name, name + strlen(name));
}

duet_code duet_cli_name_platform(const char *platform, duet_names *types, duet_cli_text *text,
                                 duet_error *error)
{
    parts list = {0};
    text->used = 0;
    if (!read_parts(platform, &list)) {
        return duet_cli_text_put(text, platform, error);
    }
    if (list.named == 0) {
        list.part[0] = name_part(list.part[0], "cpu");
        list.part[1] = name_part(list.part[1], "gpu");
    }
    DUET_TRY(rank_parts(&list, types, text, error));
    qsort(list.part, list.count, sizeof list.part[0], by_rank);
    duet_code code = DUET_OK;
    for (size_t i = 0; i < list.count && code == DUET_OK; i++) {
        bool none = list.part[i].digits == 1 && list.part[i].count[0] == '0';
        code = none ? DUET_OK : put_part(&list.part[i], text, error);
    }
    // Of no processor at all.
    return code == DUET_OK && text->used == 0 ? duet_cli_text_put(text, platform, error) : code;
}
