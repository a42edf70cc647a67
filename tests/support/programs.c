// SPDX-License-Identifier: Apache-2.0
// One program of many tests: it is told which to run. The build lists them in programs.inc, and has
// renamed the main() of each (tests/CMakeLists.txt).
#include <stdio.h>
#include <string.h>

#define PROGRAM(name) int main_of_##name(void);
#include "programs.inc"
#undef PROGRAM

typedef struct test_program {
    const char *name;
    int (*run)(void);
} test_program;

#define PROGRAM(name) {#name, main_of_##name},
static const test_program programs[] = {
#include "programs.inc"
};
#undef PROGRAM

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(argv[1], programs[i].name) == 0) {
            return programs[i].run();
        }
    }
    fprintf(stderr, "usage: %s NAME, one of:", argv[0]);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        fprintf(stderr, " %s", programs[i].name);
    }
    fprintf(stderr, "\n");
    return 2;
}
