// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/random.h"
#include "tests/support/random_instance.h"

enum { SLOTS = 4 };

const char *fuzz_file(int slot, const uint8_t *data, size_t size)
{
    static int descriptor[SLOTS];
    static char path[SLOTS][64];
    fuzz_check(slot >= 0 && slot < SLOTS, "a slot");
    if (descriptor[slot] > 0) {
        close(descriptor[slot]);
    }
    descriptor[slot] = memfd_create("duet-fuzz", 0);
    fuzz_check(descriptor[slot] > 0, "a file in memory");
    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(descriptor[slot], data + done, size - done);
        fuzz_check(wrote > 0, "its bytes");
        done += (size_t)wrote;
    }
    snprintf(path[slot], sizeof path[slot], "/proc/self/fd/%d", descriptor[slot]);
    return path[slot];
}

const char *fuzz_target(int slot)
{
    return fuzz_file(slot, NULL, 0);
}

void fuzz_check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "finding: %s\n", what);
        abort();
    }
}

void fuzz_check_error(duet_code code, const duet_error *error)
{
    fuzz_check((code == DUET_OK) == (error->code == DUET_OK), "an error without its record");
    fuzz_check(code == DUET_OK || error->code == code, "an error with another's code");
    fuzz_check(code == DUET_OK || error->message[0] != '\0', "an error without a message");
    fuzz_check(code != DUET_E_INTERNAL, error->message);
}

uint64_t fuzz_take(fuzz_input *input, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes && input->left > 0; i++) {
        value = value << 8 | *input->at++;
        input->left--;
    }
    return value;
}

int64_t fuzz_between(fuzz_input *input, int64_t low, int64_t high)
{
    uint64_t range = (uint64_t)(high - low) + 1;
    return low + (int64_t)(fuzz_take(input, range <= 256 ? 1 : 8) % range);
}

duet_instance *fuzz_instance(fuzz_input *input)
{
    duet_random random;
    duet_random_seed(&random, fuzz_take(input, 4));
    duet_shape shape = {.min_tasks = 0,
                        .max_tasks = 7,
                        .min_processors = fuzz_between(input, 0, 3) == 0 ? 0 : 1,
                        .max_processors = 3,
                        .types = 2};
    duet_instance *instance = duet_random_instance(&random, &shape);
    fuzz_check(instance != NULL, "an instance");
    return instance;
}

duet_instance *fuzz_chosen_instance(unsigned which)
{
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const char *const ids[] = {"a", "b", "c"};
    static const int64_t counts[] = {2, 1, 1};
    static const int64_t times[2][6] = {{3, 1, 4, DUET_FORBIDDEN, 5, 2}, {30, 7, 11, 45, 20, 20}};
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "x",
                               .decimals = (int)(which & 1),
                               .types = 2,
                               .platform = platform,
                               .kinds = 3,
                               .ids = ids,
                               .counts = counts,
                               .times = times[which & 1]};
    duet_instance *instance;
    fuzz_check(duet_instance_create(&desc, &instance, NULL) == DUET_OK, "an instance");
    return instance;
}
