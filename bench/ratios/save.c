// SPDX-License-Identifier: Apache-2.0
// The worst instance of every algorithm as FOLDER/ALGORITHM-INSTANCE-M-K.json; likewise the first
// on which it exceeds its ratio, refutes a published one, or is at fault; and the first on which
// the reference is.
#include <inttypes.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "core/system/try.h"

static duet_code save(const duet_ratios *ratios, const char *folder, const char *who, size_t job,
                      duet_error *error)
{
    char name[DUET_RATIOS_NAME];
    char path[2 * DUET_RATIOS_NAME + 4096];
    duet_instance *instance = NULL;
    DUET_TRY(duet_ratios_instance(ratios, job, &instance, error));
    const char *slash = strrchr(duet_ratios_name(ratios, job, name), '/');
    int length = snprintf(path, sizeof path, "%s/%s-%s-%" PRId64 "-%" PRId64 ".json", folder, who,
                          slash == NULL ? name : slash + 1, duet_instance_type_count(instance, 0),
                          duet_instance_type_count(instance, 1));
    duet_code code =
        length > 0 && (size_t)length < sizeof path
            ? duet_write_instance(path, "json", instance, error)
            : duet_error_set(error, DUET_E_OUTPUT, "%.200s: the name is too long", folder);
    duet_instance_free(instance);
    return code;
}

duet_code duet_ratios_save(const duet_ratios *ratios, const char *folder, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t a = 0; a < ratios->settings.algorithm_count && code == DUET_OK; a++) {
        duet_ratios_figures f;
        code = duet_ratios_figures_of(ratios, a, NULL, NULL, &f, error);
        char who[DUET_RATIOS_LABEL];
        char *blank = strchr(duet_ratios_label(&ratios->settings, a, who), ' ');
        if (blank != NULL) {
            *blank = '-';
        }
        if (code == DUET_OK && f.seen.worst.den > 0) {
            code = save(ratios, folder, who, f.seen.worst_job, error);
        }
        for (int c = 0; c < DUET_RATIOS_FAILURES && code == DUET_OK; c++) {
            bool reference = c == DUET_RATIOS_UNREFERRED; // the same for all algorithms
            if (f.seen.failures[c].count > 0 && (!reference || a == 0)) {
                code = save(ratios, folder, reference ? "reference" : who, f.seen.failures[c].job,
                            error);
            }
        }
    }
    return code;
}
