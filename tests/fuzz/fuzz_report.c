// SPDX-License-Identifier: Apache-2.0
// Tables of results: any bytes give runs or an error, and of runs a page can be made.
#include <stdio.h>

#include "cli/report/report.h"
#include "report/page/page.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    duet_results results = {0};
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_cli_read_results(fuzz_file(0, data, size), true, &results, &error);
    fuzz_check_error(code, &error);
    if (code == DUET_OK && duet_results_settle(&results, &error) == DUET_OK) {
        duet_page page = {.title = "fuzz", .results = &results};
        FILE *stream = fopen(fuzz_target(1), "wb");
        fuzz_check(stream != NULL, "a file to write");
        code = duet_page_write(stream, &page, &error);
        fuzz_check_error(code, &error);
        fuzz_check(fclose(stream) == 0, "a page that was written");
    }
    duet_results_free(&results);
    return 0;
}
