/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of lib/dpx-handoff-move.c alone: a main thread and two polling
 * threads, one step at a time, and everything that can come in between. */

#include <config.h>
#undef NDEBUG
#include "dpx-handoff-move.h"

#include <check.h>
#include <stdlib.h>

#include "random.h"
#include "util.h"

#define SRC 3
#define DST 5
#define LIMIT 1000

/* A polling thread.  It is in the middle of giving while 'giving'. */
struct poller {
    struct dpx_move_end *end;
    bool lists, giving, ended;
    int polls;
};

static struct dpx_handoff queue;
static struct dpx_move move;
static struct poller src, dst;
static uint64_t now;
static int n_wrong;             /* Broken rules: an assertion writes to a
                                 * file each time, too slow for long loops. */

static void
must(bool holds)
{
    n_wrong += !holds;
}

static void
given_a_move(void)
{
    queue = (struct dpx_handoff) { .n_offers = 0 };
    now = 100;
    dpx_move_begin(&move, &queue, SRC, DST, LIMIT);
    src = (struct poller) { .end = &move.source, .lists = true };
    dst = (struct poller) { .end = &move.dest };
}

/* Main goes one step on; what it asks of a thread is in move.*.asked. */
static void
main_steps(void)
{
    now++;
    dpx_move_step(&move, now);
    dpx_move_asks(&move.source);
    dpx_move_asks(&move.dest);
}

static void
reads_list(struct poller *p)
{
    if (!p->ended && !dpx_move_ended(&move) && !p->end->answered) {
        p->lists = p->end->asked;
        p->end->answered = true;
    }
}

static void
poll_queue(struct poller *p)
{
    struct poller *other = p == &src ? &dst : &src;

    p->polls++;
    must(dpx_handoff_accounts(&queue, p->end->thread));
    must(!other->lists
         || !dpx_handoff_accounts(&queue, other->end->thread));
}

/* One round of a thread, or half of it, if it is to give. */
static void
polls(struct poller *p)
{
    if (p->ended) {
        return;
    }
    now++;
    if (p->giving) {
        dpx_handoff_give(&queue, p->end->thread, now);
        p->giving = false;
        return;
    }
    reads_list(p);
    if (!p->lists) {
        return;
    }
    switch (dpx_handoff_settled(&queue)
            ? DPX_TURN_POLL
            : dpx_handoff_turn(&queue, p->end->thread)) {
    case DPX_TURN_SKIP:
    case DPX_TURN_SOON:
        break;
    case DPX_TURN_TAKE:
        dpx_handoff_take(&queue, p->end->thread, now);
        poll_queue(p);
        break;
    case DPX_TURN_POLL:
        poll_queue(p);
        break;
    case DPX_TURN_GIVE:
        poll_queue(p);
        p->giving = true;
        break;
    }
}

static void
ends(struct poller *p)
{
    p->ended = true;
    p->lists = p->giving = false;
    dpx_move_thread_gone(&move, p->end->thread);
}

/* Until nothing changes any more. */
static void
goes_on(void)
{
    for (int i = 0; i < 20; i++) {
        main_steps();
        polls(&src);
        polls(&dst);
    }
}

static bool
polls_now(struct poller *p)
{
    int before = p->polls;

    polls(p);
    return p->polls > before;
}

static void
expect_cancelled(enum dpx_move_reason reason)
{
    ck_assert_int_eq(n_wrong, 0);
    ck_assert(dpx_move_ended(&move));
    ck_assert(!move.moved);
    ck_assert_int_eq(move.reason, reason);
    ck_assert(!move.orphan);
    ck_assert(dpx_handoff_settled(&queue));
    ck_assert(!dst.lists);
    ck_assert(polls_now(&src));
}

static void
expect_moved(void)
{
    ck_assert_int_eq(n_wrong, 0);
    ck_assert(dpx_move_ended(&move));
    ck_assert(move.moved);
    ck_assert_int_eq(move.reason, DPX_MOVE_NONE);
    ck_assert(!move.orphan);
    ck_assert(dpx_handoff_settled(&queue));
    ck_assert(!src.lists);
    ck_assert(polls_now(&dst));
}

START_TEST(a_move_moves)
{
    given_a_move();
    main_steps();
    ck_assert_int_eq(move.phase, DPX_MOVE_LISTING);
    polls(&dst);                /* Lists it, but may not poll. */
    main_steps();
    ck_assert_int_eq(move.phase, DPX_MOVE_OFFERED);
    ck_assert(polls_now(&src));
    ck_assert(!src.giving);     /* The destination was not seen yet. */
    ck_assert(!polls_now(&dst));
    ck_assert(polls_now(&src));
    polls(&src);
    ck_assert(!polls_now(&src));
    main_steps();
    ck_assert_int_eq(move.phase, DPX_MOVE_TAKING);
    ck_assert(polls_now(&dst));
    main_steps();
    ck_assert_int_eq(move.phase, DPX_MOVE_DROPPING);
    ck_assert(src.lists);
    ck_assert(!polls_now(&src));
    ck_assert(!src.lists);
    main_steps();
    expect_moved();
    ck_assert_uint_eq(move.blocked, queue.taken - queue.given);
    ck_assert_uint_gt(move.blocked, 0);
}
END_TEST

START_TEST(a_source_that_is_ended_hands_over_all_the_same)
{
    given_a_move();
    main_steps();
    polls(&dst);
    main_steps();
    ends(&src);
    goes_on();
    expect_moved();
}
END_TEST

START_TEST(a_destination_that_does_not_answer_is_not_offered_the_queue)
{
    given_a_move();
    while (now < LIMIT) {
        main_steps();
        ck_assert(polls_now(&src));
    }
    main_steps();
    ck_assert_int_eq(move.phase, DPX_MOVE_DROPPING);
    /* It may have read the first question: only its answer ends the move. */
    main_steps();
    ck_assert(!dpx_move_ended(&move));
    goes_on();
    expect_cancelled(DPX_MOVE_NOT_LISTED);
}
END_TEST

START_TEST(a_destination_that_was_not_asked_yet_need_not_answer)
{
    given_a_move();
    dpx_move_cancel(&move);
    main_steps();
    expect_cancelled(DPX_MOVE_ASKED);
}
END_TEST

START_TEST(a_stuck_source_keeps_the_queue_and_answers_when_it_can)
{
    given_a_move();
    while (now < LIMIT) {
        main_steps();
        polls(&dst);
    }
    main_steps();
    ck_assert_int_eq(move.phase, DPX_MOVE_ANSWERING);
    for (int i = 0; i < 10; i++) {
        main_steps();
        ck_assert(!polls_now(&dst));
        ck_assert(dst.lists);   /* The answer may still be yes. */
    }
    ck_assert_int_eq(move.phase, DPX_MOVE_ANSWERING);
    ck_assert(polls_now(&src));
    goes_on();
    expect_cancelled(DPX_MOVE_NOT_GIVEN);
}
END_TEST

START_TEST(a_withdrawal_that_comes_too_late_lets_the_move_end)
{
    given_a_move();
    main_steps();
    polls(&dst);
    main_steps();
    polls(&dst);
    polls(&src);
    polls(&src);
    ck_assert_int_eq(dpx_handoff_look(&queue).state, DPX_HANDOFF_GRANTED);
    dpx_move_cancel(&move);
    goes_on();
    expect_moved();
}
END_TEST

START_TEST(a_destination_that_ends_before_it_starts_gives_the_queue_back)
{
    given_a_move();
    main_steps();
    polls(&dst);
    main_steps();
    polls(&dst);
    polls(&src);
    polls(&src);
    ends(&dst);
    ck_assert(!polls_now(&src));
    goes_on();
    expect_cancelled(DPX_MOVE_DEST_GONE);
}
END_TEST

START_TEST(a_thread_with_no_part_in_it_may_go)
{
    given_a_move();
    dpx_move_thread_gone(&move, SRC + DST);
    goes_on();
    expect_moved();
}
END_TEST

START_TEST(what_comes_after_the_end_changes_nothing)
{
    given_a_move();
    goes_on();
    dpx_move_cancel(&move);
    dpx_move_queue_gone(&move);
    dpx_move_thread_gone(&move, SRC);
    goes_on();
    expect_moved();
}
END_TEST

/* What can happen in the middle. */
enum event { CANCEL, EXPIRE, SRC_ENDS, DST_ENDS, BOTH_END, QUEUE_GOES,
             N_EVENTS };

static void
happens(enum event event)
{
    if (dpx_move_ended(&move)) {
        return;
    }
    switch (event) {
    case CANCEL:
        dpx_move_cancel(&move);
        break;
    case EXPIRE:
        now = LIMIT;
        break;
    case SRC_ENDS:
        ends(&src);
        break;
    case DST_ENDS:
        ends(&dst);
        break;
    case BOTH_END:
        ends(&src);
        ends(&dst);
        break;
    case QUEUE_GOES:
        src.lists = dst.lists = src.giving = dst.giving = false;
        dpx_move_queue_gone(&move);
        break;
    case N_EVENTS:
        OVS_NOT_REACHED();
    }
}

static void
expect_valid(void)
{
    must(dpx_move_ended(&move));
    must(dpx_handoff_settled(&queue));
    must(!(src.lists && dst.lists));
    if (move.orphan) {
        must(!src.lists && !dst.lists);
    } else {
        must(src.lists || dst.lists);
        must(move.moved == dst.lists);
        must(polls_now(move.moved ? &dst : &src));
    }
    must(move.moved || move.orphan || move.reason);
}

/* Any order of steps, any event after any number of steps. */
START_TEST(a_move_ends_in_a_valid_assignment_whatever_happens)
{
    int moved[N_EVENTS] = { 0 }, orphans[N_EVENTS] = { 0 };

    random_set_seed(4);
    for (int run = 0; run < 60000; run++) {
        enum event event = run % N_EVENTS;
        int when = random_range(16);

        given_a_move();
        for (int i = 0; i < 24; i++) {
            if (i == when) {
                happens(event);
            }
            switch (random_range(3)) {
            case 0:
                main_steps();
                break;
            case 1:
                polls(&src);
                break;
            case 2:
                polls(&dst);
                break;
            }
        }
        goes_on();
        expect_valid();
        moved[event] += move.moved;
        orphans[event] += move.orphan;
    }
    ck_assert_int_eq(n_wrong, 0);
    /* Each event came in time in some runs and too late in others. */
    for (int event = 0; event < QUEUE_GOES; event++) {
        if (event != BOTH_END) {
            ck_assert_int_gt(moved[event], 100);
        }
        if (event != SRC_ENDS) {
            ck_assert_int_lt(moved[event], 9900);
        }
    }
    ck_assert_int_eq(orphans[CANCEL] + orphans[EXPIRE], 0);
    ck_assert_int_gt(orphans[BOTH_END], 100);
}
END_TEST

START_TEST(every_reason_has_a_text)
{
    ck_assert_str_eq(dpx_move_reason_text(DPX_MOVE_NONE), "");
    for (int i = DPX_MOVE_NOT_LISTED; i <= DPX_MOVE_QUEUE_GONE; i++) {
        ck_assert_int_gt(strlen(dpx_move_reason_text(i)), 5);
    }
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("handoff move");
    TCase *tcase = tcase_create("move");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(tcase, a_move_moves);
    tcase_add_test(tcase, a_source_that_is_ended_hands_over_all_the_same);
    tcase_add_test(
        tcase, a_destination_that_does_not_answer_is_not_offered_the_queue);
    tcase_add_test(tcase,
                   a_destination_that_was_not_asked_yet_need_not_answer);
    tcase_add_test(tcase,
                   a_stuck_source_keeps_the_queue_and_answers_when_it_can);
    tcase_add_test(tcase,
                   a_withdrawal_that_comes_too_late_lets_the_move_end);
    tcase_add_test(
        tcase, a_destination_that_ends_before_it_starts_gives_the_queue_back);
    tcase_add_test(tcase, a_thread_with_no_part_in_it_may_go);
    tcase_add_test(tcase, what_comes_after_the_end_changes_nothing);
    tcase_add_test(tcase,
                   a_move_ends_in_a_valid_assignment_whatever_happens);
    tcase_add_test(tcase, every_reason_has_a_text);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
