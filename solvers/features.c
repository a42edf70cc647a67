// SPDX-License-Identifier: Apache-2.0
#include "solvers/features.h"

#include <stdio.h>
#include <string.h>

#include "core/instance/rest.h"
#include "core/system/assert.h"
#include "solvers/custom.h"

// A list of words in a buffer; what does not fit is left out.
typedef struct words {
    char *buffer;
    size_t size;
    size_t used;
} words;

static words words_in(char *buffer, size_t size)
{
    buffer[0] = '\0';
    return (words){.buffer = buffer, .size = size, .used = 0};
}

static void add_word(words *list, const char *word)
{
    const char *comma = list->used == 0 ? "" : ", ";
    if (list->used + strlen(comma) + strlen(word) < list->size) {
        list->used += (size_t)snprintf(list->buffer + list->used, list->size - list->used, "%s%s",
                                       comma, word);
    }
}

duet_demand duet_demand_of(const duet_instance *instance)
{
    unsigned features = duet_instance_features(instance);
    duet_rest rest;
    if (instance->pins != NULL) { // what is given is left out, and the rest is solved
        if (duet_rest_create(instance, &rest, NULL) == DUET_OK) {
            features = duet_instance_features(rest.instance);
        }
        features &= ~(unsigned)DUET_FEATURE_FIXED;
        duet_rest_free(&rest);
    }
    return (duet_demand){.features = features,
                         .types = instance->types,
                         .of_records = instance->origin != NULL && instance->origin->tile != NULL};
}

// Whether the row is for moldable tasks, and there are none.
static bool lacks_moldable(const duet_entry *entry, duet_demand demand)
{
    return (entry->needs & DUET_NEEDS_MOLDABLE) != 0 &&
           (demand.features & DUET_FEATURE_MOLDABLE) == 0;
}

// Features that a row handles apart, but not together.
static unsigned find_conflict(const duet_entry *entry, duet_demand demand)
{
    static const struct {
        unsigned need, features;
    } conflicts[] = {
        {DUET_NEEDS_TWO_TYPES_WITH_EDGES, DUET_FEATURE_PRECEDENCE | DUET_FEATURE_ANY_TYPES},
        {DUET_NEEDS_TWO_TYPES_WITH_EDGES, DUET_FEATURE_RELEASES | DUET_FEATURE_ANY_TYPES},
        {DUET_NEEDS_TWO_TYPES_WITH_EDGES, DUET_FEATURE_BUSY | DUET_FEATURE_ANY_TYPES},
        {DUET_NEEDS_NO_MOLDABLE_EDGES, DUET_FEATURE_PRECEDENCE | DUET_FEATURE_MOLDABLE}};
    for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++) {
        if ((entry->needs & conflicts[i].need) != 0 &&
            (conflicts[i].features & ~demand.features) == 0) {
            return conflicts[i].need;
        }
    }
    return 0;
}

bool duet_handles(const duet_entry *entry, duet_demand demand)
{
    return (demand.features & ~entry->handles) == 0 && !lacks_moldable(entry, demand) &&
           find_conflict(entry, demand) == 0;
}

// Whether this build has what the row needs.
static bool is_built(const duet_entry *entry)
{
#ifdef DUET_WITH_GLPK
    (void)entry;
    return true;
#else
    return (entry->needs & DUET_NEEDS_GLPK) == 0;
#endif
}

char *duet_join_names(const duet_entry *entry_at(size_t), char *buffer, size_t size)
{
    words names = words_in(buffer, size);
    for (size_t i = 0; entry_at(i) != NULL; i++) {
        add_word(&names, entry_at(i)->name);
    }
    return buffer;
}

// The rows that handle the demand in this build, the library's first; "" if no row does.
static void join_able(duet_demand demand, const duet_rows *rows, char *buffer, size_t size)
{
    words names = words_in(buffer, size);
    for (size_t i = 0; rows->entry_at(i) != NULL; i++) {
        const duet_entry *entry = rows->entry_at(i);
        if (duet_handles(entry, demand) && is_built(entry)) {
            add_word(&names, entry->name);
        }
    }
    const duet_custom *custom;
    for (size_t i = 0; (custom = duet_registry_at(rows->customs, i)) != NULL; i++) {
        duet_entry entry = duet_custom_row(custom).entry;
        if (duet_handles(&entry, demand) && is_built(&entry)) {
            add_word(&names, entry.name);
        }
    }
}

// What a row lacks, as a sentence without its end.
static void say_unhandled(const duet_entry *entry, duet_demand demand, char *buffer, size_t size)
{
    static const struct {
        unsigned feature;
        const char *name;
    } names[] = {{DUET_FEATURE_PRECEDENCE, "precedence between tasks"},
                 {DUET_FEATURE_COMMUNICATION, "communication between types"},
                 {DUET_FEATURE_MOLDABLE, "moldable tasks"},
                 {DUET_FEATURE_MIXED_SETS, "mixed sets"},
                 {DUET_FEATURE_RELEASES, "releases"},
                 {DUET_FEATURE_BUSY, "busy processors"},
                 {DUET_FEATURE_RIGID, "rigid tasks"}};
    unsigned missing = demand.features & ~entry->handles;
    unsigned conflict = missing == 0 ? find_conflict(entry, demand) : 0;
    if (conflict == DUET_NEEDS_TWO_TYPES_WITH_EDGES) {
        snprintf(buffer, size,
                 "%s on task graphs%s needs a platform of two types, CPU and GPU: this one has %zu",
                 entry->name,
                 (demand.features & DUET_FEATURE_PRECEDENCE) != 0
                     ? ""
                     : ", and with releases or busy processors,",
                 demand.types);
        return;
    }
    if (conflict == DUET_NEEDS_NO_MOLDABLE_EDGES) {
        snprintf(buffer, size, "%s takes moldable tasks without edges", entry->name);
        return;
    }
    if (missing == 0) {
        DUET_ASSERT(lacks_moldable(entry, demand));
        snprintf(buffer, size, "%s is for moldable tasks, and this instance has none", entry->name);
        return;
    }
    if (missing == DUET_FEATURE_ANY_TYPES) {
        snprintf(buffer, size, "%s needs a platform of two types, CPU and GPU: this one has %zu",
                 entry->name, demand.types);
        return;
    }
    char text[200];
    words list = words_in(text, sizeof text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if ((missing & names[i].feature) != 0) {
            add_word(&list, names[i].name);
        }
    }
    if ((missing & DUET_FEATURE_ANY_TYPES) != 0) {
        char types[60];
        snprintf(types, sizeof types, "a platform of %zu types", demand.types);
        add_word(&list, types);
    }
    bool option = demand.of_records && (missing & DUET_FEATURE_COMMUNICATION) != 0;
    snprintf(buffer, size, "%s does not handle what this instance has: %s%s", entry->name, text,
             option ? " (which -O data=false leaves out)" : "");
}

duet_code duet_require_handled(const duet_entry *entry, duet_demand demand, const duet_rows *rows,
                               duet_error *error)
{
    DUET_ASSERT((demand.types != 2) == ((demand.features & DUET_FEATURE_ANY_TYPES) != 0));
    if (!duet_handles(entry, demand)) {
        char fault[300];
        char able[300];
        say_unhandled(entry, demand, fault, sizeof fault);
        if (rows == NULL) {
            return duet_error_set(error, DUET_E_UNSUPPORTED, "%s", fault);
        }
        join_able(demand, rows, able, sizeof able);
        if (able[0] == '\0') {
            return duet_error_set(error, DUET_E_UNSUPPORTED, "%s; no %s does", fault, rows->what);
        }
        return duet_error_set(error, DUET_E_UNSUPPORTED, "%s; expected one of %s", fault, able);
    }
    if (!is_built(entry)) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "%s needs GLPK, and this build has none (-DDUET_WITH_GLPK=ON)",
                              entry->name);
    }
    return DUET_OK;
}
