package gilmok.doctor;

import gilmok.documents.MongoServerState;
import gilmok.documents.MongoServerState.Connections;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at what a MongoDB server says about itself: its connections, and its clock. */
public final class MongoServerDoctor {
  /** The driver's own, beside the pool: they watch each server. */
  private static final int WATCHERS = 3;

  private static final double FREE_MIN = 0.1;

  private MongoServerDoctor() {}

  /**
   * Looks at it.
   *
   * @param nodes how many of our servers are seen to use it
   * @param poolMax the most connections of one of them
   */
  public static List<Check> look(MongoServerState server, int nodes, int poolMax) {
    return List.of(connections(server.connections(), Math.max(1, nodes), poolMax), clock(server));
  }

  private static Check connections(@Nullable Connections seen, int nodes, int poolMax) {
    long ours = (long) nodes * (poolMax + WATCHERS);
    String nodesOpen = "%d %s may open %,d".formatted(nodes, nodes == 1 ? "node" : "nodes", ours);
    if (seen == null) {
      return Check.unknown(
          "connections",
          nodesOpen + "; how many it takes it does not say to this user",
          "give the user the role clusterMonitor to have it looked at, or compare it yourself:"
              + " db.serverStatus().connections");
    }
    long limit = seen.open() + seen.available();
    return Check.of(
        "connections",
        "%,d open of %,d; %s".formatted(seen.open(), limit, nodesOpen),
        ours <= limit && seen.available() >= FREE_MIN * limit,
        "lower documents.mongo-connections-max of each node, or raise MongoDB's"
            + " net.maxIncomingConnections and its ulimit -n, of which it takes at most 80 %: over"
            + " its limit it closes connections, also those of a server that starts");
  }

  private static Check clock(MongoServerState server) {
    Duration ahead = server.clockAhead();
    if (ahead == null) {
      return Check.unknown("clock", "it does not say", "");
    }
    return ClockOffset.check(
        ahead, server.within(), "nodes lease shards from each other by their clocks");
  }
}
