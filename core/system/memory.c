// SPDX-License-Identifier: Apache-2.0
#include "core/system/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/number/minmax.h"
#include "core/system/allocator.h"
#include "core/system/try.h"

// Says so where it is the limit of the call that leaves none, and not the machine.
static duet_code no_memory(size_t count, size_t size, duet_error *error)
{
    size_t left = duet_memory_left();
    if (left < SIZE_MAX && size > 0 && count > left / size) {
        return duet_error_set(error, DUET_E_MEMORY,
                              "%zu x %zu bytes more do not fit into the %zu MiB of memory that are "
                              "allowed" DUET_MEMORY_RAISE,
                              count, size, duet_meter_limit(duet_source_current().meter) >> 20);
    }
    return duet_error_set(error, DUET_E_MEMORY, "out of memory: %zu x %zu bytes", count, size);
}

// False where the product overflows. A block has at least one byte.
static bool block_bytes(size_t count, size_t size, size_t *bytes)
{
    if (size > 0 && count > SIZE_MAX / size) {
        return false;
    }
    *bytes = count * size > 0 ? count * size : 1;
    return true;
}

void *duet_alloc(size_t count, size_t size, duet_error *error)
{
    size_t bytes;
    void *block = block_bytes(count, size, &bytes) ? duet_block_zeroed(bytes) : NULL;
    if (block == NULL) {
        no_memory(count, size, error);
    }
    return block;
}

void *duet_alloc_raw(size_t count, size_t size, duet_error *error)
{
    return duet_resize(NULL, count, size, error);
}

void *duet_alloc_lines(size_t bytes, duet_error *error)
{
    void *block = duet_block_aligned(bytes);
    if (block == NULL) {
        no_memory(bytes, 1, error);
    }
    return block;
}

void *duet_resize(void *block, size_t count, size_t size, duet_error *error)
{
    size_t bytes;
    void *resized = block_bytes(count, size, &bytes) ? duet_block_resize(block, bytes) : NULL;
    if (resized == NULL) {
        no_memory(count, size, error);
    }
    return resized;
}

void duet_free(void *block)
{
    duet_block_release(block);
}

char *duet_copy_string(const char *text, duet_error *error)
{
    size_t size = strlen(text) + 1;
    char *copy = duet_alloc(size, 1, error);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

// What `ulimit -v` leaves of the address space; SIZE_MAX where it sets no limit.
static size_t address_space_left(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return SIZE_MAX;
    }
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        char line[128];
        pages = fgets(line, sizeof line, file) != NULL ? strtoull(line, NULL, 10) : 0;
        fclose(file);
    }
    long page = sysconf(_SC_PAGESIZE);
    unsigned long long used = pages * (unsigned long long)duet_max(page, 0);
    return used < limit.rlim_cur ? (size_t)(limit.rlim_cur - used) : 0;
}

// What the kernel calls available; page counts are the fallback.
static size_t machine_memory(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    if (file != NULL) {
        char line[128];
        while (fgets(line, sizeof line, file) != NULL) {
            static const char key[] = "MemAvailable:";
            if (strncmp(line, key, sizeof key - 1) == 0) {
                unsigned long long kib = strtoull(line + sizeof key - 1, NULL, 10);
                fclose(file);
                return (size_t)kib * 1024;
            }
        }
        fclose(file);
    }
    long pages = sysconf(_SC_PHYS_PAGES);
    long page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;
}

size_t duet_memory_available(void)
{
    size_t machine = machine_memory();
    size_t left = address_space_left();
    return duet_min(machine, left);
}

size_t duet_memory_limit(size_t limit)
{
    size_t left = duet_memory_left();
    limit = limit > 0 ? limit : duet_memory_available() / 2;
    return duet_min(left, limit);
}

size_t duet_memory_steady(size_t limit)
{
    size_t left = duet_memory_limit(limit);
    size_t step = limit / 16;
    return step > 0 && left >= step ? left - left % step : left;
}

bool duet_memory_for_blas(void)
{
    static const size_t workspace = (size_t)256 << 20; // 128 MiB at most, in the builds we know
    // Address space only: nothing is written. A compiler may leave out an allocation that nobody
    // uses.
    void *volatile memory = malloc(workspace);
    bool had = memory != NULL;
    free(memory);
    return had;
}

// Whether it fits into what is left of the call's limit.
static duet_code check_left(uint64_t count, size_t size, const char *what, duet_error *error)
{
    size_t left = duet_memory_left();
    if (left == SIZE_MAX || size == 0 || count <= left / size) {
        return DUET_OK;
    }
    return duet_error_set(error, DUET_E_LIMIT,
                          "%s: %llu entries of %zu bytes do not fit into what is left, %zu MiB, of "
                          "the %zu MiB of memory that are allowed" DUET_MEMORY_RAISE,
                          what, (unsigned long long)count, size, left >> 20,
                          duet_meter_limit(duet_source_current().meter) >> 20);
}

duet_code duet_memory_check(uint64_t count, size_t size, size_t limit, const char *what,
                            duet_error *error)
{
    static const size_t always_fine = 1 << 20; // asking the system costs more than such a request
    duet_code code = check_left(count, size, what, error);
    if (code != DUET_OK || size == 0 || (limit == 0 && count <= always_fine / size)) {
        return code;
    }
    limit = limit == 0 ? duet_memory_available() / 2 : limit;
    if (count > limit / size) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "%s: %llu entries of %zu bytes do not fit into the %zu MiB of memory",
                              what, (unsigned long long)count, size, limit >> 20);
    }
    return DUET_OK;
}

duet_code duet_memory_begin(duet_memory_scope *scope, size_t limit, duet_error *error)
{
    duet_source source = duet_source_current();
    *scope = (duet_memory_scope){.outer = source.meter};
    if (limit == 0 && source.meter != NULL) {
        return DUET_OK;
    }
    scope->meter = duet_meter_create(limit, source.meter);
    if (scope->meter == NULL) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory for what counts it");
    }
    source.meter = scope->meter;
    duet_source_enter(source);
    return DUET_OK;
}

void duet_memory_end(duet_memory_scope *scope)
{
    if (scope->meter != NULL) {
        duet_source source = duet_source_current();
        source.meter = scope->outer;
        duet_source_enter(source);
        duet_meter_close(scope->meter);
        scope->meter = NULL;
    }
}

void duet_memory_read(size_t bytes)
{
    duet_meter_read(duet_source_current().meter, bytes);
}

size_t duet_memory_left(void)
{
    return duet_meter_left(duet_source_current().meter);
}
