/* SPDX-License-Identifier: Apache-2.0
 *
 * Methods to find heavy hitters: how exact, how fast, how large.
 *
 * All methods see the same packets of the same flows, burst by burst, from a
 * fixed seed; what is timed is a method's work on a burst of parsed keys, not
 * the parsing.  Repetitions of the methods take turns, so that what the
 * machine does meanwhile hits all of them; the median stands beside the
 * quartiles.  "warm": burst after burst.  "gap": between two bursts, 128 KiB
 * of other memory are written, as a datapath's other work does.
 *
 * Prints a table, then one line "RESULT key=value ...". */

#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench-hh-accuracy.h"
#include "dpx-paced-counter.h"
#include "util.h"

#define SEED 20241130
#define SIZE (1 << 20)          /* Bytes per table. */
#define CONFIDENCE 0.99

static const struct method *const methods[] = {
    &method_ours, &method_ours_full, &method_coco, &method_coco_full,
    &method_summary, &method_summary_full, &method_member, &method_perfect
};
#define N_METHODS ARRAY_SIZE(methods)
#define N_TIMED (N_METHODS - 1)         /* The last one is not a method. */

/* How much of everything. */
static uint64_t packets = 4000000;      /* Of a cell of the table. */
static uint64_t long_packets = 100000000;
static unsigned int long_rounds = 5, trials = 1000, repetitions = 9;
static const char *capture;

/* Time. */

enum { WARM, GAP, N_MODES };

struct spread {
    double quartile[3];
};

static int
compare_doubles(const void *a_, const void *b_)
{
    const double *a = a_, *b = b_;

    return *a < *b ? -1 : *a > *b;
}

static struct spread
spread_of(double *x, size_t n)
{
    struct spread s;

    qsort(x, n, sizeof *x, compare_doubles);
    for (int i = 0; i < 3; i++) {
        s.quartile[i] = n ? x[(n - 1) * (i + 1) / 4] : NAN;
    }
    return s;
}

static double overhead;         /* Cycles of reading the counter. */

static void
measure_overhead(void)
{
    double x[1001];

    for (size_t i = 0; i < ARRAY_SIZE(x); i++) {
        uint64_t start = dpx_paced_cycles();

        __asm__ volatile("" ::: "memory");
        x[i] = dpx_paced_cycles() - start;
    }
    overhead = spread_of(x, ARRAY_SIZE(x)).quartile[1];
}

/* Something else than counting. */
static void
pollute(void)
{
    static uint64_t memory[(8 << 20) / 8];
    static size_t at;

    for (size_t i = 0; i < 2048; i++) {
        memory[at] += i;
        at = (at + 8) % ARRAY_SIZE(memory);
    }
}

/* Returns the median of the cycles per packet of many bursts. */
static double
time_bursts(const struct method *m, void *instance, struct traffic *t,
            int mode, size_t n)
{
    double *x = xcalloc(n, sizeof *x), sum = 0;
    size_t kept = n - n / 20;
    static struct burst bursts[2];

    for (size_t i = 0; i < n; i++) {
        struct burst *b = &bursts[i % 2];
        uint64_t start;

        traffic_next(t, b);
        if (mode == GAP) {
            pollute();
        }
        __asm__ volatile("" ::: "memory");
        start = dpx_paced_cycles();
        m->count(instance, b);
        __asm__ volatile("" ::: "memory");
        x[i] = (dpx_paced_cycles() - start - overhead) / DPX_HH_BURST;
    }
    /* A mean, since with sampling a burst costs nothing or a lot; without the
     * slowest twentieth, where the machine interrupted. */
    qsort(x, n, sizeof *x, compare_doubles);
    for (size_t i = 0; i < kept; i++) {
        sum += x[i];
    }
    free(x);
    return sum / kept;
}

/* A cell: one kind of traffic. */
struct cell {
    struct accuracy accuracy[N_METHODS];
    struct spread cycles[N_METHODS][N_MODES];
    size_t memory[N_METHODS];
    bool there[N_METHODS];
};

static struct cell
measure_cell(struct traffic *t, uint64_t seed)
{
    void *instance[N_METHODS];
    static struct burst bursts[2];
    size_t turn = 0;
    struct cell cell = { .there = { false } };

    for (size_t i = 0; i < N_METHODS; i++) {
        instance[i] = methods[i]->create(SIZE, methods[i]->sampling, seed,
                                         t->n_flows);
        cell.there[i] = instance[i] != NULL;
    }
    while (t->total[0] < packets) {
        struct burst *b = &bursts[turn++ % 2];

        traffic_next(t, b);
        for (size_t i = 0; i < N_METHODS; i++) {
            if (instance[i]) {
                methods[i]->count(instance[i], b);
            }
        }
    }
    for (size_t i = 0; i < N_METHODS; i++) {
        if (instance[i]) {
            cell.accuracy[i] = measure_accuracy(methods[i], instance[i], t);
            cell.memory[i] = methods[i]->memory(instance[i]);
        }
    }
    for (int mode = 0; mode < N_MODES; mode++) {
        double *taken[N_TIMED];

        for (size_t i = 0; i < N_TIMED; i++) {
            taken[i] = xcalloc(repetitions, sizeof *taken[i]);
        }
        for (unsigned int r = 0; r < repetitions; r++) {
            for (size_t i = 0; i < N_TIMED; i++) {
                size_t n = mode == GAP ? 1000 : 5000;

                if (instance[i]) {
                    time_bursts(methods[i], instance[i], t, mode, n / 4);
                    taken[i][r] = time_bursts(methods[i], instance[i], t,
                                              mode, n);
                }
            }
        }
        for (size_t i = 0; i < N_TIMED; i++) {
            cell.cycles[i][mode] = spread_of(taken[i], repetitions);
            free(taken[i]);
        }
    }
    for (size_t i = 0; i < N_METHODS; i++) {
        if (instance[i]) {
            methods[i]->destroy(instance[i]);
        }
    }
    return cell;
}

/* A number of percent, or "-". */
static void
print_percent(double fraction)
{
    if (isnan(fraction)) {
        printf(" %7s", "-");
    } else {
        printf(" %7.2f", 100 * fraction);
    }
}

static void
print_cell(const struct cell *cell, const struct traffic *t)
{
    for (size_t i = 0; i < N_METHODS; i++) {
        if (!cell->there[i]) {
            continue;
        }
        printf("%-9s %8"PRIu32" %-15s", shape_names[t->shape], t->n_flows,
               methods[i]->name);
        print_percent(cell->accuracy[i].recall);
        print_percent(cell->accuracy[i].error);
        print_percent(cell->accuracy[i].over);
        for (int mode = 0; i < N_TIMED && mode < N_MODES; mode++) {
            const double *q = cell->cycles[i][mode].quartile;

            printf("  %6.1f (%5.1f..%5.1f)", q[1], q[0], q[2]);
        }
        if (i < N_TIMED) {
            printf(" %6"PRIuSIZE, cell->memory[i] >> 10);
        }
        printf("\n");
    }
    fflush(stdout);
}

/* The long run: ours against perfect counting of what it samples. */
static void
measure_long(struct accuracy *ours, struct accuracy *perfect)
{
    struct traffic *t = traffic_create(ZIPF_1_0, 1000000, SEED);

    memset(ours, 0, sizeof *ours);
    memset(perfect, 0, sizeof *perfect);
    for (unsigned int r = 0; r < long_rounds; r++) {
        const struct method *m[] = { &method_ours, &method_perfect };
        struct accuracy *sums[] = { ours, perfect };
        void *instance[2];
        static struct burst bursts[2];
        size_t turn = 0;

        traffic_restart(t, SEED + r);
        for (int i = 0; i < 2; i++) {
            instance[i] = m[i]->create(SIZE, 16, SEED + r, t->n_flows);
        }
        while (t->total[0] < long_packets) {
            struct burst *b = &bursts[turn++ % 2];

            traffic_next(t, b);
            for (int i = 0; i < 2; i++) {
                m[i]->count(instance[i], b);
            }
        }
        for (int i = 0; i < 2; i++) {
            struct accuracy a = measure_accuracy(m[i], instance[i], t);

            sums[i]->recall += a.recall / long_rounds;
            sums[i]->error += a.error / long_rounds;
            sums[i]->over += a.over / long_rounds;
            m[i]->destroy(instance[i]);
        }
    }
    traffic_destroy(t);
}

static void
print_trials(const char *what, const struct trials *t)
{
    printf("%-16s %5u trials: %lu of %lu bounds of a flow missed, in %lu "
           "trials that of flows not listed\n", what, t->trials, t->wrong,
           t->items, t->absent_wrong);
}

static uint64_t
number_of(const char *word, const char *value)
{
    long long int n = value ? atoll(value) : 0;

    if (n < 1) {
        fprintf(stderr, "bench-heavy-hitters: '%s' needs a number above 0, "
                "not '%s'\n", word, value ? value : "");
        exit(EXIT_FAILURE);
    }
    return n;
}

static void
parse(char *argv[])
{
    for (; *argv; argv++) {
        if (!strcmp(*argv, "--quick")) {
            packets = 1000000;
            long_packets = 10000000;
            long_rounds = 2;
            trials = 64;
            repetitions = 3;
            continue;
        }
        if (!strcmp(*argv, "--capture") && argv[1]) {
            capture = argv[1];
        } else if (!strcmp(*argv, "--trials")) {
            trials = number_of(*argv, argv[1]);
        } else if (!strcmp(*argv, "--rounds")) {
            long_rounds = number_of(*argv, argv[1]);
        } else if (!strcmp(*argv, "--repetitions")) {
            repetitions = number_of(*argv, argv[1]);
        } else {
            fprintf(stderr, "bench-heavy-hitters: unknown word '%s'\nUsage: "
                    "[--quick] [--capture PCAP] [--trials N] [--rounds N] "
                    "[--repetitions N]\n", *argv);
            exit(EXIT_FAILURE);
        }
        argv++;
    }
}

int
main(int argc OVS_UNUSED, char *argv[])
{
    static const uint32_t flows[] = { 1000, 10000, 100000, 1000000 };
    struct cell typical = { .there = { false } }, many = typical;
    struct accuracy ours, perfect;
    struct trials sampled, full;

    parse(argv + 1);
    measure_overhead();
    printf("heavy hitters, seed %d, %"PRIu64" packets per line, tables of "
           "%d KiB, bursts of 32\n", SEED, packets, SIZE >> 10);
    printf("recall of the top %d, mean error of flows above 0.1 %% and the "
           "part of it that is too much, in %%;\ncycles per packet, median "
           "(quartiles) of %u repetitions; memory in KiB\n\n", TOP,
           repetitions);
    printf("%-9s %8s %-15s %7s %7s %7s  %-22s %-22s %6s\n", "traffic",
           "flows", "method", "recall", "error", "over", "  warm", "  gap",
           "memory");
    for (int shape = 0; shape <= UNIFORM; shape++) {
        for (size_t f = 0; f < ARRAY_SIZE(flows); f++) {
            struct traffic *t = traffic_create(shape, flows[f], SEED);
            struct cell cell = measure_cell(t, SEED);

            print_cell(&cell, t);
            if (shape == ZIPF_1_0) {
                typical = flows[f] == 10000 ? cell : typical;
                many = flows[f] == 1000000 ? cell : many;
            }
            traffic_destroy(t);
        }
    }
    if (capture) {
        struct traffic *t = traffic_from_capture(capture);
        struct cell cell = measure_cell(t, SEED);

        print_cell(&cell, t);
        traffic_destroy(t);
    }

    measure_long(&ours, &perfect);
    printf("\n%"PRIu64" packets, zipf 1.0, 1000000 flows, one in 16, mean of "
           "%u rounds:\n", long_packets, long_rounds);
    printf("  ours                         recall %.2f %%, error %.3f %%\n",
           100 * ours.recall, 100 * ours.error);
    printf("  perfect counting of the same recall %.2f %%, error %.3f %%\n",
           100 * perfect.recall, 100 * perfect.error);

    sampled = measure_bounds(trials, 1000000, 16, CONFIDENCE, SEED);
    full = measure_bounds(MAX(trials / 10, 1), 1000000, 1, CONFIDENCE, SEED);
    printf("\nbounds, stated with %g %%; tables of 8 to 1024 KiB, one to "
           "three merged:\n", 100 * CONFIDENCE);
    print_trials("  one in 16", &sampled);
    print_trials("  every packet", &full);

    printf("RESULT recall=%.4f error=%.5f recall_limit=%.4f error_limit=%.5f "
           "bound_violations=%.6f bound_stated=%.2f bound_violations_full=%lu "
           "cycles=%.2f cycles_gap=%.2f cycles_1m=%.2f cycles_full=%.2f "
           "cycles_full_1m=%.2f memory=%"PRIuSIZE"\n",
           ours.recall, ours.error, perfect.recall, perfect.error,
           sampled.wrong / (double) sampled.items, 1 - CONFIDENCE,
           full.wrong + full.absent_wrong,
           typical.cycles[0][WARM].quartile[1],
           typical.cycles[0][GAP].quartile[1],
           many.cycles[0][WARM].quartile[1],
           typical.cycles[1][WARM].quartile[1],
           many.cycles[1][WARM].quartile[1], typical.memory[0]);
    return EXIT_SUCCESS;
}
