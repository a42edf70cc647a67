// SPDX-License-Identifier: Apache-2.0
// The heaps of core/heap.h against a sorted array, and their layout against the textbook's swaps;
// the sets of core/seen.h and core/least_set.h against lists of all, and sorts of numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/heap.h"
#include "core/least_set.h"
#include "core/number/random.h"
#include "core/number/sort.h"
#include "core/seen.h"

enum { SEQUENCES = 5000, STEPS = 200, MOST = STEPS + 1 };

typedef struct item {
    int64_t key;
    int64_t id; // tells items of the same key apart
} item;

// Smallest key first; items of the same key are alike.
static bool smaller(const void *none, item a, item b)
{
    (void)none;
    return a.key < b.key;
}

DUET_HEAP(items, item, void, smaller)

// An order that looks its keys up.
static bool longer(const int64_t *length, size_t a, size_t b)
{
    return length[a] != length[b] ? length[a] > length[b] : a < b;
}

DUET_HEAP(lengths, size_t, int64_t, longer)

// The textbook's heap: neighbours are exchanged one by one.
typedef struct textbook {
    item at[MOST];
    size_t count;
} textbook;

static void exchange(textbook *book, size_t a, size_t b)
{
    item kept = book->at[a];
    book->at[a] = book->at[b];
    book->at[b] = kept;
}

static void book_down(textbook *book, size_t at)
{
    for (;;) {
        size_t left = 2 * at + 1;
        size_t right = left + 1;
        if (left >= book->count) {
            return;
        }
        size_t child =
            right < book->count && book->at[right].key < book->at[left].key ? right : left;
        if (book->at[child].key >= book->at[at].key) {
            return;
        }
        exchange(book, at, child);
        at = child;
    }
}

static void book_push(textbook *book, item added)
{
    size_t at = book->count++;
    book->at[at] = added;
    for (; at > 0 && book->at[at].key < book->at[(at - 1) / 2].key; at = (at - 1) / 2) {
        exchange(book, at, (at - 1) / 2);
    }
}

static void book_replace(textbook *book, item replacement)
{
    book->at[0] = replacement;
    book_down(book, 0);
}

static void book_pop(textbook *book)
{
    book->at[0] = book->at[--book->count];
    book_down(book, 0);
}

// The reference: keys in increasing order.
typedef struct sorted {
    int64_t key[MOST];
    size_t count;
} sorted;

static void insert(sorted *s, int64_t key)
{
    size_t at = s->count++;
    for (; at > 0 && s->key[at - 1] > key; at--) {
        s->key[at] = s->key[at - 1];
    }
    s->key[at] = key;
}

static void remove_key(sorted *s, int64_t key)
{
    size_t at = 0;
    while (s->key[at] != key) {
        at++;
    }
    s->count--;
    memmove(&s->key[at], &s->key[at + 1], (s->count - at) * sizeof *s->key);
}

typedef struct trial {
    item heap[MOST];
    size_t count;
    textbook book;
    sorted reference;
    duet_random random;
    int64_t largest_key;
    int64_t ids;
} trial;

static item draw(trial *t)
{
    return (item){duet_random_between(&t->random, 0, t->largest_key), t->ids++};
}

static void grow(trial *t)
{
    item added = draw(t);
    items_push(NULL, t->heap, &t->count, added);
    book_push(&t->book, added);
    insert(&t->reference, added.key);
}

static void take(trial *t)
{
    item top = items_pop(NULL, t->heap, &t->count);
    assert_int_equal(top.key, t->reference.key[0]);
    assert_int_equal(top.id, t->book.at[0].id);
    book_pop(&t->book);
    remove_key(&t->reference, top.key);
}

static void replace(trial *t)
{
    item replacement = draw(t);
    remove_key(&t->reference, t->heap[0].key);
    insert(&t->reference, replacement.key);
    items_replace_top(NULL, t->heap, t->count, replacement);
    book_replace(&t->book, replacement);
}

// An entry anywhere gets a larger key.
static void raise_key(trial *t)
{
    size_t at = (size_t)duet_random_between(&t->random, 0, (int64_t)t->count - 1);
    remove_key(&t->reference, t->heap[at].key);
    t->heap[at].key += duet_random_between(&t->random, 0, t->largest_key);
    t->book.at[at] = t->heap[at];
    insert(&t->reference, t->heap[at].key);
    items_sift_down(NULL, t->heap, t->count, at);
    book_down(&t->book, at);
}

// All entries get new keys.
static void redraw(trial *t)
{
    t->reference.count = 0;
    for (size_t i = 0; i < t->count; i++) {
        t->heap[i] = draw(t);
        t->book.at[i] = t->heap[i];
        insert(&t->reference, t->heap[i].key);
    }
    items_heapify(NULL, t->heap, t->count);
    for (size_t i = t->book.count / 2; i-- > 0;) {
        book_down(&t->book, i);
    }
}

static void step(trial *t)
{
    int64_t what = duet_random_between(&t->random, 0, 9);
    if (what == 0) {
        redraw(t);
    } else if (what < 5 || t->count == 0) {
        grow(t);
    } else if (what < 7) {
        take(t);
    } else if (what < 8) {
        raise_key(t);
    } else {
        replace(t);
    }
}

static void agrees(void **state)
{
    (void)state;
    static trial t;
    for (uint64_t seed = 0; seed < SEQUENCES; seed++) {
        memset(&t, 0, sizeof t);
        duet_random_seed(&t.random, seed);
        t.largest_key = duet_random_between(&t.random, 0, seed % 2 == 0 ? 5 : 1000000);
        for (size_t i = 0; i < STEPS; i++) {
            step(&t);
            if (t.count != t.reference.count ||
                memcmp(t.heap, t.book.at, t.count * sizeof *t.heap) != 0 ||
                (t.count > 0 && t.heap[0].key != t.reference.key[0])) {
                fail_msg("seed %llu, step %zu: the heap and the references differ",
                         (unsigned long long)seed, i);
            }
        }
        while (t.count > 0) {
            take(&t);
        }
    }
}

static void looks_keys_up(void **state)
{
    (void)state;
    static const int64_t length[] = {3, 9, 1, 9, 7};
    static const size_t expected[] = {1, 3, 4, 0, 2};
    enum { count = 5 };
    size_t heap[count];
    size_t held = 0;
    for (size_t i = 0; i < count; i++) {
        lengths_push(length, heap, &held, i);
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(lengths_pop(length, heap, &held), expected[i]);
    }
}

// States of 0 to 3 numbers from 0 to 3, of which many come twice; the room is for 60 numbers.
static void seen(void **state)
{
    (void)state;
    enum { ADDED = 500, LENGTH = 3, ROOM = 60 };
    duet_random random;
    duet_random_seed(&random, 3);
    duet_seen set = {.most = ROOM};
    int64_t kept[ADDED][LENGTH];
    size_t length[ADDED];
    size_t count = 0;
    size_t numbers = 0;
    for (int i = 0; i < ADDED; i++) {
        int64_t number[LENGTH] = {0};
        size_t own = (size_t)duet_random_below(&random, LENGTH + 1);
        for (size_t k = 0; k < own; k++) {
            number[k] = duet_random_below(&random, 4);
        }
        bool expected = false;
        for (size_t k = 0; k < count; k++) {
            expected =
                expected || (length[k] == own && memcmp(kept[k], number, sizeof number) == 0);
        }
        bool before;
        assert_int_equal(duet_seen_add(&set, number, own, &before, NULL), DUET_OK);
        assert_int_equal(before, expected);
        if (!expected && numbers + own + 1 <= ROOM) {
            memcpy(kept[count], number, sizeof number);
            length[count++] = own;
            numbers += own + 1;
        }
    }
    assert_int_equal(set.states, count);
    duet_seen_free(&set);
}

static void sorts(void **state)
{
    (void)state;
    int64_t ticks[] = {3, INT64_MIN, 3, INT64_MAX, -1, 3, INT64_MIN};
    assert_int_equal(duet_sort_distinct(ticks, sizeof ticks / sizeof *ticks), 4);
    const int64_t expected[] = {INT64_MIN, -1, 3, INT64_MAX};
    assert_memory_equal(ticks, expected, sizeof expected);
    int32_t tasks[] = {2, -5, 2, 0};
    duet_sort_tasks(tasks, 4);
    assert_true(tasks[0] == -5 && tasks[1] == 0 && tasks[2] == 2 && tasks[3] == 2);
    double values[] = {0.5, -1e300, 0.25};
    duet_sort_doubles(values, 3);
    assert_true(values[0] < 0 && values[1] == 0.25 && values[2] == 0.5);
    duet_sort_doubles(NULL, 0);
}

// Numbers go in and out of sets of all numbers of levels.
static void least_sets(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 63, 64, 65, 4095, 4096, 5000, 300000};
    enum { MOST_WORDS = 300000 / 63 + 10 };
    static uint64_t words[MOST_WORDS];
    static bool in[300000];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        duet_random random;
        duet_least_set set;
        memset(words, 0, sizeof words);
        memset(in, 0, sizeof in);
        assert_true(duet_least_set_words(sizes[k]) <= MOST_WORDS);
        duet_random_seed(&random, k);
        duet_least_set_begin(&set, sizes[k], words);
        for (int step = 0; step < STEPS; step++) {
            size_t number = (size_t)duet_random_below(&random, (int32_t)sizes[k]);
            bool adds = duet_random_below(&random, 3) > 0;
            size_t least = 0;
            while (least < sizes[k] && !in[least]) {
                least++;
            }
            assert_int_equal(duet_least_set_is_empty(&set), least == sizes[k]);
            if (adds && !in[number]) {
                duet_least_set_add(&set, (int32_t)number);
                in[number] = true;
            } else if (least < sizes[k]) {
                assert_int_equal(duet_least_set_take(&set), (int32_t)least);
                in[least] = false;
            }
        }
        duet_least_set_clear(&set);
        for (size_t i = 0; i < MOST_WORDS; i++) {
            assert_true(words[i] == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_sets), cmocka_unit_test(seen),          cmocka_unit_test(sorts),
        cmocka_unit_test(agrees),     cmocka_unit_test(looks_keys_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
