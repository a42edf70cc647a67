// SPDX-License-Identifier: Apache-2.0
// Text in UTF-16 behind a byte order mark, as spreadsheets export "Unicode text", which becomes
// UTF-8. Unlike what is packed it takes no library.
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/packed/packed.h"

enum { ROOM = 4 }; // bytes of the longest character in UTF-8

typedef struct utf16 {
    int high_at;   // place of the higher byte in a unit
    int bytes;     // of a unit that have come
    uint32_t unit; // made of them
    uint32_t lead; // first half of a pair; 0: there is none
} utf16;

static duet_code open_as(int high_at, void **state, duet_error *error)
{
    utf16 *text = duet_alloc(1, sizeof *text, error);
    DUET_NEED(text);
    text->high_at = high_at;
    *state = text;
    return DUET_OK;
}

static duet_code open_little(void **state, size_t memory, duet_error *error)
{
    (void)memory;
    return open_as(1, state, error);
}

static duet_code open_big(void **state, size_t memory, duet_error *error)
{
    (void)memory;
    return open_as(0, state, error);
}

static void put(duet_packed_step *step, uint32_t value)
{
    *step->out++ = (unsigned char)value;
    step->out_left--;
}

// A character in UTF-8.
static void put_character(duet_packed_step *step, uint32_t c)
{
    if (c < 0x80) {
        put(step, c);
        return;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint32_t first[] = {0, 0xC0, 0xE0, 0xF0};
    put(step, first[more] | c >> (6 * more));
    while (more-- > 0) {
        put(step, 0x80 | (c >> (6 * more) & 0x3F));
    }
}

// A whole unit. False: it is half a pair alone.
static bool take_unit(utf16 *text, duet_packed_step *step)
{
    uint32_t unit = text->unit;
    bool leads = unit >= 0xD800 && unit < 0xDC00;
    bool trails = unit >= 0xDC00 && unit < 0xE000;
    if (trails != (text->lead != 0)) {
        return false;
    }
    if (!leads) {
        put_character(step,
                      trails ? 0x10000 + ((text->lead - 0xD800) << 10) + (unit - 0xDC00) : unit);
    }
    text->lead = leads ? unit : 0;
    return true;
}

static duet_packed_state take(void *state, duet_packed_step *step)
{
    utf16 *text = state;
    while (step->in_left > 0 && step->out_left >= ROOM) {
        uint32_t byte = *step->in++;
        step->in_left--;
        text->unit |= text->bytes == text->high_at ? byte << 8 : byte;
        if (++text->bytes == 2) {
            if (!take_unit(text, step)) {
                return DUET_PACKED_DAMAGED;
            }
            text->bytes = 0;
            text->unit = 0;
        }
    }
    bool whole = step->last && step->in_left == 0 && text->bytes == 0 && text->lead == 0;
    return whole ? DUET_PACKED_END : DUET_PACKED_MORE;
}

static void close_text(void *state)
{
    duet_free(state);
}

static const unsigned char little_mark[] = {0xFF, 0xFE};
static const unsigned char big_mark[] = {0xFE, 0xFF};
const duet_packed_form duet_packed_utf16_little = {
    "UTF-16", NULL, NULL, little_mark, sizeof little_mark, open_little, take, close_text};
const duet_packed_form duet_packed_utf16_big = {"UTF-16",        NULL,     NULL, big_mark,
                                                sizeof big_mark, open_big, take, close_text};
