// SPDX-License-Identifier: Apache-2.0
/// @file
/// The scheduling policy "duet" of StarPU, in libduet_starpu (docs/starpu-plugin.md). Where StarPU
/// loads policies by itself (1.4), STARPU_SCHED_LIB and STARPU_SCHED are enough; where it does not
/// (1.3), the application asks for it:
///
///     struct starpu_conf conf;
///     starpu_conf_init(&conf);
///     conf.sched_policy = duet_starpu_policy();
///     starpu_init(&conf);
#ifndef DUET_STARPU_H
#define DUET_STARPU_H

#include <duet/export.h>

#ifdef __cplusplus
extern "C" {
#endif

struct starpu_sched_policy;

/// The policy, for starpu_conf.sched_policy. The base policy is that of the environment variable
/// DUET_BASE. Belongs to the library. One StarPU at a time may use it.
DUET_API struct starpu_sched_policy *duet_starpu_policy(void);

/// What StarPU 1.4 asks a library of policies for; NULL for a name that is not "duet".
DUET_API struct starpu_sched_policy *starpu_get_sched_lib_policy(const char *name);
/// As above: all policies, ended by NULL.
DUET_API struct starpu_sched_policy **starpu_get_sched_lib_policies(void);

#ifdef __cplusplus
}
#endif

#endif
