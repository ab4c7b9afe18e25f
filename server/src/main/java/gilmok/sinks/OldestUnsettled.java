package gilmok.sinks;

import gilmok.log.Log;
import gilmok.log.LogReader;
import java.io.IOException;

/**
 * When the oldest record of a sink was received that is not settled, read from the log; remembered
 * for as long as the low-water mark stands. Thread-safe.
 */
final class OldestUnsettled {
  /** How many records are read at most. */
  private static final int LOOK = 4096;

  private final Log log;
  private final SinkState account;
  private long foundBehind = -1;
  private long foundMillis;

  OldestUnsettled(Log log, SinkState account) {
    this.log = log;
    this.account = account;
  }

  /** Epoch ms; the largest when there is none. */
  synchronized long millis() throws IOException {
    long low = account.low();
    if (foundBehind != low) {
      long millis = look(low);
      if (millis == Long.MAX_VALUE) {
        return millis;
      }
      foundMillis = millis;
      foundBehind = low;
    }
    return foundMillis;
  }

  private long look(long low) throws IOException {
    long[] first = account.firstTaken();
    Sequences settled = account.settledAbove();
    try (LogReader reader = log.reader(low + 1)) {
      for (int i = 0; i < LOOK && reader.next(); i++) {
        if (reader.sequence() >= first[reader.stream().code()]
            && !settled.contains(reader.sequence())) {
          return reader.receivedAtMillis();
        }
      }
    }
    return Long.MAX_VALUE;
  }
}
