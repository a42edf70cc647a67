// SPDX-License-Identifier: Apache-2.0
// A certificate, checked as part of a larger check.
#ifndef DUET_CHECK_CERTIFICATE_H
#define DUET_CHECK_CERTIFICATE_H

#include "check/limits.h"
#include "core/solution/certificate.h"

// The bytes of a certificate that grow with it; the rest is small.
size_t duet_certificate_size(const duet_certificate *certificate);

// duet_certificate_check() under a watch, whose context has a limit of memory.
duet_code duet_certificate_check_watched(const duet_certificate *certificate,
                                         const duet_instance *instance, duet_watch *watch,
                                         duet_error *error);

#endif
