package gilmok.sinks;

import gilmok.log.Log;
import gilmok.log.LogReader;
import java.io.IOException;

/**
 * When the oldest unsettled record of a sink was received, read from the log; cached until the
 * low-water mark moves. Thread-safe.
 */
final class OldestUnsettled {
  /** The most records that are read. */
  private static final int LOOK = 4096;

  private final Log log;
  private final SinkState account;
  private long foundBehind = -1;
  private long foundMillis;

  OldestUnsettled(Log log, SinkState account) {
    this.log = log;
    this.account = account;
  }

  /** The time, epoch ms; {@link Long#MAX_VALUE} when there is none. */
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
