// SPDX-License-Identifier: Apache-2.0
// Replaces the pictures in a build without cairo: every call is refused.
#include <duet/report.h>

duet_code duet_write_gantt(const char *path, const duet_instance *instance,
                           const duet_solution *solution, duet_error *error)
{
    (void)instance;
    (void)solution;
    return duet_error_set_at(error, DUET_E_UNSUPPORTED, path, 0, 0,
                             "this build draws no pictures: it was configured with "
                             "-DDUET_WITH_CAIRO=OFF, expected -DDUET_WITH_CAIRO=ON");
}
