// SPDX-License-Identifier: Apache-2.0
// The best of all bounds in little time: the yardstick of compare and show.
#include "cli/commands.h"

#include "console/registry_text.h"
#include "core/number/minmax.h"
#include "core/system/context.h"

// The bounds are a yardstick, not what is looked for: the configuration bound alone takes most of a
// minute where some hundred tasks are all distinct.
static const double bound_seconds = 1.0;

bool duet_cli_may_skip(duet_code code)
{
    return code == DUET_E_UNSUPPORTED || code == DUET_E_LIMIT || code == DUET_E_MEMORY ||
           code == DUET_E_CANCELLED || code == DUET_E_USAGE;
}

duet_code duet_cli_best_bound(const duet_instance *instance, const duet_params *given,
                              int64_t deadline_ns,
                              void (*take)(void *user, const duet_bound *bound), void *user,
                              duet_error *error)
{
    duet_params params = *given;
    params.options = NULL;
    double most = params.time_limit > 0 && params.time_limit < bound_seconds ? params.time_limit
                                                                             : bound_seconds;
    for (size_t i = 0; i < duet_bound_count(); i++) {
        double left = (double)(deadline_ns - duet_clock_ns()) * 1e-9;
        if (left <= 0 || !duet_bound_applies(duet_bound_entry(i), instance)) {
            continue;
        }
        params.time_limit = duet_min(left, most);
        duet_bound *bound;
        duet_error why = DUET_ERROR_INIT;
        duet_code code =
            duet_compute_bound(instance, duet_bound_entry(i)->name, &params, &bound, &why);
        if (code == DUET_OK) {
            take(user, bound);
            duet_bound_free(bound);
        } else if (!duet_cli_may_skip(code)) {
            *error = why;
            return code;
        }
    }
    return DUET_OK;
}
