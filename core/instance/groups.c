// SPDX-License-Identifier: Apache-2.0
// Groups of tasks, as people see them: what the input says of each, else what its id begins with.
#include "core/instance/groups.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Words of an id that are looked at, and groups that are worth telling apart in any case.
enum { MOST_WORDS = 8, MANY_GROUPS = 64 };
static const char separators[] = "_-./:# ([";
static const char digits[] = "0123456789";

// --- ids -----------------------------------------------------------------------------------------

static size_t without_separators(const char *id, size_t length)
{
    while (length > 0 && strchr(separators, id[length - 1]) != NULL) {
        length--;
    }
    return length;
}

static bool has_letter(const char *id, size_t length)
{
    bool found = false;
    for (size_t i = 0; i < length && !found; i++) {
        found = strchr(digits, id[i]) == NULL && strchr(separators, id[i]) == NULL;
    }
    return found;
}

// The part of an id that its words are in: up to the first number behind a letter. 0: it has none.
static size_t words_of(const char *id)
{
    size_t length = strspn(id, digits);
    for (;;) {
        size_t end = length + strcspn(id + length, digits);
        if (id[end] == '\0' || has_letter(id, end)) {
            length = end;
            break;
        }
        length = end + strspn(id + end, digits); // "2023-01_train" begins with numbers
    }
    length = id[length] == '\0' ? length : without_separators(id, length);
    return has_letter(id, length) ? length : 0;
}

// An id's first words, of all of which `length` letters are.
static size_t cut(const char *id, size_t length, size_t words)
{
    size_t at = 0;
    for (size_t word = 0; word < words && at < length; word++) {
        at += strspn(id + at, separators);
        at += strcspn(id + at, separators);
    }
    return duet_min(at, length);
}

static bool is_said(const duet_instance *instance, size_t kind)
{
    return instance->group != NULL && instance->group[kind] > 0;
}

// The name of a kind's group, where ids are cut behind their first `words` words.
static duet_group_name name_of(const duet_instance *instance, size_t kind, size_t words)
{
    if (is_said(instance, kind)) {
        const char *said = duet_names_text(&instance->group_names, instance->group[kind] - 1);
        return (duet_group_name){said, strlen(said)};
    }
    const char *id = duet_instance_kind_id(instance, kind);
    return (duet_group_name){id, cut(id, words_of(id), words)};
}

// --- groups --------------------------------------------------------------------------------------

// Groups the kinds by the first `words` words of their names. Stops at one group more than `most`.
static duet_code group_by(const duet_instance *instance, size_t words, size_t most,
                          duet_task_groups *groups, duet_error *error)
{
    duet_names names = {0};
    char *name = NULL;
    size_t room = 0;
    duet_code code = DUET_OK;
    groups->count = 0;
    groups->words = words;
    for (size_t kind = 0; kind < instance->kinds && code == DUET_OK && groups->count <= most;
         kind++) {
        duet_group_name own = name_of(instance, kind, words);
        uint32_t group = 0;
        if (own.length >= room) {
            room = 2 * own.length + 64;
            char *larger = duet_resize(name, room, 1, error);
            name = larger == NULL ? name : larger;
            code = larger == NULL ? DUET_E_MEMORY : DUET_OK;
        }
        if (code == DUET_OK) {
            memcpy(name, own.text, own.length);
            name[own.length] = '\0';
            code = duet_names_add(&names, 0, name, &group, error);
        }
        if (code == DUET_OK && group == groups->count) {
            groups->sample[group] = kind;
            groups->kinds[group] = 0;
            groups->count++;
        }
        if (code == DUET_OK) {
            groups->of_kind[kind] = group;
            groups->kinds[group]++;
        }
    }
    duet_names_free(&names);
    duet_free(name);
    return code;
}

static void set_apart(const duet_instance *instance, duet_task_groups *groups)
{
    groups->apart = true;
    groups->count = instance->kinds;
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        groups->of_kind[kind] = groups->sample[kind] = kind;
        groups->kinds[kind] = 1;
    }
}

// Cuts ids behind as many words as leave few groups, or else behind as few as leave several. What
// the input says are groups however many they are.
static duet_code cut_ids(const duet_instance *instance, duet_task_groups *groups, duet_error *error)
{
    bool said = instance->group != NULL;
    size_t least = said ? 1 : 2;
    size_t most = said ? instance->kinds : MANY_GROUPS;
    size_t many = said; // the most words that leave at most MANY_GROUPS; 0: none do
    for (size_t words = MOST_WORDS; words > 0; words--) {
        DUET_TRY(group_by(instance, words, most, groups, error));
        if (groups->count < least) {
            break;
        }
        if (groups->count <= DUET_MOST_GROUPS) {
            return DUET_OK;
        }
        many = groups->count <= most ? words : many;
    }
    if (many > 0) {
        return group_by(instance, many, most, groups, error);
    }
    set_apart(instance, groups);
    return DUET_OK;
}

duet_code duet_task_groups_create(const duet_instance *instance, duet_task_groups *groups,
                                  duet_error *error)
{
    size_t kinds = instance->kinds;
    *groups = (duet_task_groups){.of_kind = duet_alloc(kinds, sizeof *groups->of_kind, error),
                                 .sample = duet_alloc(kinds, sizeof *groups->sample, error),
                                 .kinds = duet_alloc(kinds, sizeof *groups->kinds, error)};
    if (groups->of_kind == NULL || groups->sample == NULL || groups->kinds == NULL) {
        return DUET_E_MEMORY;
    }
    DUET_TRY(group_by(instance, MOST_WORDS, 1, groups, error));
    groups->alike = groups->count <= 1 && instance->group == NULL;
    if (instance->group == NULL && kinds <= DUET_MOST_GROUPS) {
        set_apart(instance, groups);
        return DUET_OK;
    }
    return cut_ids(instance, groups, error);
}

void duet_task_groups_free(duet_task_groups *groups)
{
    duet_free(groups->of_kind);
    duet_free(groups->sample);
    duet_free(groups->kinds);
    *groups = (duet_task_groups){.count = 0};
}

duet_group_name duet_task_groups_name(const duet_task_groups *groups, const duet_instance *instance,
                                      size_t group)
{
    size_t kind = groups->sample[group];
    const char *id = duet_instance_kind_id(instance, kind);
    return groups->apart ? (duet_group_name){id, strlen(id)}
                         : name_of(instance, kind, groups->words);
}

bool duet_group_has(const duet_instance *instance, size_t kind, const char *name, size_t length)
{
    if (is_said(instance, kind)) {
        const char *said = duet_names_text(&instance->group_names, instance->group[kind] - 1);
        return strlen(said) == length && memcmp(said, name, length) == 0;
    }
    const char *id = duet_instance_kind_id(instance, kind);
    return strncmp(id, name, length) == 0 &&
           (id[length] == '\0' || strchr(separators, id[length]) != NULL ||
            strchr(digits, id[length]) != NULL);
}

const char *duet_instance_group(const duet_instance *instance, size_t kind)
{
    return is_said(instance, kind)
               ? duet_names_text(&instance->group_names, instance->group[kind] - 1)
               : NULL;
}

duet_code duet_copy_groups(const duet_instance *from, duet_instance *to, duet_error *error)
{
    if (from->group == NULL) {
        return DUET_OK;
    }
    to->group = duet_alloc(to->kinds, sizeof *to->group, error);
    DUET_NEED(to->group);
    for (size_t kind = 0; kind < to->kinds; kind++) {
        size_t at = to->kinds == from->kinds ? kind : duet_instance_kind_of(from, (int64_t)kind);
        uint32_t number = 0;
        if (is_said(from, at)) {
            DUET_TRY(
                duet_names_add(&to->group_names, 0, duet_instance_group(from, at), &number, error));
            to->group[kind] = number + 1;
        }
    }
    return DUET_OK;
}
