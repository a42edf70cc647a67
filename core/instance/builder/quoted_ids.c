// SPDX-License-Identifier: Apache-2.0
// Ids in quotes with commas between them, as Python and JSON print the elements of a list.
#include "core/instance/builder/builder_state.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/system/utf8.h"

static const char blanks[] = " \t\r\n";

// Where the quotes that open at `text` close; NULL: nowhere.
static const char *find_close(const char *text)
{
    const char *at = text + 1;
    while (*at != '\0' && *at != *text) {
        at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    }
    return *at == '\0' ? NULL : at;
}

bool duet_is_quoted_ids(const char *text)
{
    bool good = *text == '\'' || *text == '"';
    while (good && *text != '\0') {
        const char *close = find_close(text);
        good = close != NULL;
        text = good ? close + 1 + strspn(close + 1, blanks) : text;
        if (good && *text == ',') {
            text += 1 + strspn(text + 1, blanks); // one may stand behind the last
            good = *text == '\'' || *text == '"' || *text == '\0';
        } else if (good) {
            good = *text == '\0';
        }
    }
    return good;
}

// The number of `digits` hexadecimal digits; -1: it is none.
static int32_t read_hex(const char *text, int digits)
{
    static const char all[] = "0123456789abcdef0123456789ABCDEF";
    int32_t number = 0;
    for (int i = 0; i < digits && number >= 0; i++) {
        const char *at = text[i] == '\0' ? NULL : strchr(all, text[i]);
        number = at == NULL ? -1 : number * 16 + (int32_t)((at - all) % 16);
    }
    return number;
}

// The character that the escape at `*at` stands for, behind which `*at` goes; 0: it is none.
static unsigned long read_escape(const char **at)
{
    static const char letters[] = "nrt";
    static const char meant[] = "\n\r\t";
    const char *text = *at + 1;
    const char *letter = strchr(letters, *text);
    int32_t point = letter != NULL ? meant[letter - letters] : *text;
    size_t length = 2;
    if (*text == 'u' || *text == 'x') {
        int digits = *text == 'u' ? 4 : 2;
        point = read_hex(text + 1, digits);
        length += (size_t)digits;
        if (point >= 0xD800 && point < 0xDC00 && text[5] == '\\' && text[6] == 'u') {
            int32_t low = read_hex(text + 7, 4);
            bool pair = low >= 0xDC00 && low < 0xE000;
            point = pair ? 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00) : -1;
            length += 6;
        }
        point = point >= 0xD800 && point < 0xE000 ? -1 : point;
    }
    *at += point > 0 ? length : 0;
    return point > 0 ? (unsigned long)point : 0;
}

char *duet_next_quoted_id(char **at)
{
    char *open = *at + strspn(*at, ", \t\r\n");
    const char *close = *open == '\0' ? NULL : find_close(open);
    if (close == NULL) {
        return NULL;
    }
    char *end = open;
    for (const char *from = open + 1; from < close;) {
        unsigned long point = *from == '\\' ? read_escape(&from) : 0;
        if (point > 0) {
            end += duet_utf8_encode(point, end);
        } else {
            *end++ = *from++;
        }
    }
    *end = '\0';
    *at += close + 1 - *at;
    return open;
}
