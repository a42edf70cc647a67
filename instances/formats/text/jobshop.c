// SPDX-License-Identifier: Apache-2.0
// Job shops as text: the number of jobs and that of machines, then a line for each job. In a job
// shop (JSPLIB) a line has a machine, from 0, and a time for each operation. In a flexible one
// (FJSPLIB) it has the number of operations, and for each of these the number of machines that can
// run it with as many pairs of a machine, from 1, and a time; the first line may have a third
// number, the mean of those.
//
// An operation is a task, which waits for the one before it in its job. A machine is a processor
// type with one processor.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/system/try.h"
#include "instances/formats/formats.h"
#include "instances/formats/text/words.h"

typedef struct shop {
    duet_words words;
    duet_input *input;
    duet_builder *builder;
    duet_error *error;
    bool flexible;
    int64_t jobs, machines;
} shop;

static duet_code fail(const shop *s, const char *what)
{
    return duet_error_set_at(s->error, DUET_E_INPUT, s->input->name, s->input->line,
                             s->words.column, "%s", what);
}

static duet_code next_whole(shop *s, int64_t least, int64_t most, const char *what, int64_t *value)
{
    duet_code code = duet_words_next(&s->words);
    return code != DUET_OK || duet_words_whole(&s->words, least, most, value) ? code
                                                                              : fail(s, what);
}

// A machine, from `least` on, and the time on it.
static duet_code read_pair(shop *s, int64_t least, duet_read_time *times)
{
    int64_t machine = 0;
    DUET_TRY(next_whole(s, least, s->machines - 1 + least,
                        "expected a machine, one of those that the first line counts", &machine));
    DUET_TRY(duet_words_next(&s->words));
    if (s->words.length == 0) {
        return fail(s, "the line ends behind a machine; expected the time on it");
    }
    return duet_read_time_text(s->words.text, s->words.length,
                               (duet_place){s->input->name, s->input->line, s->words.column},
                               &times[machine - least], s->error);
}

static duet_code read_operation(shop *s, int64_t job, int64_t number)
{
    duet_read_time times[DUET_MAX_TYPES];
    int64_t choices = 1;
    char id[48];
    for (int64_t t = 0; t < s->machines; t++) {
        times[t] = (duet_read_time){.forbidden = true};
    }
    duet_code code = s->flexible
                         ? next_whole(s, 1, s->machines,
                                      "expected how many machines can run the operation", &choices)
                         : DUET_OK;
    for (int64_t i = 0; i < choices && code == DUET_OK; i++) {
        code = read_pair(s, s->flexible ? 1 : 0, times);
    }
    int length = snprintf(id, sizeof id, "j%" PRId64 ".%" PRId64, job + 1, number + 1);
    const duet_read_kind kind = {.id = id,
                                 .id_length = (size_t)length,
                                 .count = 1,
                                 .times = times,
                                 .time_count = (size_t)s->machines,
                                 .line = s->input->line};
    int64_t task = duet_builder_tasks(s->builder);
    DUET_THEN(code, duet_builder_add_kind(s->builder, &kind, s->error));
    if (code == DUET_OK && number > 0) {
        const duet_read_edge edge = {
            .from = {.task = task - 1}, .to = {.task = task}, .line = s->input->line};
        code = duet_builder_add_edge(s->builder, &edge, s->error);
    }
    return code;
}

static duet_code read_job(shop *s, int64_t job)
{
    int64_t operations = s->machines;
    duet_words_skip_lines(&s->words);
    duet_code code = s->flexible
                         ? next_whole(s, 0, DUET_MAX_GRAPH,
                                      "expected how many operations the job has", &operations)
                         : DUET_OK;
    for (int64_t i = 0; i < operations && code == DUET_OK; i++) {
        code = read_operation(s, job, i);
    }
    DUET_THEN(code, duet_words_next(&s->words));
    return code == DUET_OK && s->words.length > 0
               ? fail(s, "more numbers than the job has operations; expected the end of the line")
               : code;
}

static duet_code read_sizes(shop *s)
{
    duet_words_skip_lines(&s->words);
    DUET_TRY(
        next_whole(s, 1, DUET_MAX_GRAPH, "expected the number of jobs, a whole number", &s->jobs));
    DUET_TRY(
        next_whole(s, 1, DUET_MAX_TYPES, "expected the number of machines, 1 to 64", &s->machines));
    while (s->words.length > 0) {
        DUET_TRY(duet_words_next(&s->words)); // the mean number of choices says nothing more
    }
    for (int64_t t = 0; t < s->machines; t++) {
        char name[32];
        snprintf(name, sizeof name, "m%" PRId64, t + 1);
        DUET_TRY(duet_builder_add_type(s->builder, name, 1, s->input->line, 0, s->error));
    }
    return DUET_OK;
}

static duet_code read_shop(duet_input *input, duet_builder *builder, bool flexible,
                           duet_error *error)
{
    shop s = {.words = {.input = input, .error = error, .comments = true},
              .input = input,
              .builder = builder,
              .error = error,
              .flexible = flexible};
    DUET_TRY(read_sizes(&s));
    for (int64_t job = 0; job < s.jobs; job++) {
        DUET_TRY(read_job(&s, job));
    }
    duet_words_skip_lines(&s.words);
    return duet_input_peek(input) >= 0
               ? fail(&s, "more lines than jobs; expected the end of the file")
               : duet_input_check(input, error);
}

duet_code duet_read_instance_jobshop(duet_input *input, duet_builder *builder, duet_error *error)
{
    return read_shop(input, builder, false, error);
}

duet_code duet_read_instance_flexible(duet_input *input, duet_builder *builder, duet_error *error)
{
    return read_shop(input, builder, true, error);
}

// --- recognising ---------------------------------------------------------------------------------

enum { MOST_NUMBERS = 4096 };

// The numbers of the line at *at, which moves behind it. 0: there are none, too many, or other
// words; a number with a point counts as -1.
static size_t read_numbers(const unsigned char *text, size_t length, size_t *at, int64_t *numbers)
{
    size_t count = 0;
    while (*at < length && (duet_is_blank(text[*at]) || text[*at] == '\n')) {
        ++*at;
    }
    while (*at < length && text[*at] != '\n') {
        int64_t number = 0;
        size_t start = *at;
        for (; *at < length && ((text[*at] >= '0' && text[*at] <= '9') || text[*at] == '.');
             ++*at) {
            bool point = number < 0 || text[*at] == '.';
            number = point ? -1 : number < INT32_MAX ? 10 * number + (text[*at] - '0') : number;
        }
        if (*at == start || count == MOST_NUMBERS) {
            return 0;
        }
        numbers[count++] = number;
        while (*at < length && duet_is_blank(text[*at])) {
            ++*at;
        }
    }
    return count;
}

// Whether the line is one of a flexible job shop with `machines` machines.
static bool is_flexible(const int64_t *numbers, size_t count, int64_t machines)
{
    size_t at = 1;
    int64_t operations = count == 0 ? -1 : numbers[0];
    for (int64_t i = 0; i < operations; i++) {
        int64_t choices = at < count ? numbers[at++] : -1;
        if (choices < 1 || choices > machines) {
            return false;
        }
        for (int64_t c = 0; c < choices; c++, at += 2) {
            if (at + 1 >= count || numbers[at] < 1 || numbers[at] > machines) {
                return false;
            }
        }
    }
    return operations > 0 && at == count;
}

static bool is_plain(const int64_t *numbers, size_t count, int64_t machines)
{
    bool good = count == 2 * (size_t)machines;
    for (size_t i = 0; i < count && good; i += 2) {
        good = numbers[i] >= 0 && numbers[i] < machines;
    }
    return good;
}

bool duet_jobshop_begins(const unsigned char *text, size_t length, bool flexible)
{
    int64_t numbers[MOST_NUMBERS];
    size_t at = 0;
    size_t count = read_numbers(text, length, &at, numbers);
    int64_t jobs = count > 0 ? numbers[0] : 0;
    int64_t machines = count > 1 ? numbers[1] : 0;
    if (count < 2 || count > (flexible ? 3U : 2U) || jobs < 1 || machines < 1 ||
        machines > DUET_MAX_TYPES) {
        return false;
    }
    int64_t lines = 0;
    for (; at < length; lines++) {
        size_t before = at;
        count = read_numbers(text, length, &at, numbers);
        if (count == 0 && at >= length && before + 4 > at) {
            break; // line breaks at the end
        }
        if (at >= length && length >= DUET_INPUT_LINE) {
            return lines > 0; // the last line that is seen may be cut
        }
        if (!(flexible ? is_flexible(numbers, count, machines)
                       : is_plain(numbers, count, machines))) {
            return false;
        }
    }
    return lines == jobs;
}
