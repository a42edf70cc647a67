// SPDX-License-Identifier: Apache-2.0
// What the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput(): built with
// Clang's libFuzzer it searches, built with replay.c it runs the kept inputs as a test.
#ifndef DUET_TESTS_FUZZ_FUZZ_H
#define DUET_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <duet/duet.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A file in memory with these bytes; its path stays good until the next call with the same `slot`
// (0 .. 3).
const char *fuzz_file(int slot, const uint8_t *data, size_t size);
// An empty one to write to.
const char *fuzz_target(int slot);

// Ends the program with a message where `holds` is false: a finding.
void fuzz_check(bool holds, const char *what);
// An error must name its code and say something.
void fuzz_check_error(duet_code code, const duet_error *error);

// Takes numbers off the front of an input; zeros when it is used up.
typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;
uint64_t fuzz_take(fuzz_input *input, int bytes);
int64_t fuzz_between(fuzz_input *input, int64_t low, int64_t high);
// A small instance of two types, drawn from the input. Owned by the caller.
duet_instance *fuzz_instance(fuzz_input *input);
// The same of one to five types where the input begins with a byte from 0xf0 on.
duet_instance *fuzz_typed_instance(fuzz_input *input);
// One of up to some twenty tasks of two types, and its optimum. The first bytes of the input are
// left for other choices. Owned by the caller.
duet_instance *fuzz_larger_instance(fuzz_input *input, fuzz_input *choices, int64_t *optimum);
// A length around the optimum, at least 1: there, one or two off, and some per cent.
int64_t fuzz_length(fuzz_input *input, int64_t optimum);
// A memory limit: mostly enough, else less than FUZZ_TIGHT_MEMORY.
enum { FUZZ_TIGHT_MEMORY = 1 << 20 };
size_t fuzz_memory(fuzz_input *input);
// One of two fixed instances, by the lowest bit; or, from 0x80 on, one of moldable tasks with edges
// and data, by the lowest bit with tables on CPUs and GPUs or with laws alone, and these by the
// next one with mixed sets: what a solution is read for.
duet_instance *fuzz_chosen_instance(unsigned which);

#endif
