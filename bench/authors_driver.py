"""Runs the program that accompanies the paper (Wang, Pang and Song 2020) on given rows.

    python3 authors_driver.py CHECKOUT LEARNER EPSILON DELTA FILE...

CHECKOUT is a copy of their repository; nothing of it is in this one. LEARNER is priv-pc, svt or em,
EPSILON the privacy parameter of one step. Every FILE has a header and one row of level codes,
counted from 0, for each record. For every file one line is written to standard output:

    CPU seconds, total epsilon by their account, steps charged, rows of the smallest sub-sample,
    edges as i-j,i-j,... (tabs between them)

The settings are those of their evaluation script: level 0.1, Kendall's test for priv-pc and svt,
the G test for em. `python3 authors_driver.py CHECKOUT witness` prints the p-values of their
conditional Kendall test for two data sets of 90,010 rows that differ in one record.
"""
import os
import sys
import time
import types
import warnings

# One thread, as for every learner in these benchmarks. Must be said before numpy is loaded.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
import pandas as pd

LEVEL = 0.1


def import_program(checkout, learner):
    """Their modules. They import the package gsq, which only em uses: where it is missing an empty
    module takes its place, so that the other learners can run."""
    sys.path.insert(0, os.path.join(checkout, "src"))
    try:
        import gsq.ci_tests  # noqa: F401
    except ImportError:
        if learner == "em":
            sys.exit("em needs the Python package gsq")
        for name, members in (
            ("gsq", ()),
            ("gsq.ci_tests", ("ci_test_bin", "ci_test_dis")),
            ("gsq.gsq_testdata", ("bin_data", "dis_data")),
        ):
            module = types.ModuleType(name)
            for member in members:
                setattr(module, member, None)
            sys.modules[name] = module
    import indep_test
    import pc

    return pc, indep_test


def steps_charged(total, of_count):
    """Their functions return the total only; the number of steps in it is found by trying."""
    return min(range(100000), key=lambda count: abs(of_count(count) - total))


def advanced(count, epsilon, delta):
    return np.sqrt(2 * count * np.log(1 / delta)) * epsilon + count * epsilon * np.expm1(epsilon)


def watched(test, seen):
    """Their test, noting how few rows it was given: the size of the sub-sample is not returned."""

    def run(data, x, y, given, **settings):
        seen["rows"] = min(seen["rows"], data.shape[0])
        return test(data, x, y, given, **settings)

    return run


def learn(pc, tests, learner, data, epsilon, delta, seen):
    binary = data.max() <= 1
    kendall = watched(tests.bincondKendall if binary else tests.discondKendall, seen)
    rows, nodes = data.shape
    reach = max(min(int(np.log2(rows)) - 5, nodes - 2), 0)
    if learner == "priv-pc":
        return pc.estimate_skeleton_probe_examine(
            kendall, data, LEVEL, eps=epsilon, delta=delta, max_reach=reach
        )
    if learner == "svt":
        return pc.estimate_skeleton_SVT(
            kendall, data, LEVEL, eps=epsilon, delta=delta, max_reach=reach
        )
    return pc.estimate_skeleton_EM(
        tests.wrapped_ci_test_bin if binary else tests.wrapped_ci_test_dis,
        data, LEVEL, eps=epsilon, delta=delta, task="bin" if binary else "dis",
    )


def witness(tests):
    """Ten records that agree in x and y in one block; in the other x is constant and y half and
    half, so their test leaves it out until one record of it is changed."""
    x = np.r_[np.repeat([0, 1], 5), np.zeros(90000, dtype=int)]
    y = np.r_[np.repeat([0, 1], 5), np.tile([0, 1], 45000)]
    z = np.r_[np.zeros(10, dtype=int), np.ones(90000, dtype=int)]
    before = np.c_[x, y, z]
    after = before.copy()
    after[10] = [1, 1, 1]
    return [tests.bincondKendall(data, 0, 1, {2})[1] for data in (before, after)]


def main(arguments):
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    checkout, learner = arguments[:2]
    pc, tests = import_program(checkout, learner)
    if learner == "witness":
        print(*witness(tests), sep="\t")
        return
    epsilon, delta = (float(x) for x in arguments[2:4])
    if learner == "priv-pc":
        # Both halves of a step are composed by themselves, with half of delta each.
        def of_count(count):
            return 2 * advanced(count, epsilon / 2, delta / 2)
    else:
        def of_count(count):
            return advanced(count, epsilon, delta)
    for file in arguments[4:]:
        data = pd.read_csv(file).to_numpy(dtype=int)
        seen = {"rows": data.shape[0]}
        start = time.process_time()
        skeleton, separating, total, _, _ = learn(pc, tests, learner, data, epsilon, delta, seen)
        edges = list(skeleton.edges)
        pc.estimate_cpdag(skel_graph=skeleton, sep_set=separating)
        seconds = time.process_time() - start
        count = steps_charged(total, of_count)
        text = ",".join("%d-%d" % edge for edge in edges)
        print(seconds, total, count, seen["rows"], text, sep="\t", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
