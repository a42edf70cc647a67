// SPDX-License-Identifier: Apache-2.0
// How a certificate is refused.
#ifndef DUET_CHECK_REFUSAL_H
#define DUET_CHECK_REFUSAL_H

#include <duet/error.h>

// DUET_E_INPUT: a certificate does not hold, and why.
duet_code duet_certificate_wrong(duet_error *error, const char *why);

#endif
