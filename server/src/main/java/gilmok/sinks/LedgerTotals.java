package gilmok.sinks;

import gilmok.log.StreamCounts;

/** The numbers of an account at one moment; since is 0 for a stream that is not taken. */
record LedgerTotals(
    long low,
    StreamCounts since,
    StreamCounts before,
    StreamCounts delivered,
    StreamCounts quarantined,
    StreamCounts skipped,
    StreamCounts lost,
    StreamCounts settledAbove,
    StreamCounts below,
    int settledRanges,
    int inFlight,
    int noted,
    boolean isPaused,
    boolean isDetached,
    long oldestMillis) {}
