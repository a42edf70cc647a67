// SPDX-License-Identifier: Apache-2.0
// Lengths of time as tools print them: "1h 2m", "58.3s", "00:01:30", "1-02:03:04", "0 days
// 00:01:30", and those of ISO 8601, "PT1H2M".
#include "core/instance/moment.h"

#include <string.h>
#include <strings.h>

#include "core/number/decimal.h"

// A text while it is read, and the sum so far.
typedef struct reader {
    const char *at, *end;
    duet_long_decimal sum;
    bool good;
} reader;

typedef struct unit {
    const char *name;
    int rank; // a smaller unit has a larger one
    duet_decimal seconds;
} unit;

static const unit *find_unit(const char *name, size_t length)
{
    static const unit units[] = {
        {"w", 0, {604800, 0}},       {"week", 0, {604800, 0}},   {"weeks", 0, {604800, 0}},
        {"d", 1, {86400, 0}},        {"day", 1, {86400, 0}},     {"days", 1, {86400, 0}},
        {"h", 2, {3600, 0}},         {"hr", 2, {3600, 0}},       {"hrs", 2, {3600, 0}},
        {"hour", 2, {3600, 0}},      {"hours", 2, {3600, 0}},    {"m", 3, {60, 0}},
        {"min", 3, {60, 0}},         {"mins", 3, {60, 0}},       {"minute", 3, {60, 0}},
        {"minutes", 3, {60, 0}},     {"s", 4, {1, 0}},           {"sec", 4, {1, 0}},
        {"secs", 4, {1, 0}},         {"second", 4, {1, 0}},      {"seconds", 4, {1, 0}},
        {"wk", 0, {604800, 0}},      {"wks", 0, {604800, 0}},    {"woche", 0, {604800, 0}},
        {"wochen", 0, {604800, 0}},  {"tag", 1, {86400, 0}},     {"tage", 1, {86400, 0}},
        {"std", 2, {3600, 0}},       {"stunde", 2, {3600, 0}},   {"stunden", 2, {3600, 0}},
        {"minuten", 3, {60, 0}},     {"sekunde", 4, {1, 0}},     {"sekunden", 4, {1, 0}},
        {"ms", 5, {1, 3}},           {"msec", 5, {1, 3}},        {"msecs", 5, {1, 3}},
        {"millis", 5, {1, 3}},       {"millisecond", 5, {1, 3}}, {"milliseconds", 5, {1, 3}},
        {"us", 6, {1, 6}},           {"\xc2\xb5s", 6, {1, 6}},   {"\xce\xbcs", 6, {1, 6}},
        {"usec", 6, {1, 6}},         {"usecs", 6, {1, 6}},       {"microsecond", 6, {1, 6}},
        {"microseconds", 6, {1, 6}}, {"ns", 7, {1, 9}},          {"nsec", 7, {1, 9}},
        {"nsecs", 7, {1, 9}},        {"nanosecond", 7, {1, 9}},  {"nanoseconds", 7, {1, 9}}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) == length && strncasecmp(units[i].name, name, length) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t number_length(const reader *r)
{
    size_t length = 0;
    while (r->at + length < r->end && (is_digit(r->at[length]) || r->at[length] == '.')) {
        length++;
    }
    return length;
}

// Adds the number that comes next, in a unit of `seconds` seconds.
static void add(reader *r, size_t length, duet_decimal seconds)
{
    duet_long_decimal number = {{0, 0}, DUET_DECIMAL_NO_TAIL};
    const duet_long_decimal factor = {seconds, DUET_DECIMAL_NO_TAIL};
    duet_long_decimal sum;
    r->good = r->good && length > 0 && is_digit(r->at[0]) &&
              duet_decimal_read(r->at, length, &number.value, &number.tail) == DUET_DECIMAL_OK &&
              duet_decimal_product_sum(number, factor, r->sum, &sum);
    if (r->good) {
        r->sum = sum;
        r->at += length;
    }
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && *r->at == ' ') {
        r->at++;
    }
}

// Two digits, or one in front; the last part may have a fraction.
static void add_clock_part(reader *r, int part)
{
    static const int seconds[] = {3600, 60, 1};
    size_t length = number_length(r);
    bool whole = memchr(r->at, '.', length) == NULL;
    bool two = length >= 2 && is_digit(r->at[1]) && (length == 2 || r->at[2] == '.');
    r->good = r->good &&
              (part == 0 ? whole && length <= 4 : two && (whole || part == 2) && r->at[0] <= '5');
    add(r, length, (duet_decimal){seconds[part], 0});
}

// "02:03:04.5"
static void read_clock(reader *r)
{
    for (int part = 0; part < 3 && r->good; part++) {
        add_clock_part(r, part);
        if (part < 2 && r->good) {
            r->good = r->at < r->end && *r->at == ':';
            r->at += r->good;
        }
    }
    r->good = r->good && r->at == r->end;
}

// "1-02:03:04", "1 day, 2:03:04", "0 days 00:01:30" or a clock alone.
static void read_days_and_clock(reader *r)
{
    size_t length = number_length(r);
    const char *behind = r->at + length;
    bool days = behind < r->end && *behind == '-';
    size_t word = 0;
    if (behind + 4 <= r->end && memcmp(behind, " day", 4) == 0) {
        word = behind + 4 < r->end && behind[4] == 's' ? 5 : 4;
        days = true;
    }
    if (days) {
        add(r, length, (duet_decimal){86400, 0});
        r->at += r->good ? (word > 0 ? word : 1) : 0;
        r->at += r->at < r->end && *r->at == ',';
        skip_blanks(r);
    }
    read_clock(r);
}

// "1h 2m", "58.3s", "1 day 2 hours"
static void read_units(reader *r)
{
    int last = -1;
    while (r->good && r->at < r->end) {
        size_t length = number_length(r);
        const char *name = r->at + length;
        while (name < r->end && *name == ' ') {
            name++;
        }
        size_t size = 0;
        while (name + size < r->end && !is_digit(name[size]) && name[size] != ' ' &&
               name[size] != ',') {
            size++;
        }
        bool alone = last < 0 && size == 1 && *name == 'M'; // "5M" may be millions
        const unit *of = alone ? NULL : find_unit(name, size);
        r->good = of != NULL && of->rank > last;
        if (r->good) {
            add(r, length, of->seconds);
            last = of->rank;
            r->at = name + size;
            r->at += r->at + 1 < r->end && *r->at == ','; // "1 hour, 20 minutes"
            skip_blanks(r);
        }
    }
    r->good = r->good && last >= 0;
}

// "P1DT2H3M4.5S"; years and months have no length.
static void read_iso(reader *r)
{
    static const char letters[] = "WDHMS";
    static const int seconds[] = {604800, 86400, 3600, 60, 1};
    int last = -1;
    bool time = false;
    r->at++;
    while (r->good && r->at < r->end) {
        if (*r->at == 'T' && !time) {
            time = true;
            r->at++;
            continue;
        }
        size_t length = number_length(r);
        char letter = r->at + length < r->end ? r->at[length] : '\0';
        const char *which = letter == '\0' ? NULL : strchr(letters, letter);
        int rank = which == NULL ? -1 : (int)(which - letters);
        r->good = rank > last && (rank >= 2) == time;
        if (r->good) {
            add(r, length, (duet_decimal){seconds[rank], 0});
            r->at++;
            last = rank;
        }
    }
    r->good = r->good && last >= 0;
}

bool duet_duration_read(const char *text, size_t length, duet_read_time *seconds)
{
    length -= length > 1 && text[length - 1] == '?'; // "5 days?" in plans of projects
    reader r = {.at = text,
                .end = text + length,
                .sum = {{0, 0}, DUET_DECIMAL_NO_TAIL},
                .good = length > 0 && (is_digit(text[0]) || text[0] == 'P')};
    if (r.good && text[0] == 'P') {
        read_iso(&r);
    } else if (r.good && memchr(text, ':', length) != NULL) {
        read_days_and_clock(&r);
    } else if (r.good) {
        read_units(&r);
    }
    if (r.good) {
        *seconds = (duet_read_time){.value = r.sum.value, .tail = r.sum.tail};
    }
    return r.good;
}
