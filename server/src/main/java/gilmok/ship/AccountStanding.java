package gilmok.ship;

import gilmok.log.Counts;

/** The numbers of an account at one moment; since is 0 for a stream that is not taken. */
record AccountStanding(
    long low,
    Counts since,
    Counts before,
    Counts delivered,
    Counts quarantined,
    Counts skipped,
    Counts lost,
    Counts settledAbove,
    Counts below,
    int settledRanges,
    int inFlight,
    int noted,
    boolean isPaused,
    boolean isDetached,
    long oldestMillis) {}
