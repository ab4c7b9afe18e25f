package gilmok.log;

import gilmok.observe.Meters;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Cursors of readers that do not run here, as their part is left off: each holds the log, which
 * takes nothing more when it is full. What is behind them was not read by their part, and would be
 * lost to it: so they are kept, named and counted.
 */
public final class UnreadCursors {
  private static final Logger LOG = System.getLogger("gilmok.log");

  private UnreadCursors() {}

  /** Names those there are, and counts them. After all parts that run have asked for theirs. */
  public static void show(Log log, Meters meters) {
    for (String cursor : log.unreadCursors()) {
      LOG.log(
          Level.WARNING,
          "the cursor {0}, at sequence {1}, has no reader in this server, so the log keeps all"
              + " records from there on, and refuses new ones once it is full. Switch on the part"
              + " that it belongs to, or stop the server and delete cursors/{0}.cursor",
          cursor,
          String.valueOf(log.sequenceOf(cursor)));
    }
    meters.gauge(
        "gilmok_log_unread_cursors",
        "Cursors that hold the log, and whose reader does not run here.",
        () -> log.unreadCursors().size());
  }
}
