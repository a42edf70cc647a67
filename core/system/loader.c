// SPDX-License-Identifier: Apache-2.0
#include "core/system/loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// What the loader of the GNU C library says where there is no address space left; it sets no errno.
static bool is_memory(const char *words)
{
    static const char *const said[] = {"failed to map segment", "cannot map zero-fill pages",
                                       "cannot allocate", "Cannot allocate memory"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        if (strstr(words, said[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static void tell_why(duet_loader_fault *fault)
{
    const char *words = dlerror();
    snprintf(fault->text, sizeof fault->text, "%s", words == NULL ? "no reason is known" : words);
    fault->memory = is_memory(fault->text);
}

void *duet_loader_open(const char *file, duet_loader_fault *fault)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        tell_why(fault);
    }
    return library;
}

bool duet_loader_find(void *library, const char *name, void *to)
{
    void *symbol = dlsym(library, name);
    memcpy(to, &symbol, sizeof symbol); // what ISO C has no cast for
    return symbol != NULL;
}

bool duet_loader_find_all(void *library, const duet_loader_symbols *symbols, void *functions,
                          duet_loader_fault *fault)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const duet_loader_symbol *symbol = &symbols->symbol[i];
        char name[80];
        snprintf(name, sizeof name, "%s%s%s", symbols->before, symbol->name, symbols->after);
        if (!duet_loader_find(library, name, (char *)functions + symbol->offset)) {
            tell_why(fault);
            return false;
        }
    }
    return true;
}
