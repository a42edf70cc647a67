// SPDX-License-Identifier: Apache-2.0
// What a caller says of an algorithm of its own: checked, completed, and added to its registry.
#include <duet/registry.h>

#include <string.h>

#include "core/system/memory.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"
#include "heuristics/engine/online.h"
#include "solvers/custom.h"
#include "solvers/registry.h"

// Programs built before there was `handles` have 0 there. What they said in `needs` stays true: an
// algorithm that does not need two types handles any number of them.
static duet_code complete_handles(duet_custom *row, duet_error *error)
{
    static const unsigned known = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION |
                                  DUET_FEATURE_MOLDABLE | DUET_FEATURE_ANY_TYPES |
                                  DUET_FEATURE_MIXED_SETS | DUET_FEATURE_WAITS;
    if (row->choose != NULL) {
        row->handles |= DUET_FEATURE_GRAPHS;
        row->options = row->options == NULL ? duet_online_options : row->options;
    }
    bool two_types = (row->needs & DUET_NEEDS_TWO_TYPES) != 0;
    if ((row->handles & ~known) != 0) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "algorithm '%s' handles a feature that this version of the library "
                              "does not know (%#x)",
                              row->name, row->handles & ~known);
    }
    if (two_types && (row->handles & DUET_FEATURE_ANY_TYPES) != 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "algorithm '%s' needs two types and handles any number of them: "
                              "expected one of both",
                              row->name);
    }
    row->handles |= two_types ? 0 : DUET_FEATURE_ANY_TYPES;
    return DUET_OK;
}

static duet_code check_name(const duet_registry *registry, const char *name, duet_error *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    size_t room = sizeof((duet_solution *)NULL)->algorithm;
    size_t length = name == NULL ? 0 : strlen(name);
    if (length == 0 || length >= room || strspn(name, letters) != length) {
        return duet_error_set(error, DUET_E_USAGE,
                              "a name of an algorithm: expected 1 to %zu of a-z, 0-9 and '-'",
                              room - 1);
    }
    if (duet_find_algorithm(name) != NULL || duet_registry_find(registry, name) != NULL) {
        return duet_error_set(error, DUET_E_USAGE, "there is an algorithm '%s' already", name);
    }
    return DUET_OK;
}

// Checks what the caller says of an algorithm, and completes it.
static duet_code check_row(const duet_registry *registry, duet_custom *row, duet_error *error)
{
    DUET_TRY(check_name(registry, row->name, error));
    if ((row->run == NULL) == (row->choose == NULL)) {
        return duet_error_set(error, DUET_E_USAGE, "algorithm '%s' has %s: expected run or choose",
                              row->name, row->run == NULL ? "no function" : "two functions");
    }
    if (row->information < 0 || row->information > DUET_SEES_DESCENDANTS) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "algorithm '%s' asks for information that this version of the "
                              "library does not know (%d)",
                              row->name, row->information);
    }
    return complete_handles(row, error);
}

// Makes the texts of a row the registry's own.
static duet_code copy_texts(duet_custom *row, duet_error *error)
{
    row->name = duet_copy_string(row->name, error);
    row->summary = duet_copy_string(row->summary == NULL ? "" : row->summary, error);
    row->reference = duet_copy_string(row->reference == NULL ? "" : row->reference, error);
    if (row->name == NULL || row->summary == NULL || row->reference == NULL) {
        duet_custom_free_texts(row);
        return DUET_E_MEMORY;
    }
    return DUET_OK;
}

duet_code duet_registry_add(duet_registry *registry, const duet_custom *algorithm,
                            duet_error *error)
{
    duet_custom row = {.struct_size = sizeof row};
    DUET_TRY(duet_struct_take(&row, sizeof row, DUET_SIZE_UNTIL(duet_custom, user), algorithm,
                              "duet_custom", error));
    DUET_TRY(check_row(registry, &row, error));
    DUET_TRY(copy_texts(&row, error));
    duet_code code = duet_registry_keep(registry, &row, error);
    if (code != DUET_OK) {
        duet_custom_free_texts(&row);
    }
    return code;
}
