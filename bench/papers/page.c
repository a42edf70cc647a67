// SPDX-License-Identifier: Apache-2.0
// Parts of the page that `duet bench papers` writes.
#include "bench/papers/papers.h"

#include <inttypes.h>
#include <string.h>

#include "console/print.h"

void duet_paper_write_list(const char *option, const int64_t *list, size_t count, FILE *stream)
{
    for (size_t i = 0; i < count; i++) {
        duet_cli_print(stream, "%s%" PRId64, i == 0 ? option : ",", list[i]);
    }
}

void duet_paper_write_chart(const duet_paper_page *page, const char *what, const char *title)
{
    if (page->drawing == NULL) {
        return;
    }
    const char *prefix = page->drawing->prefix;
    const char *slash = strrchr(page->path, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - page->path) + 1;
    bool inside = folder > 0 && strncmp(page->path, prefix, folder) == 0;
    duet_cli_print(page->stream, "\n![%s](%s-%s.%s)\n", title, inside ? prefix + folder : prefix,
                   what, page->drawing->ending);
}
