// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/failing.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

// Several threads allocate at once in some of the calls.
static _Atomic int64_t failing_turn;
static _Atomic bool failing_lasts;
static _Atomic int64_t taken;
static _Atomic int64_t live;
static _Atomic bool reached;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
char *__real_strdup(const char *text);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);
char *__wrap_strdup(const char *text);

void failing_arm(int64_t turn, bool lasting)
{
    failing_lasts = lasting;
    reached = false;
    taken = 0;
    failing_turn = turn;
}

bool failing_disarm(void)
{
    failing_turn = 0;
    return reached;
}

int64_t failing_live(void)
{
    return live;
}

static bool fails(void)
{
    int64_t turn = ++taken;
    int64_t first = failing_turn;
    if (first == 0 || (failing_lasts ? turn < first : turn != first)) {
        return false;
    }
    reached = true;
    errno = ENOMEM;
    return true;
}

static void *counted(void *memory)
{
    live += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails()) {
        return NULL;
    }
    void *memory = __real_realloc(old, size);
    live += old == NULL && memory != NULL;
    return memory;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *text)
{
    char *copy = fails() ? NULL : __real_strdup(text);
    live += copy != NULL;
    return copy;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}
