// SPDX-License-Identifier: Apache-2.0
#include "console/print.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/utf8.h"

// A conversion of a format: "%-12s" has the flag '-', the width 12 and the type 's'.
typedef struct conversion {
    char flags[8];
    int width;     // negative: none
    int precision; // negative: none
    char length;   // 'l', 'L' for ll, 'z', or NUL
    char type;
} conversion;

// A number of a format, or the next argument for '*'.
static const char *read_number(const char *at, va_list *arguments, int *number)
{
    if (*at == '*') {
        *number = va_arg(*arguments, int);
        return at + 1;
    }
    for (*number = 0; *at >= '0' && *at <= '9'; at++) {
        *number = 10 * *number + (*at - '0');
    }
    return at;
}

// Reads what stands behind a '%'; returns where it ends.
static const char *read_conversion(const char *at, va_list *arguments, conversion *out)
{
    *out = (conversion){.width = -1, .precision = -1};
    size_t flags = strspn(at, "-+ #0");
    DUET_ASSERT(flags < sizeof out->flags);
    memcpy(out->flags, at, flags);
    at += flags;
    if (*at == '*' || (*at >= '1' && *at <= '9')) {
        at = read_number(at, arguments, &out->width);
    }
    if (*at == '.') {
        at = read_number(at + 1, arguments, &out->precision);
    }
    if (at[0] == 'l' && at[1] == 'l') {
        out->length = 'L';
        at += 2;
    } else if (*at == 'l' || *at == 'z') {
        out->length = *at++;
    }
    out->type = *at;
    return at + 1;
}

// The bytes of `text` up to `most` (negative: all of it), without a character that is cut there.
static size_t length_of(const char *text, int most)
{
    if (most < 0) {
        return strlen(text);
    }
    size_t length = strnlen(text, (size_t)most);
    size_t begin = length;
    while (begin > 0 && ((unsigned char)text[begin - 1] & 0xC0) == 0x80) {
        begin--;
    }
    if (length < (size_t)most || begin == 0) {
        return length;
    }
    begin--;
    return length - begin < duet_utf8_length((unsigned char)text[begin]) ? begin : length;
}

// Cells of a terminal: two for the wide characters of East Asia and for pictures, none for marks
// that stand above or below the character before them.
static size_t cells_of(unsigned long point)
{
    static const unsigned long wide[][2] = {
        {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xAC00, 0xD7A3},
        {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},
        {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        if (point >= wide[i][0] && point <= wide[i][1]) {
            return 2;
        }
    }
    bool mark = (point >= 0x300 && point <= 0x36F) || (point >= 0x200B && point <= 0x200D) ||
                (point >= 0xFE00 && point <= 0xFE0F);
    return mark ? 0 : 1;
}

static size_t shown_width(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t at = 0; at < length;) {
        char shown[DUET_SHOWN];
        unsigned long point = 0;
        at += duet_utf8_show((const unsigned char *)text + at, length - at, shown);
        duet_utf8_decode((const unsigned char *)shown, strlen(shown), &point);
        width += (unsigned char)shown[0] < 0x80 ? strlen(shown) : cells_of(point);
    }
    return width;
}

size_t duet_cli_width(const char *text)
{
    return shown_width(text, strlen(text));
}

void duet_cli_put_own(FILE *stream, const char *text)
{
    fputs(text, stream);
}

static void print_text(FILE *stream, const conversion *how, const char *text)
{
    text = text == NULL ? "(null)" : text;
    size_t length = length_of(text, how->precision);
    size_t own = how->width > 0 ? shown_width(text, length) : 0;
    int pad = how->width > 0 && (size_t)how->width > own ? how->width - (int)own : 0;
    bool left = strchr(how->flags, '-') != NULL;
    fprintf(stream, "%*s", left ? 0 : pad, "");
    for (size_t at = 0; at < length;) {
        char shown[DUET_SHOWN];
        at += duet_utf8_show((const unsigned char *)text + at, length - at, shown);
        fputs(shown, stream);
    }
    fprintf(stream, "%*s", left ? pad : 0, "");
}

static void print_character(FILE *stream, const conversion *how, int character)
{
    const char text[2] = {(char)character, '\0'};
    print_text(stream, how, text);
}

static void print_real(FILE *stream, const conversion *how, double value)
{
    char format[32];
    snprintf(format, sizeof format, "%%%s*.*%c", how->flags, how->type);
    // A negative precision is as none; so is a width of 0.
    fprintf(stream, format, duet_max(how->width, 0), how->precision, value);
}

static void print_whole(FILE *stream, const conversion *how, long long value)
{
    char format[32];
    snprintf(format, sizeof format, "%%%s*.*ll%c", how->flags, how->type);
    fprintf(stream, format, duet_max(how->width, 0), how->precision, value);
}

// The next argument as a whole number; what has no sign keeps its bits.
static long long take_whole(const conversion *how, va_list *arguments)
{
    bool has_sign = how->type == 'd' || how->type == 'i';
    switch (how->length) {
    case 'L':
        return va_arg(*arguments, long long);
    case 'l':
        return has_sign ? va_arg(*arguments, long) : (long long)va_arg(*arguments, unsigned long);
    case 'z':
        return (long long)va_arg(*arguments, size_t);
    default:
        return has_sign ? va_arg(*arguments, int) : (long long)va_arg(*arguments, unsigned);
    }
}

static void print_conversion(FILE *stream, const conversion *how, va_list *arguments)
{
    switch (how->type) {
    case 's':
        print_text(stream, how, va_arg(*arguments, const char *));
        break;
    case 'c':
        print_character(stream, how, va_arg(*arguments, int));
        break;
    case 'd':
    case 'i':
    case 'u':
    case 'x':
        print_whole(stream, how, take_whole(how, arguments));
        break;
    default:
        DUET_ASSERT(strchr("efg", how->type) != NULL);
        print_real(stream, how, va_arg(*arguments, double));
    }
}

void duet_cli_print(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, stream);
        format += plain;
        if (format[0] == '%' && format[1] == '%') {
            fputc('%', stream);
            format += 2;
        } else if (*format == '%') {
            conversion how;
            format = read_conversion(format + 1, &arguments, &how);
            print_conversion(stream, &how, &arguments);
        }
    }
    va_end(arguments);
}
