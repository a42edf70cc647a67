// SPDX-License-Identifier: Apache-2.0
// Dependencies between tags, which StarPU tells nobody: libduet_starpu has functions of the names
// of StarPU's that declare them. They write down what they are told and call StarPU's. This works
// where the library is linked before StarPU or preloaded; where StarPU itself loads it, tags stay
// unknown, and the plan takes their tasks for independent ones.
#ifndef DUET_STARPU_TAGS_H
#define DUET_STARPU_TAGS_H

#include <starpu.h>

typedef struct duet_starpu_tag_edge {
    starpu_tag_t before;
    starpu_tag_t after;
} duet_starpu_tag_edge;

// Calls `visit` for every dependency that was declared and whose later tag is not over.
void duet_starpu_tags_visit(void (*visit)(void *user, duet_starpu_tag_edge edge), void *user);
// The task of a tag has run.
void duet_starpu_tags_done(starpu_tag_t tag);
void duet_starpu_tags_free(void);

#endif
