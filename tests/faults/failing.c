// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/failing.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
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

int64_t failing_taken(void)
{
    return taken;
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

static _Atomic int64_t other_live;
static int other_user;

static void *other_counted(const void *user, void *memory)
{
    if (user != &other_user) {
        abort();
    }
    other_live += memory != NULL;
    return memory;
}

// What it gives out is full of noise: nobody may take it for zeros.
static void *other_allocate(void *user, size_t bytes)
{
    void *memory = other_counted(user, __real_malloc(bytes));
    return memory == NULL ? NULL : memset(memory, 0xa5, bytes);
}

// Always elsewhere, so that who keeps the old address is found out.
static void *other_resize(void *user, void *block, size_t bytes)
{
    void *memory = other_allocate(user, bytes);
    if (memory != NULL) {
        size_t had = malloc_usable_size(block);
        memcpy(memory, block, had < bytes ? had : bytes);
        other_live--;
        __real_free(block);
    }
    return memory;
}

static void other_release(void *user, void *block)
{
    if (user != &other_user || block == NULL) {
        abort();
    }
    other_live--;
    __real_free(block);
}

const duet_allocator failing_other = {.struct_size = sizeof(duet_allocator),
                                      .allocate = other_allocate,
                                      .resize = other_resize,
                                      .release = other_release,
                                      .user = &other_user};

int64_t failing_other_live(void)
{
    return other_live;
}
