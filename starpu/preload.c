// SPDX-License-Identifier: Apache-2.0
// STARPU_SCHED=duet for applications as they are, where StarPU loads no policies (1.3): preloaded,
// or linked before StarPU, this starpu_init() comes first.
#include <duet/starpu.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <starpu.h>

static bool is_wanted(const struct starpu_conf *conf)
{
    const char *name = getenv("STARPU_SCHED");
    name = name == NULL && conf != NULL ? conf->sched_policy_name : name;
    return name != NULL && strcmp(name, "duet") == 0 &&
           (conf == NULL || conf->sched_policy == NULL);
}

DUET_API int starpu_init(struct starpu_conf *conf)
{
    int (*next)(struct starpu_conf *) = NULL;
    void *symbol = dlsym(RTLD_NEXT, "starpu_init");
    memcpy(&next, &symbol, sizeof next); // ISO C has no cast from a pointer to a function's
    struct starpu_conf own;
    if (next == NULL) {
        return -1;
    }
    if (!is_wanted(conf)) {
        return next(conf);
    }
    if (conf == NULL) {
        starpu_conf_init(&own);
    } else {
        own = *conf;
    }
    own.sched_policy = duet_starpu_policy();
    // StarPU looks for a policy of that name first, and complains that it has none.
    own.sched_policy_name = NULL;
    unsetenv("STARPU_SCHED");
    int result = next(&own);
    setenv("STARPU_SCHED", "duet", 1);
    return result;
}
