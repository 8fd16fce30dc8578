# SPDX-License-Identifier: Apache-2.0
#
# Benchmarks.  Read by Makefile.am.  Each prints its table, then one line
# "RESULT key=value ..."; BENCHFLAGS has words for the benchmark, such as
# BENCHFLAGS='--rounds 20 --case 1flow'.

# Cycles per packet with every option at its default, against stock: at most
# 1 % more or 2 cycles, whichever is larger.
bench-overhead: built
	+@$(MAKE) stock
	@$(srcdir)/tests/bench/bench-overhead --build-dir . $(BENCHFLAGS)

# Plans against Open vSwitch's own, against the optimum, and how long they
# take.  BENCHFLAGS is the number of rounds (160).
bench-placement: built
	+@$(NESTED) tests/bench/bench-placement
	@$(TREE)-build/tests/bench/bench-placement $(BENCHFLAGS)

# Methods to find heavy hitters: how exact, how fast, how large.  BENCHFLAGS
# has --quick, --capture PCAP, --trials N, --rounds N, --repetitions N.
bench-heavy-hitters: built
	+@$(NESTED) tests/bench/bench-heavy-hitters
	@$(TREE)-build/tests/bench/bench-heavy-hitters $(BENCHFLAGS)

# The searches of ovs-dpx-bench on simulated devices, against the truth.
# BENCHFLAGS is the number of runs (200).
bench-selftest: built
	+@$(NESTED) tests/bench/bench-search
	@$(TREE)-build/tests/bench/bench-search $(BENCHFLAGS)

.PHONY: bench-selftest

# What per-flow statistics and heavy hitters cost, against stock, and how long
# a query takes.  BENCHFLAGS has --quick, --cell NAME, --rounds N, --no-query.
bench-flow-stats: all
	+@$(MAKE) stock
	@$(srcdir)/tests/bench/bench-flow-stats --build-dir . $(BENCHFLAGS)

.PHONY: bench-flow-stats

# How long flow-stats-show takes with 200,000 megaflows.  BENCHFLAGS has
# --flows N, --rate N.  Needs root.
bench-flow-query: all
	@DPX_BUILD='$(abs_builddir)' $(srcdir)/tests/bench/bench-flow-query \
	    $(BENCHFLAGS)

.PHONY: bench-flow-query
# What a move of an rx queue costs, against stock with the same test netdev:
# what is lost, how long the queue is not polled, upcalls.
bench-handoff: built
	+@$(MAKE) paced
	@$(srcdir)/tests/bench/bench-handoff --build-dir . $(BENCHFLAGS)

.PHONY: bench-handoff
.PHONY: bench-heavy-hitters
.PHONY: bench-placement
.PHONY: bench-overhead

# Six threads on four tx queues, as stock does it and placed.  BENCHFLAGS is
# the number of rounds (2).
bench-tx-queues: all
	@DPX_BUILD='$(abs_builddir)' $(srcdir)/tests/bench/bench-tx-queues \
	    $(BENCHFLAGS)

.PHONY: bench-tx-queues
