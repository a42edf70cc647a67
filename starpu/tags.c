// SPDX-License-Identifier: Apache-2.0
#include "starpu/tags.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <duet/export.h>

#include "starpu/jobs.h"

// Nothing is called while it is held. Declared before StarPU begins, so not a StarPU mutex.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static duet_starpu_tag_edge *edge;
static size_t count;
static size_t room;

DUET_API void starpu_tag_declare_deps_array(starpu_tag_t id, unsigned ndeps, starpu_tag_t *array)
{
    pthread_mutex_lock(&mutex);
    for (unsigned i = 0; i < ndeps && duet_starpu_grow(&edge, count, &room, sizeof *edge); i++) {
        edge[count++] = (duet_starpu_tag_edge){array[i], id};
    }
    pthread_mutex_unlock(&mutex);
    void (*next)(starpu_tag_t, unsigned, starpu_tag_t *) = NULL;
    void *symbol = dlsym(RTLD_NEXT, "starpu_tag_declare_deps_array");
    memcpy(&next, &symbol, sizeof next); // ISO C has no cast from a pointer to a function's
    if (next != NULL) {
        next(id, ndeps, array);
    }
}

DUET_API void starpu_tag_declare_deps(starpu_tag_t id, unsigned ndeps, ...)
{
    starpu_tag_t *tags = calloc(ndeps + 1, sizeof *tags);
    if (tags == NULL) {
        abort(); // a dependency that is lost would make results wrong
    }
    va_list arguments;
    va_start(arguments, ndeps);
    for (unsigned i = 0; i < ndeps; i++) {
        tags[i] = va_arg(arguments, starpu_tag_t);
    }
    va_end(arguments);
    starpu_tag_declare_deps_array(id, ndeps, tags);
    free(tags);
}

void duet_starpu_tags_visit(void (*visit)(void *user, duet_starpu_tag_edge edge), void *user)
{
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < count; i++) {
        visit(user, edge[i]);
    }
    pthread_mutex_unlock(&mutex);
}

void duet_starpu_tags_done(starpu_tag_t tag)
{
    pthread_mutex_lock(&mutex);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (edge[i].after != tag) {
            edge[kept++] = edge[i];
        }
    }
    count = kept;
    pthread_mutex_unlock(&mutex);
}

void duet_starpu_tags_free(void)
{
    pthread_mutex_lock(&mutex);
    free(edge);
    edge = NULL;
    count = 0;
    room = 0;
    pthread_mutex_unlock(&mutex);
}
