// SPDX-License-Identifier: Apache-2.0
/// @file
/// Instance families.
#ifndef DUET_GENERATE_H
#define DUET_GENERATE_H

#include <duet/error.h>
#include <duet/export.h>
#include <duet/instance.h>
#include <duet/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes an instance of `family` (duet_family_entry() lists them) of size `n` (tasks; tiles per
/// side for chol and lu; what its summary says for a worst-case family; 0: the family's default) on
/// `cpus` + `gpus` processors (-1: the family's own, 20 and 4 where it takes any). The same
/// arguments give the same instance on every machine. A worst-case family's instance carries a
/// claim (duet_instance_claim()). On success `*out` is owned by the caller. Errors: DUET_E_USAGE
/// (unknown family or option, size out of range, a platform that the family cannot have),
/// DUET_E_UNSUPPORTED, DUET_E_LIMIT, DUET_E_MEMORY.
DUET_API duet_code duet_generate(const char *family, int64_t n, int64_t cpus, int64_t gpus,
                                 uint64_t seed, const duet_options *options, duet_instance **out,
                                 duet_error *error);

/// As duet_generate() on a platform of `types` processor types, with `counts[t]` processors of type
/// `t` (-1: the family's own). Two types are CPUs and GPUs; other numbers are for families that
/// handle any, such as mixed. `types` = 0: the family's own platform, `counts` is not read.
DUET_API duet_code duet_generate_on(const char *family, int64_t n, size_t types,
                                    const int64_t *counts, uint64_t seed,
                                    const duet_options *options, duet_instance **out,
                                    duet_error *error);

#ifdef __cplusplus
}
#endif

#endif
