// SPDX-License-Identifier: Apache-2.0
// The backend of a build without a solver: says so.
#include "lp/lp_model.h"

duet_code duet_lp_backend_check(duet_error *error)
{
    return duet_error_set(error, DUET_E_UNSUPPORTED,
                          "this build has no linear programming solver: configure with "
                          "-DDUET_WITH_GLPK=ON");
}

duet_code duet_lp_backend_solve(duet_lp *lp, bool exact, const duet_context *context,
                                duet_error *error)
{
    (void)lp;
    (void)exact;
    (void)context;
    return duet_lp_backend_check(error);
}

duet_code duet_lp_backend_integer(duet_lp *lp, duet_lp_visit *visit, void *user,
                                  const duet_context *context, duet_error *error)
{
    (void)lp;
    (void)visit;
    (void)user;
    (void)context;
    return duet_lp_backend_check(error);
}
