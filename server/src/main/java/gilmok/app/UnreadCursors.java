package gilmok.app;

import gilmok.deliveries.Deliveries;
import gilmok.log.Log;
import gilmok.observe.Meters;
import gilmok.positions.Positions;
import gilmok.statements.Statements;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Cursors of readers that do not run here, as their part is left off: each holds the log, which
 * takes nothing more when it is full. What is behind them was not read by their part, and would be
 * lost to it: so they are kept, named and counted. That of positions is forgotten, as they are read
 * again from their snapshot and from what the log has.
 */
final class UnreadCursors {
  private static final Logger LOG = System.getLogger("gilmok.app");

  private UnreadCursors() {}

  /** Forgets or names those there are. After all parts that run have asked for theirs. */
  static void leave(ServerConfig config, Log log, Meters meters)
      throws IOException, InterruptedException {
    if (!config.has(Part.POSITIONS)) {
      Positions.leftOff(log);
    }
    if (!config.has(Part.DELIVERIES)) {
      Deliveries.leftOff(log, meters);
    }
    if (!config.has(Part.STATEMENTS)) {
      Statements.leftOff(log, meters);
    }
    for (String cursor : log.unreadCursors()) {
      LOG.log(
          Level.WARNING,
          "nothing that runs here reads on from the cursor {0}, at sequence {1}: it keeps the log"
              + " from being deleted, which takes nothing more once it is full. Run the part it"
              + " belongs to, or stop the server and delete cursors/{0}.cursor",
          cursor,
          String.valueOf(log.sequenceOf(cursor)));
    }
    meters.gauge(
        "gilmok_log_unread_cursors",
        "Cursors that hold the log, and whose reader does not run here.",
        () -> log.unreadCursors().size());
  }
}
