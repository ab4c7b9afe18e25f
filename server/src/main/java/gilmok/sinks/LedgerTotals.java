package gilmok.sinks;

import gilmok.log.StreamCounts;

/** The numbers of an account, all of one moment. */
record LedgerTotals(
    long low,
    SinkCounts counts,
    StreamCounts settledAbove,
    int settledRanges,
    int inFlight,
    int noted,
    boolean isPaused,
    boolean isDetached,
    long oldestMillis) {}
