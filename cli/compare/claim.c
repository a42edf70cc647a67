// SPDX-License-Identifier: Apache-2.0
// What a file claims about itself, held against what duet compare found.
#include <string.h>

#include "cli/compare/compare.h"
#include "console/plugin.h"
#include "console/texts.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static bool same_values(const duet_option_spec *table, const duet_options *a, const duet_options *b)
{
    for (const duet_option_spec *spec = table; spec != NULL && spec->name != NULL; spec++) {
        if (strcmp(duet_option_text(a, table, spec->name),
                   duet_option_text(b, table, spec->name)) != 0) {
            return false;
        }
    }
    return true;
}

// "key=value key=value"
static duet_code read_options(const char *text, duet_options *options, duet_error *error)
{
    char *copy = duet_copy_string(text, error);
    char *rest = NULL;
    duet_code code = copy == NULL ? DUET_E_MEMORY : DUET_OK;
    for (char *at = copy == NULL ? NULL : strtok_r(copy, " ", &rest); at != NULL && code == DUET_OK;
         at = strtok_r(NULL, " ", &rest)) {
        code = duet_options_add(options, at, error);
    }
    duet_free(copy);
    return code;
}

duet_code duet_cli_is_claimed(const duet_instance *instance, const char *algorithm,
                              const duet_options *options, bool *claimed, duet_error *error)
{
    const duet_claim *claim = duet_instance_claim(instance);
    const duet_entry *entry = duet_cli_find_algorithm(algorithm);
    duet_options *wanted = NULL;
    duet_error unread = DUET_ERROR_INIT;
    *claimed = false;
    if (claim == NULL || entry == NULL || strcmp(claim->algorithm, algorithm) != 0) {
        return DUET_OK;
    }
    duet_code code = duet_options_create(&wanted, &unread);
    DUET_THEN(code, read_options(claim->options, wanted, &unread));
    DUET_THEN(code, duet_check_algorithm_options(entry, wanted, &unread));
    *claimed = code == DUET_OK && same_values(entry->options, wanted, options) &&
               same_values(duet_common_options(), wanted, options);
    duet_options_free(wanted);
    if (code != DUET_OK && code != DUET_E_USAGE) {
        *error = unread;
        return code;
    }
    return DUET_OK; // options that the algorithm does not take are those of no run
}

static const duet_cli_result *find_best(const duet_cli_comparison *file)
{
    const duet_cli_result *best = NULL;
    for (size_t i = 0; i < file->count; i++) {
        const duet_cli_result *result = &file->results[i];
        if (result->skipped.code == DUET_OK &&
            (best == NULL || result->makespan < best->makespan)) {
            best = result;
        }
    }
    return best;
}

static const duet_cli_result *find_claimed(const duet_cli_comparison *file)
{
    for (size_t i = 0; i < file->count; i++) {
        if (file->results[i].skipped.code == DUET_OK && file->results[i].as_claimed) {
            return &file->results[i];
        }
    }
    return NULL;
}

duet_cli_contradictions duet_cli_contradict(const duet_cli_comparison *file)
{
    duet_cli_contradictions found = {0};
    const duet_claim *claim = duet_instance_claim(file->instance);
    const duet_cli_result *best = find_best(file);
    const duet_cli_result *run = find_claimed(file);
    char time[DUET_CLI_TEXT];
    char claimed[DUET_CLI_TEXT];
    if (claim == NULL) {
        return found;
    }
    duet_cli_finer_time(file->instance, 0, claim->optimum, claimed);
    if (file->bound > claim->optimum) {
        snprintf(found.text[found.count++], sizeof found.text[0],
                 "the best bound %s (%s) is above the claimed optimum %s",
                 duet_cli_finer_time(file->instance, 0, file->bound, time), file->bound_name,
                 claimed);
    }
    if (best != NULL && best->makespan < claim->optimum) {
        snprintf(found.text[found.count++], sizeof found.text[0],
                 "%s takes %s, less than the claimed optimum %s", best->algorithm,
                 duet_cli_finer_time(file->instance, 0, best->makespan, time), claimed);
    }
    // A refuted claim says that the algorithm takes less.
    if (run != NULL &&
        (claim->refuted ? run->makespan >= claim->makespan : run->makespan != claim->makespan)) {
        snprintf(found.text[found.count++], sizeof found.text[0], "%s takes %s, not %s%s",
                 run->algorithm, duet_cli_finer_time(file->instance, 0, run->makespan, time),
                 claim->refuted ? "less than " : "",
                 duet_cli_finer_time(file->instance, 0, claim->makespan, claimed));
    }
    return found;
}
