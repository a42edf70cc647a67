// SPDX-License-Identifier: Apache-2.0
// How a certificate is refused. Includes no solver header: this is what an outsider trusts.
#include "check/certificates.h"

duet_code duet_certificate_wrong(duet_error *error, const char *why)
{
    return duet_error_set(error, DUET_E_INPUT, "certificate: %s", why);
}
