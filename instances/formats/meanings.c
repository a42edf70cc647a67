// SPDX-License-Identifier: Apache-2.0
// What the name of a field means: by its words, which are those of meaning_words.h, without the
// parts around them that change nothing, and without units.
#include <stdbool.h>
#include <string.h>

#include <duet/io.h>

#include "instances/formats/fields.h"
#include "instances/formats/meaning_words.h"

// --- parts of a name -----------------------------------------------------------------------------

enum { LONGEST = 64, MOST_PARTS = 8 };

// A name in its parts, in lower case: "readyTimeMs" and "Ready time (ms)" are "ready", "time",
// "ms".
typedef struct name_parts {
    char text[LONGEST]; // one after another, without anything between them
    size_t at[MOST_PARTS + 1];
    size_t count;
} name_parts;

static const char signs[] = " _-.,/()[]{}%#";

static bool is_upper(char letter)
{
    return letter >= 'A' && letter <= 'Z';
}

// False where the name is too long to be a word, or has none.
static bool split(const char *name, name_parts *parts)
{
    size_t used = 0;
    bool between = true;
    *parts = (name_parts){.count = 0};
    for (size_t i = 0; name[i] != '\0'; i++) {
        if (strchr(signs, name[i]) != NULL) {
            between = true;
            continue;
        }
        bool hump = i > 0 && is_upper(name[i]) && name[i - 1] >= 'a' && name[i - 1] <= 'z' &&
                    name[i + 1] != '\0' && strchr(signs, name[i + 1]) == NULL; // "MiB" is one
        if (used + 1 == LONGEST || ((between || hump) && parts->count == MOST_PARTS)) {
            return false;
        }
        if (between || hump) {
            parts->at[parts->count++] = used;
        }
        between = false;
        parts->text[used++] = (char)(is_upper(name[i]) ? name[i] - 'A' + 'a' : name[i]);
    }
    parts->at[parts->count] = used;
    return parts->count > 0;
}

static bool is_part(const name_parts *parts, size_t which, const char *word)
{
    size_t length = parts->at[which + 1] - parts->at[which];
    return strlen(word) == length && memcmp(parts->text + parts->at[which], word, length) == 0;
}

// The word of the parts from `first` to before `last`, which may be cut.
static duet_meaning find(const name_parts *parts, size_t first, size_t last, size_t cut)
{
    size_t length = parts->at[last] - parts->at[first] - cut;
    return duet_meaning_of_word(parts->text + parts->at[first], length);
}

// --- what stands around a word -------------------------------------------------------------------

#define BIT(meaning) (1U << DUET_MEANS_##meaning)
#define WHEN (BIT(RELEASE) | BIT(DEADLINE) | BIT(SETUP) | BIT(RUN) | BIT(LIMIT))
#define UNUSED (BIT(PRIORITY) | BIT(WEIGHT) | BIT(MEMORY) | BIT(REMARK))
#define ORDER (BIT(AFTER) | BIT(BEFORE))
#define NUMBERED (UNUSED | ORDER | BIT(RELEASE) | BIT(DEADLINE)) // "priority 1"

// A part of a name that changes nothing of what the word beside it means, if that is one of these.
typedef struct affix {
    const char *text;
    unsigned meanings;
} affix;

static const affix before_words[] = {{"task", WHEN | UNUSED | ORDER | BIT(CORES) | BIT(GROUP)},
                                     {"job", WHEN | UNUSED | ORDER | BIT(CORES) | BIT(GROUP)},
                                     {"process", WHEN | UNUSED | ORDER | BIT(CORES)},
                                     {"activity", WHEN | UNUSED | ORDER | BIT(CORES) | BIT(GROUP)},
                                     {"cpu", BIT(CORES)},
                                     {"of", BIT(CORES)},
                                     {"number", BIT(CORES)},
                                     {"num", BIT(CORES)},
                                     {"nb", BIT(CORES)},
                                     {"no", BIT(CORES)},
                                     {"n", BIT(CORES)},
                                     {"req", BIT(CORES) | BIT(MEMORY)},
                                     {"request", BIT(CORES) | BIT(MEMORY)},
                                     {"requested", BIT(CORES) | BIT(MEMORY) | BIT(LIMIT)},
                                     {"required", BIT(CORES) | BIT(MEMORY)},
                                     {"reserved", BIT(CORES) | BIT(MEMORY)},
                                     {"alloc", BIT(CORES) | BIT(MEMORY)},
                                     {"allocated", BIT(CORES) | BIT(MEMORY)},
                                     {"total", BIT(CORES) | UNUSED | BIT(RUN)},
                                     {"used", BIT(CORES) | BIT(MEMORY)},
                                     {"max", UNUSED | BIT(RUN)},
                                     {"min", UNUSED | BIT(RUN)},
                                     {"mean", UNUSED | BIT(RUN)},
                                     {"avg", UNUSED | BIT(RUN)},
                                     {"ave", UNUSED | BIT(RUN)},
                                     {"average", UNUSED | BIT(RUN)},
                                     {"peak", UNUSED},
                                     {"earliest", BIT(RELEASE)},
                                     {"latest", BIT(DEADLINE)},
                                     {"planned", WHEN},
                                     {"scheduled", WHEN},
                                     {"expected", WHEN},
                                     {"actual", WHEN},
                                     {"target", WHEN},
                                     {"hard", WHEN},
                                     {"soft", WHEN}};

static const affix behind_words[] = {{"time", WHEN},
                                     {"times", WHEN},
                                     {"date", WHEN},
                                     {"dates", WHEN},
                                     {"at", WHEN},
                                     {"by", WHEN},
                                     {"on", WHEN},
                                     {"am", WHEN},
                                     {"in", WHEN},
                                     {"stamp", WHEN},
                                     {"timestamp", WHEN},
                                     {"level", UNUSED},
                                     {"class", UNUSED},
                                     {"value", WHEN | UNUSED},
                                     {"score", UNUSED},
                                     {"factor", UNUSED},
                                     {"weight", UNUSED},
                                     {"limit", BIT(MEMORY) | BIT(RUN) | BIT(LIMIT)},
                                     {"usage", BIT(MEMORY)},
                                     {"used", BIT(CORES) | BIT(MEMORY)},
                                     {"peak", BIT(MEMORY)},
                                     {"max", UNUSED},
                                     {"min", UNUSED},
                                     {"avg", UNUSED},
                                     {"req", BIT(CORES) | BIT(MEMORY)},
                                     {"requested", BIT(CORES) | BIT(MEMORY)},
                                     {"required", BIT(CORES) | BIT(MEMORY)},
                                     {"needed", BIT(CORES) | BIT(MEMORY)},
                                     {"allocated", BIT(CORES) | BIT(MEMORY)},
                                     {"count", BIT(CORES)},
                                     {"number", BIT(CORES)},
                                     {"id", ORDER | BIT(GROUP) | BIT(RUN)},
                                     {"ids", ORDER},
                                     {"name", ORDER | BIT(GROUP) | BIT(RUN)},
                                     {"names", ORDER},
                                     {"key", ORDER},
                                     {"keys", ORDER},
                                     {"list", ORDER},
                                     {"task", ORDER},
                                     {"tasks", ORDER},
                                     {"job", ORDER},
                                     {"jobs", ORDER}};

static unsigned affix_of(const affix *list, size_t length, const name_parts *parts, size_t which)
{
    for (size_t i = 0; i < length; i++) {
        if (is_part(parts, which, list[i].text)) {
            return list[i].meanings;
        }
    }
    return 0;
}

static bool is_number(const name_parts *parts, size_t which)
{
    bool number = true;
    for (size_t at = parts->at[which]; at < parts->at[which + 1]; at++) {
        number = number && parts->text[at] >= '0' && parts->text[at] <= '9';
    }
    return number;
}

// The word among these parts, of which those may be left out that change nothing.
static duet_meaning find_between(const name_parts *parts, size_t first, size_t last, size_t cut)
{
    duet_meaning meaning = find(parts, first, last, cut);
    if (meaning != DUET_MEANS_NOTHING || last - first < 2) {
        return meaning;
    }
    unsigned behind = cut > 0 ? 0
                              : affix_of(behind_words, sizeof behind_words / sizeof *behind_words,
                                         parts, last - 1);
    behind = cut == 0 && is_number(parts, last - 1) ? NUMBERED : behind;
    if (behind != 0) {
        meaning = find_between(parts, first, last - 1, 0);
    }
    if (behind != 0 && (behind >> meaning & 1) != 0) {
        return meaning;
    }
    unsigned before =
        affix_of(before_words, sizeof before_words / sizeof *before_words, parts, first);
    meaning = before == 0 ? DUET_MEANS_NOTHING : find_between(parts, first + 1, last, cut);
    return (before >> meaning & 1) != 0 ? meaning : DUET_MEANS_NOTHING;
}

// --- units ---------------------------------------------------------------------------------------

static const char *const time_units[] = {
    "milliseconds", "millisecond", "millis",  "msecs",  "msec", "microseconds",
    "nanoseconds",  "seconds",     "second",  "secs",   "sec",  "ms",
    "us",           "ns",          "minutes", "minute", "mins", "min",
    "hours",        "hour",        "hrs",     "hr",     "days", "day",
    "weeks",        "week",        "s",       "m",      "h",    "d"};
static const char *const memory_units[] = {"bytes", "gib", "mib", "kib", "gb", "mb", "kb"};

// How long the unit is in which parts end that have no sign before it, "readyms"; 0: there is none.
// One letter alone is none.
static size_t glued_unit(const name_parts *parts, const char *const *units, size_t count)
{
    size_t length = parts->at[parts->count] - parts->at[parts->count - 1];
    const char *end = parts->text + parts->at[parts->count];
    for (size_t i = 0; i < count; i++) {
        size_t unit = strlen(units[i]);
        if (unit > 1 && unit < length && memcmp(end - unit, units[i], unit) == 0) {
            return unit;
        }
    }
    return 0;
}

static bool is_unit(const name_parts *parts, const char *const *units, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count && parts->count > 1; i++) {
        found = found || is_part(parts, parts->count - 1, units[i]);
    }
    return found;
}

// What a name with a unit of times means: the time of a type, unless the rest means another one.
static duet_meaning timed(duet_meaning rest)
{
    bool unused = (rest == DUET_MEANS_RUN || rest == DUET_MEANS_LIMIT || rest == DUET_MEANS_SETUP ||
                   (UNUSED >> rest & 1) != 0);
    bool read = rest == DUET_MEANS_RELEASE || rest == DUET_MEANS_DEADLINE;
    return read ? DUET_MEANS_TIMED : unused ? rest : DUET_MEANS_NOTHING;
}

// Whether the parts before `last` end in a word for how long a task takes, as "total run time"
// does: "run time" is no time of a "run". "time" alone may stand behind any word.
static bool ends_in_length(const name_parts *parts, size_t last)
{
    bool length = false;
    for (size_t i = 0; i < last; i++) {
        size_t letters = parts->at[last] - parts->at[i];
        bool alone = i + 1 == last && is_part(parts, i, "time");
        length = length || (!alone && duet_is_word_of_lengths(parts->text + parts->at[i], letters));
    }
    return length;
}

// What the parts before `last` mean; nothing where they say how long a task takes.
static duet_meaning find_apart(const name_parts *parts, size_t last)
{
    duet_meaning meaning = find(parts, 0, last, 0);
    return meaning == DUET_MEANS_NOTHING && !ends_in_length(parts, last)
               ? find_between(parts, 0, last, 0)
               : meaning;
}

#define UNITS(list) (list), sizeof(list) / sizeof *(list)

// What the parts without a unit of memory mean.
static duet_meaning find_memory(const name_parts *parts)
{
    size_t last = parts->count - is_unit(parts, UNITS(memory_units));
    size_t cut = last < parts->count ? 0 : glued_unit(parts, UNITS(memory_units));
    if (last == parts->count && cut == 0) {
        return DUET_MEANS_NOTHING;
    }
    last -= last > 1 && is_part(parts, last - 1, "in");
    duet_meaning meaning = find_between(parts, 0, last, cut);
    return meaning == DUET_MEANS_MEMORY ? meaning : DUET_MEANS_NOTHING;
}

bool duet_field_is_length(const char *name)
{
    name_parts parts;
    if (!split(name, &parts)) {
        return false;
    }
    size_t last = parts.count - is_unit(&parts, UNITS(time_units));
    last -= last > 1 && is_part(&parts, last - 1, "in");
    return duet_is_word_of_lengths(parts.text, parts.at[last]);
}

bool duet_field_is_amount(const char *name)
{
    static const char *const words[] = {"data", "size", "byte", "bytes", "volume", "nbytes"};
    name_parts parts;
    bool amount = split(name, &parts) &&
                  (is_unit(&parts, UNITS(memory_units)) || glued_unit(&parts, UNITS(memory_units)));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (size_t part = 0; part < parts.count; part++) {
            amount = amount || is_part(&parts, part, words[i]);
        }
    }
    return amount;
}

bool duet_field_is_processors(const char *name)
{
    name_parts parts;
    return split(name, &parts) && duet_is_word_of_processors(parts.text, parts.at[parts.count]);
}

// A part of a name without the digits at its end, which number processors, and models of a letter
// such as "a100".
static bool is_type_part(const name_parts *parts, size_t which)
{
    const char *text = parts->text + parts->at[which];
    size_t length = parts->at[which + 1] - parts->at[which];
    size_t letters = length;
    while (letters > 0 && text[letters - 1] >= '0' && text[letters - 1] <= '9') {
        letters--;
    }
    bool found = (letters < 2 && letters < length) || duet_is_word_of_types(text, letters);
    for (size_t i = 0; i + 3 <= letters && !found; i++) { // "mycpu"
        found = memcmp(text + i, "cpu", 3) == 0 || memcmp(text + i, "gpu", 3) == 0;
    }
    return found;
}

bool duet_field_is_type_name(const char *name)
{
    name_parts parts;
    if (duet_field_is_length(name) || duet_field_unit(name) != NULL || !split(name, &parts)) {
        return duet_field_is_length(name) || duet_field_unit(name) != NULL;
    }
    bool found = false;
    for (size_t i = 0; i < parts.count && !found; i++) {
        found = is_type_part(&parts, i);
    }
    return found;
}

const char *duet_field_unit(const char *name)
{
    name_parts parts;
    bool known = split(name, &parts) && parts.count > 1;
    for (size_t i = 0; known && i < sizeof time_units / sizeof *time_units; i++) {
        if (is_part(&parts, parts.count - 1, time_units[i])) {
            return strcmp(time_units[i], "m") == 0 ? "min" : time_units[i];
        }
    }
    return NULL;
}

duet_meaning duet_field_meaning(const char *name)
{
    name_parts parts;
    if (!split(name, &parts)) {
        return DUET_MEANS_NOTHING;
    }
    if (is_unit(&parts,
                UNITS(time_units))) { // "cpu_s" is a time, where "cpus" is how many there are
        size_t last = parts.count - 1;
        last -= last > 1 && is_part(&parts, last - 1, "in");
        bool run = is_part(&parts, last - 1, "run"); // "run_ms"
        return run ? DUET_MEANS_NOTHING : timed(find_apart(&parts, last));
    }
    duet_meaning meaning = find_apart(&parts, parts.count);
    size_t cut = meaning == DUET_MEANS_NOTHING ? glued_unit(&parts, UNITS(time_units)) : 0;
    if (cut > 0) {
        meaning = timed(find_between(&parts, 0, parts.count, cut));
    }
    return meaning == DUET_MEANS_NOTHING ? find_memory(&parts) : meaning;
}

const char *duet_field_word(const char *name)
{
    static const char *const names[] = {
        [DUET_MEANS_NOTHING] = NULL,        [DUET_MEANS_ID] = "id",
        [DUET_MEANS_AFTER] = "after",       [DUET_MEANS_BEFORE] = "before",
        [DUET_MEANS_RELEASE] = "release",   [DUET_MEANS_CORES] = "cores",
        [DUET_MEANS_DEADLINE] = "deadline", [DUET_MEANS_PRIORITY] = "priority",
        [DUET_MEANS_WEIGHT] = "weight",     [DUET_MEANS_MEMORY] = "memory",
        [DUET_MEANS_COUNT] = "count",       [DUET_MEANS_SETUP] = "setup",
        [DUET_MEANS_REMARK] = "remark",     [DUET_MEANS_GROUP] = "group",
        [DUET_MEANS_RUN] = "run",           [DUET_MEANS_LIMIT] = "limit",
        [DUET_MEANS_TIMED] = "timed"};
    duet_meaning meaning = duet_field_meaning(name);
    return meaning == DUET_MEANS_NOTHING && duet_field_is_length(name)      ? "length"
           : meaning == DUET_MEANS_NOTHING && duet_field_is_type_name(name) ? "type"
                                                                            : names[meaning];
}
