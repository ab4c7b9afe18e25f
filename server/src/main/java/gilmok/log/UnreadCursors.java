package gilmok.log;

import gilmok.observe.Meters;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Finds cursors without a reader, because their part of the server is switched off. Each keeps the
 * log from deleting, and a full log accepts nothing. The records behind them are unread and would
 * be lost to that part, so the cursors are kept, named and counted.
 */
public final class UnreadCursors {
  private static final Logger LOG = System.getLogger("gilmok.log");

  private UnreadCursors() {}

  /**
   * Warns of these cursors and counts them. Call it after all running parts have requested theirs.
   */
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
        "Cursors that keep the log from deleting segments, and whose reader does not"
            + " run here.",
        () -> log.unreadCursors().size());
  }
}
