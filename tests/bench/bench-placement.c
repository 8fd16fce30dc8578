/* SPDX-License-Identifier: Apache-2.0
 *
 * How good the planner's plans are, and how long they take.
 *
 * Thousands of made-up pictures from a fixed seed, each planned and held
 * against what Open vSwitch's own "group" and "cycles" would do under the same
 * rules and the same model of capacity, against an exhaustive search where
 * there are few queues, and against the plan's own lower bound.  All loads are
 * made up, and that two busy siblings have 1.3 times the capacity of one is
 * the model and not a measurement.
 *
 * Prints a table, then one line "RESULT key=value ...".  Ratios are ours over
 * the other's: below 1 is better than the other. */

#include <config.h>

#include <math.h>
#include <time.h>
#include <unistd.h>

#include "../unit/placement-rivals.h"

#define SEED 20240607
#define EXACT_RXQS 14
#define ALMOST (1 + 1e-7)     /* The planner counts in whole numbers. */

enum shape { UNIFORM, ZIPF, BIMODAL, MEASURED, N_SHAPES };
static const char *const shape_names[] = {
    "uniform", "zipf", "bimodal", "measured"
};

/* What has been seen of a kind of pictures. */
struct tally {
    int n;
    double worst, sum;
};

static void
count(struct tally *t, double ratio)
{
    if (!t->n++ || ratio > t->worst) {
        t->worst = ratio;
    }
    t->sum += ratio;
}

static double
mean(const struct tally *t)
{
    return t->n ? t->sum / t->n : NAN;
}

/* Pictures. */

/* From the normal distribution, near enough: a sum of twelve. */
static double
any_normal(void)
{
    double sum = -6;

    for (int i = 0; i < 12; i++) {
        sum += any_fraction();
    }
    return sum;
}

static double
any_load(enum shape shape, int i, double exponent)
{
    switch (shape) {
    case UNIFORM:
        return 0.01 + 0.3 * any_fraction();
    case ZIPF:
        return 0.5 / pow(i + 1, exponent);
    case BIMODAL:
        return (any_number(4) ? 0.02 + 0.02 * any_fraction()
                : 0.25 + 0.1 * any_fraction());
    case MEASURED:
        /* Some queues that do next to nothing, the others log-normal. */
        return any_number(4) ? 0.05 * exp(1.2 * any_normal())
                             : 0.001 * any_fraction();
    case N_SHAPES:
    default:
        return 0;
    }
}

/* 'n' queues on 'm' PMDs, 'siblings' per core, on 'nodes' nodes. */
static void
given_instance(enum shape shape, int n, int m, int siblings, int nodes)
{
    double exponent = 0.8 + 0.4 * any_fraction();
    int cores = m / siblings;

    given_nothing();
    options.tolerance = 0;
    for (int t = 0; t < m; t++) {
        int core = t % cores;

        given_pmd(t, core * nodes / cores,
                  siblings > 1 ? core : DPX_ID_UNKNOWN);
    }
    for (int i = 0; i < n; i++) {
        char port[12];

        snprintf(port, sizeof port, "p%d", i / 4);
        given_rxq(port, i % 4, any_number(nodes), any_load(shape, i, exponent),
                  DPX_NO_PMD);
    }
}

/* Exhaustive search, with no more cleverness than needed to end: sets
 * exact_best to the lowest busiest core, if it can in time. */
static double exact_best;
static long exact_steps;
static double exact_own[MAX_PMDS];

static double
core_load(size_t p)
{
    double sum = 0, max = 0;

    for (size_t s = 0; s < view.n_pmds; s++) {
        if (s == p
            || (pmds[p].smt_id >= 0 && pmds[s].smt_id == pmds[p].smt_id)) {
            sum += exact_own[s];
            max = exact_own[s] > max ? exact_own[s] : max;
        }
    }
    return sum > max && sum / options.smt_factor > max
           ? sum / options.smt_factor : max;
}

static void
exact_from(size_t r, double busiest)
{
    if (busiest >= exact_best * (1 - 1e-12) || --exact_steps < 0) {
        return;
    } else if (r == view.n_rxqs) {
        exact_best = busiest;
        return;
    }
    for (size_t p = 0; p < view.n_pmds; p++) {
        int i = sorted[r];
        double load;
        bool seen = false;

        if (pmds[p].numa_id != rxqs[i].numa_id) {
            continue;
        }
        /* A second idle thread of idle cores is like the first. */
        for (size_t s = 0; s < p && !seen; s++) {
            seen = (pmds[s].numa_id == pmds[p].numa_id && !exact_own[s]
                    && !exact_own[p] && core_load(s) == core_load(p));
        }
        if (seen) {
            continue;
        }
        exact_own[p] += rxqs[i].load;
        load = core_load(p);
        exact_from(r + 1, load > busiest ? load : busiest);
        exact_own[p] -= rxqs[i].load;
        if (fabs(exact_own[p]) < 1e-12) {
            exact_own[p] = 0;
        }
    }
}

/* Returns the lowest busiest core, or NAN if the search would take too
 * long. */
static double
exact(double start)
{
    memset(exact_own, 0, sizeof exact_own);
    exact_best = start * (1 + 1e-9);
    exact_steps = 3000000;
    exact_from(0, 0);
    return exact_steps > 0 ? fmin(exact_best, start) : NAN;
}

/* Quality. */

static struct tally vs_group, vs_cycles, vs_exact, vs_bound, skewed, proven;
static struct tally by_shape[N_SHAPES], by_shape_cycles[N_SHAPES];

static void
judge(enum shape shape, int m)
{
    static int at[MAX_RXQS];
    struct dpx_plan *p = plan();
    double ours = busiest_of(p->pmd_of_rxq), known = NAN, cycles;

    assign_like_group(at);
    count(&vs_group, ours / busiest_of(at));
    assign_like_cycles(at);
    cycles = busiest_of(at);
    count(&vs_cycles, ours / cycles);
    if (view.n_rxqs <= EXACT_RXQS) {
        known = exact(ours);
        if (!isnan(known)) {
            count(&vs_exact, ours / known);
            if (p->lower_bound > known * ALMOST) {
                printf("WRONG: bound %.9f above the optimum %.9f\n",
                       p->lower_bound, known);
                exit(EXIT_FAILURE);
            }
        }
    }
    if (view.n_rxqs >= 4 * (size_t) m) {
        double bound = isnan(known) ? p->lower_bound : known;

        count(&vs_bound, ours / bound);
        count(&by_shape[shape], ours / bound);
        count(&by_shape_cycles[shape], cycles / bound);
    }
    count(&proven, p->exact);
    dpx_plan_destroy(p);
}

static void
progress(const char *what, int done, int all)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%s %d/%d%s", what, done, all,
                done == all ? "\n" : "");
    }
}

static void
measure_quality(int rounds)
{
    static const int sizes[][2] = {
        { 4, 2 }, { 8, 2 }, { 10, 4 }, { 12, 3 }, { 14, 2 }, { 14, 4 },
        { 14, 8 }, { 16, 4 }, { 32, 8 }, { 64, 8 }, { 64, 16 }, { 128, 16 },
        { 256, 32 }, { 512, 64 }, { 1024, 128 }
    };
    static const int n_sizes = sizeof sizes / sizeof sizes[0];

    for (int s = 0; s < n_sizes; s++) {
        int n = sizes[s][0], m = sizes[s][1];
        int repeats = n <= EXACT_RXQS ? rounds : n <= 64 ? rounds / 4
                      : n <= 256 ? rounds / 16 : rounds / 64;

        progress("quality: size", s + 1, n_sizes);
        for (int r = 0; r < repeats * N_SHAPES; r++) {
            int siblings = 1 << any_number(3), nodes = 1 << any_number(4);

            siblings = m % siblings ? 1 : siblings;
            nodes = nodes > m / siblings ? 1 : nodes;
            given_instance(r % N_SHAPES, n, m, siblings, nodes);
            judge(r % N_SHAPES, m);
        }
    }
}

/* Skewed loads: Zipf and log-normal, 4 to 8 queues for each of 4 to 16
 * PMDs. */
static void
measure_skewed(int rounds)
{
    static int at[MAX_RXQS];

    for (int r = 0; r < rounds; r++) {
        int m = 4 << any_number(3);
        struct dpx_plan *p;

        given_instance(r & 1 ? ZIPF : MEASURED, m * (4 + any_number(5)), m, 1,
                       1);
        p = plan();
        assign_like_cycles(at);
        count(&skewed, busiest_of(p->pmd_of_rxq) / busiest_of(at));
        dpx_plan_destroy(p);
    }
}

/* Siblings: against the same planner when it does not know them.  What it does
 * then depends on the numbers: where siblings are far apart it fills one
 * thread of each core first, by luck, because it goes by the number.  RESULT
 * has the gain where siblings have adjacent numbers; the table has all. */
enum numbering { APART, ADJACENT, MIXED, N_NUMBERINGS };
static const char *const numbering_names[] = {
    "siblings n, n + m / 2", "siblings 2n, 2n + 1", "siblings in any order"
};
static struct tally vs_blind, by_numbering[N_NUMBERINGS];

static void
number_siblings(enum numbering numbering)
{
    int m = view.n_pmds;

    for (int t = 0; t < m; t++) {
        pmds[t].smt_id = numbering == APART ? t % (m / 2) : t / 2;
    }
    for (int t = m - 1; numbering == MIXED && t > 0; t--) {
        int s = any_number(t + 1), id = pmds[t].smt_id;

        pmds[t].smt_id = pmds[s].smt_id;
        pmds[s].smt_id = id;
    }
}

static void
measure_siblings(int rounds)
{
    for (int r = 0; r < rounds; r++) {
        int m = 4 << any_number(3);
        int n = m / 2 + any_number(2 * m), smt_id[MAX_PMDS];
        struct dpx_plan *aware, *blind;
        double ratio;

        given_instance(1 + any_number(3), n, m, 2, 1);
        number_siblings(r % N_NUMBERINGS);
        aware = plan();
        for (int t = 0; t < m; t++) {
            smt_id[t] = pmds[t].smt_id;
            pmds[t].smt_id = DPX_ID_UNKNOWN;
        }
        blind = plan();
        for (int t = 0; t < m; t++) {
            pmds[t].smt_id = smt_id[t];
        }
        ratio = (busiest_of(aware->pmd_of_rxq)
                 / busiest_of(blind->pmd_of_rxq));
        count(&vs_blind, ratio);
        count(&by_numbering[r % N_NUMBERINGS], ratio);
        dpx_plan_destroy(aware);
        dpx_plan_destroy(blind);
    }
}

/* Moves: a good placement, every load drifts by up to 10 %, a new plan. */
static struct tally moves, moves_default, away;

static void
measure_moves(int rounds)
{
    static int at[MAX_RXQS];

    for (int r = 0; r < rounds; r++) {
        int m = 2 << any_number(5), n = m * (4 + any_number(5));
        struct dpx_plan *p, *q;
        double lpt;
        int lpt_moves = 0;

        given_instance(any_number(N_SHAPES), n, m, 1, 1);
        p = plan();
        for (int i = 0; i < n; i++) {
            rxqs[i].current = p->pmd_of_rxq[i];
            rxqs[i].load *= 0.9 + 0.2 * any_fraction();
        }
        dpx_plan_destroy(p);

        assign_like_group(at);
        lpt = busiest_of(at);
        for (int i = 0; i < n; i++) {
            lpt_moves += at[i] != rxqs[i].current;
        }
        if (!lpt_moves) {
            continue;
        }
        /* Equal quality: as much tolerance as makes up the difference between
         * the best plan and largest first, and not more. */
        options.tolerance = 0;
        p = plan();
        options.tolerance = lpt / p->busiest_planned - 1;
        if (options.tolerance < 0) {
            options.tolerance = 0;
        }
        q = plan();
        if (q->busiest_planned <= lpt * ALMOST) {
            dpx_plan_destroy(p);
            p = q;
        } else {
            dpx_plan_destroy(q);        /* The first was lucky: take it. */
        }
        if (p->busiest_planned > lpt * ALMOST) {
            printf("WRONG: %.9f is not the quality of largest first, %.9f\n",
                   p->busiest_planned, lpt);
            exit(EXIT_FAILURE);
        }
        count(&moves, p->n_moves / (double) lpt_moves);
        count(&away, lpt_moves / (double) n);
        dpx_plan_destroy(p);
        options.tolerance = 0.02;
        p = plan();
        count(&moves_default, p->n_moves / (double) lpt_moves);
        dpx_plan_destroy(p);
    }
}

/* Time. */

static double
now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* Returns the slowest of 'rounds' pictures, the best of three runs each: what
 * the machine does meanwhile is not the planner's. */
static double
measure_time(int n, int m, int rounds)
{
    double slowest = 0;

    for (int r = 0; r < rounds; r++) {
        double best = INFINITY;

        given_instance(r % N_SHAPES, n, m, r & 4 ? 2 : 1, r & 8 ? 2 : 1);
        for (int i = 0; r & 16 && i < n; i++) {
            do {
                rxqs[i].current = any_number(m);
            } while (is_far(i, rxqs[i].current));
        }
        for (int i = 0; i < 3; i++) {
            double start = now_ms();

            dpx_plan_destroy(plan());
            best = fmin(best, now_ms() - start);
        }
        slowest = fmax(slowest, best);
    }
    return slowest;
}

int
main(int argc, char *argv[])
{
    int rounds = argc > 1 ? atoi(argv[1]) : 160;
    double small, large;

    if (rounds < 64) {
        fprintf(stderr, "bench-placement: '%s' is not a number of rounds, at "
                "least 64\n", argv[1]);
        return EXIT_FAILURE;
    }
    random_state = SEED;
    printf("planner against others, seed %d, %d rounds; made-up loads, model "
           "of siblings: factor 1.3\n", SEED, rounds);
    measure_quality(rounds);
    measure_skewed(rounds * 4);
    measure_siblings(rounds * 6);
    measure_moves(rounds * 2);
    small = measure_time(64, 8, 32);
    large = measure_time(1024, 128, 32);

    printf("\n%-29s %9s %9s %9s\n", "busiest core, ours over", "pictures",
           "mean", "worst");
    printf("%-29s %9d %9.4f %9.6f\n", "group", vs_group.n, mean(&vs_group),
           vs_group.worst);
    printf("%-29s %9d %9.4f %9.6f\n", "cycles", vs_cycles.n,
           mean(&vs_cycles), vs_cycles.worst);
    printf("%-29s %9d %9.4f %9.6f\n", "cycles, skewed loads, n >= 4m",
           skewed.n, mean(&skewed), skewed.worst);
    printf("%-29s %9d %9.4f %9.6f\n", "exact optimum", vs_exact.n,
           mean(&vs_exact), vs_exact.worst);
    printf("%-29s %9d %9.4f %9.6f\n", "bound or optimum, n >= 4m",
           vs_bound.n, mean(&vs_bound), vs_bound.worst);
    for (int s = 0; s < N_SHAPES; s++) {
        printf("  %-27s %9d %9.4f %9.6f   (cycles: %.4f)\n", shape_names[s],
               by_shape[s].n, mean(&by_shape[s]), by_shape[s].worst,
               mean(&by_shape_cycles[s]));
    }
    printf("%-29s %9d %9.4f %9.6f\n", "blind to siblings", vs_blind.n,
           mean(&vs_blind), vs_blind.worst);
    for (int n = 0; n < N_NUMBERINGS; n++) {
        printf("  %-27s %9d %9.4f %9.6f\n", numbering_names[n],
               by_numbering[n].n, mean(&by_numbering[n]),
               by_numbering[n].worst);
    }
    printf("%-29s %9d %9.4f\n", "plans proven optimal", proven.n,
           mean(&proven));
    printf("moves after a drift of 10 %%, over those of largest first (which "
           "moves %.0f %%):\n", 100 * mean(&away));
    printf("  %-27s %9d %9.4f %9.6f\n", "at equal quality", moves.n,
           mean(&moves), moves.worst);
    printf("  %-27s %9d %9.4f %9.6f\n", "with the default tolerance",
           moves_default.n, mean(&moves_default), moves_default.worst);

    printf("RESULT worst_vs_group=%.6f worst_vs_cycles=%.6f "
           "worst_vs_exact=%.6f mean_vs_bound=%.6f "
           "gain_vs_cycles_skewed=%.4f gain_vs_blind_smt=%.4f "
           "moves_vs_lpt=%.4f plan_ms_64x8=%.3f plan_ms_1024x128=%.3f\n",
           vs_group.worst, vs_cycles.worst, vs_exact.worst, mean(&vs_bound),
           1 - mean(&skewed), 1 - mean(&by_numbering[ADJACENT]),
           mean(&moves), small, large);
    return EXIT_SUCCESS;
}
