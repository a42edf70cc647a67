// SPDX-License-Identifier: Apache-2.0
// What the environment variables DUET_* say (docs/starpu-plugin.md).
#include "starpu/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/duet.h>

static const char DEFAULT_ALGORITHMS[] = "hoft,heft-min,peft,graph-search";

static const char *text_of(const char *name, const char *fallback)
{
    const char *text = getenv(name);
    return text == NULL || text[0] == '\0' ? fallback : text;
}

static bool flag_of(const char *name, bool fallback)
{
    const char *text = text_of(name, fallback ? "1" : "0");
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) {
        fprintf(stderr, "duet: %s=%s: expected 0 or 1, so it is %d\n", name, text, fallback);
        return fallback;
    }
    return text[0] == '1';
}

static double number_of(const char *name, double fallback, double least)
{
    static const double MOST = 1e9;
    const char *text = text_of(name, NULL);
    if (text == NULL) {
        return fallback;
    }
    char *end;
    double value = strtod(text, &end);
    if (*end != '\0' || !(value >= least && value <= MOST)) {
        fprintf(stderr, "duet: %s=%s: expected a number from %g to %g, so it is %g\n", name, text,
                least, MOST, fallback);
        return fallback;
    }
    return value;
}

static bool strict_of(const char *name)
{
    const char *order = text_of(name, "strict");
    if (strcmp(order, "strict") != 0 && strcmp(order, "ready") != 0) {
        fprintf(stderr, "duet: %s=%s: expected strict or ready, so it is strict\n", name, order);
    }
    return strcmp(order, "ready") != 0;
}

// --- algorithms ----------------------------------------------------------------------------------

static bool plans_graphs(const duet_entry *entry)
{
    return (entry->handles & DUET_FEATURE_PRECEDENCE) != 0 &&
           (entry->needs & DUET_NEEDS_MOLDABLE) == 0;
}

static bool is_algorithm(const char *name, size_t length)
{
    const duet_entry *entry;
    for (size_t i = 0; (entry = duet_algorithm_entry(i)) != NULL; i++) {
        if (plans_graphs(entry) && strlen(entry->name) == length &&
            strncmp(entry->name, name, length) == 0) {
            return true;
        }
    }
    return false;
}

const char *duet_starpu_next_name(const char *list, size_t *length)
{
    for (const char *at = list + strspn(list, ", "); *at != '\0'; at += strspn(at, ", ")) {
        *length = strcspn(at, ", ");
        if (is_algorithm(at, *length)) {
            return at;
        }
        at += *length;
    }
    return NULL;
}

static void say_left_out(const char *name, size_t length)
{
    fprintf(stderr,
            "duet: DUET_ALGORITHMS: nothing that plans task graphs is called '%.*s', so it is left "
            "out: there are",
            (int)length, name);
    const duet_entry *entry;
    const char *before = " ";
    for (size_t i = 0; (entry = duet_algorithm_entry(i)) != NULL; i++) {
        if (plans_graphs(entry)) {
            fprintf(stderr, "%s%s", before, entry->name);
            before = ", ";
        }
    }
    fputs("\n", stderr);
}

// Says which names of the list are none; one that has no other is the default.
static const char *algorithms_of(const char *name)
{
    const char *list = text_of(name, DEFAULT_ALGORITHMS);
    size_t length;
    for (const char *at = list + strspn(list, ", "); *at != '\0'; at += strspn(at, ", ")) {
        length = strcspn(at, ", ");
        if (!is_algorithm(at, length)) {
            say_left_out(at, length);
        }
        at += length;
    }
    if (duet_starpu_next_name(list, &length) == NULL) {
        fprintf(stderr, "duet: %s=%s names none, so it is %s\n", name, list, DEFAULT_ALGORITHMS);
        return DEFAULT_ALGORITHMS;
    }
    return list;
}

// --- all of them ---------------------------------------------------------------------------------

// A name that begins as ours do, and is none. Three are of the command and the Python module.
static void name_unknown(void)
{
    static const char *const known[] = {
        "DUET_ALGORITHMS", "DUET_BASE",  "DUET_BATCH",    "DUET_COMMAND", "DUET_DEPART",
        "DUET_LIBRARY",    "DUET_ORDER", "DUET_PREFETCH", "DUET_PYTHON",  "DUET_RELOCATE",
        "DUET_SILENT",     "DUET_TIME",  "DUET_VERBOSE"};
    for (char **at = environ; at != NULL && *at != NULL; at++) {
        size_t length = strcspn(*at, "=");
        bool found = strncmp(*at, "DUET_", 5) != 0;
        for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++) {
            found = strlen(known[i]) == length && strncmp(*at, known[i], length) == 0;
        }
        if (!found) {
            fprintf(stderr,
                    "duet: %.*s is not known: there are DUET_ALGORITHMS, _BASE, _BATCH, _DEPART, "
                    "_ORDER, _PREFETCH, _RELOCATE, _SILENT, _TIME and _VERBOSE\n",
                    (int)length, *at);
        }
    }
}

duet_starpu_settings duet_starpu_read_settings(void)
{
    name_unknown();
    unsigned end = flag_of("DUET_SILENT", false) ? 0 : DUET_STARPU_SAYS_END;
    unsigned plans = flag_of("DUET_VERBOSE", false) ? DUET_STARPU_SAYS_PLANS : 0;
    const char *algorithms = algorithms_of("DUET_ALGORITHMS");
    unsigned refusals = algorithms != DEFAULT_ALGORITHMS ? DUET_STARPU_SAYS_REFUSALS : 0;
    return (duet_starpu_settings){.base = text_of("DUET_BASE", "dmdas"),
                                  .algorithms = algorithms,
                                  .seconds = number_of("DUET_TIME", 0.8, 0),
                                  .depart = number_of("DUET_DEPART", 0.25, 0),
                                  .batch = (long)number_of("DUET_BATCH", 1000, 1),
                                  .strict = strict_of("DUET_ORDER"),
                                  .prefetch = flag_of("DUET_PREFETCH", true),
                                  .relocate = flag_of("DUET_RELOCATE", true),
                                  .says = end | plans | refusals};
}
