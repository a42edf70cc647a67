// SPDX-License-Identifier: Apache-2.0
/// @file
/// Instance families.
#ifndef DUET_GENERATE_H
#define DUET_GENERATE_H

#include <stddef.h>
#include <stdint.h>

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What to generate. Start from DUET_GENERATE_PARAMS_INIT; every 0 or NULL means the default.
typedef struct duet_generate_params {
    size_t struct_size; ///< sizeof(duet_generate_params), so that it can grow
    /// Size: tasks; tiles per side for chol and lu; what its summary says for a worst-case family.
    /// 0: the family's default.
    int64_t size;
    /// Number of processor types. Two are CPUs and GPUs; other numbers are for families that handle
    /// any, such as mixed. 0: the family's own platform, of 20 CPUs and 4 GPUs where it takes any.
    size_t types;
    const int64_t *counts;       ///< processors of each type; -1: the family's own
    uint64_t seed;               ///< of everything random
    const duet_options *options; ///< of the family
} duet_generate_params;

/// Every default.
#define DUET_GENERATE_PARAMS_INIT                                                                  \
    {                                                                                              \
        sizeof(duet_generate_params), 0, 0, NULL, 0, NULL                                          \
    }

/// Makes an instance of `family` (duet_family_entry() lists them) as `params` says (NULL: every
/// default). The same parameters give the same instance on every machine. A worst-case family's
/// instance carries a claim (duet_instance_claim()). On success `*out` is owned by the caller.
/// Errors: DUET_E_USAGE (`params`, unknown family or option, size out of range, a platform that the
/// family cannot have), DUET_E_UNSUPPORTED, DUET_E_LIMIT, DUET_E_MEMORY.
DUET_API duet_code duet_generate(const char *family, const duet_generate_params *params,
                                 duet_instance **out, duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
