package gilmok.documents;

import gilmok.observe.Meters;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * A database beside the fleet's, in the same MongoDB, for the time that a server warms up: it is
 * dropped at the end, and before, if a killed process has left it. No other can be dropped by this.
 * Thread-safe.
 */
public final class MongoScratch implements AutoCloseable {
  private static final String MARK = "_warmup_";

  /** MongoDB's own bound. */
  private static final int NAME_BYTES_MAX = 63;

  /** The clients that warm a server up are few. */
  private static final int CONNECTIONS_MAX = 16;

  private static final Pattern NODE = Pattern.compile("[a-z2-7]{12}");

  private final MongoConfig config;
  private final Meters meters = new Meters();
  private final MongoDocuments documents;

  /**
   * An empty one.
   *
   * @param fleet how the fleet's is reached
   * @param node of the server: no other uses the same
   * @throws IOException when MongoDB does not answer, or its user may not do that
   */
  public MongoScratch(MongoConfig fleet, String node) throws IOException, InterruptedException {
    config = fleet.instead(name(fleet.databaseName(), node), CONNECTIONS_MAX);
    documents = new MongoDocuments(config, meters);
    try {
      documents.dropAll();
    } catch (IOException | InterruptedException | RuntimeException failed) {
      release();
      throw failed;
    }
  }

  /** What it is called: the fleet's name, cut where the whole would be too long, and the node. */
  static String name(String database, String node) {
    if (!NODE.matcher(node).matches()) {
      throw new IllegalArgumentException("no node: " + node);
    }
    int room = NAME_BYTES_MAX - MARK.length() - node.length();
    // Names of databases are ASCII where ours are checked; one of the address may be anything.
    String ascii = database.replaceAll("[^A-Za-z0-9_-]", "_");
    return (ascii.length() > room ? ascii.substring(0, room) : ascii) + MARK + node;
  }

  /** How it is reached. */
  public MongoConfig config() {
    return config;
  }

  /**
   * Drops it.
   *
   * @throws IOException when that failed; the next warm-up of this node tries again
   */
  @Override
  public void close() throws IOException {
    try {
      documents.dropAll();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: the database " + config.databaseName() + " is left");
    } finally {
      release();
    }
  }

  private void release() {
    documents.close();
    meters.close();
  }
}
