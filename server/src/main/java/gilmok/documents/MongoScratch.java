package gilmok.documents;

import gilmok.observe.Meters;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * A scratch database for a server's warm-up, or for {@code gilmok accept}, in the same MongoDB as
 * the fleet's. It is dropped at the end, and at the start if a killed process has left it. No other
 * database can be dropped by this class. Thread-safe.
 */
public final class MongoScratch implements AutoCloseable {
  private static final String MARK = "_warmup_";
  private static final String ACCEPT_MARK = "_accept_";

  /** MongoDB's own limit. */
  private static final int NAME_BYTES_MAX = 63;

  /** The warm-up has few clients. */
  private static final int CONNECTIONS_MAX = 16;

  private static final Pattern NODE = Pattern.compile("[a-z2-7]{12}");

  private final MongoConfig config;
  private final Meters meters = new Meters();
  private final MongoDocuments documents;

  /**
   * An empty scratch database.
   *
   * @param fleet the configuration of the fleet's database
   * @param node the server's node id, so that no other server uses the same name
   * @throws IOException when MongoDB does not answer, or its user may not create or drop the
   *     database
   */
  public MongoScratch(MongoConfig fleet, String node) throws IOException, InterruptedException {
    this(fleet, name(fleet.databaseName(), MARK, node), CONNECTIONS_MAX);
  }

  private MongoScratch(MongoConfig fleet, String name, int connectionsMax)
      throws IOException, InterruptedException {
    config = fleet.instead(name, connectionsMax);
    documents = new MongoDocuments(config, meters);
    try {
      documents.dropAll();
    } catch (IOException | InterruptedException | RuntimeException failed) {
      release();
      throw failed;
    }
  }

  /**
   * An empty scratch database for {@code gilmok accept}.
   *
   * @param node makes the name unique, as a node's id does
   * @throws IOException as the constructor does
   */
  public static MongoScratch accepting(MongoConfig fleet, String node)
      throws IOException, InterruptedException {
    return new MongoScratch(fleet, nameOfAccepting(fleet, node), CONNECTIONS_MAX);
  }

  /** The name of the scratch database of {@link #accepting}. */
  public static String nameOfAccepting(MongoConfig fleet, String node) {
    return name(fleet.databaseName(), ACCEPT_MARK, node);
  }

  /** The scratch database's name: the fleet's, shortened if necessary, and the node's id. */
  static String name(String database, String node) {
    return name(database, MARK, node);
  }

  private static String name(String database, String mark, String node) {
    if (!NODE.matcher(node).matches()) {
      throw new IllegalArgumentException("no node: " + node);
    }
    int room = NAME_BYTES_MAX - mark.length() - node.length();
    // Our setting allows only ASCII, but a name in the address can be anything.
    String ascii = database.replaceAll("[^A-Za-z0-9_-]", "_");
    return (ascii.length() > room ? ascii.substring(0, room) : ascii) + mark + node;
  }

  /** The configuration that reaches the scratch database. */
  public MongoConfig config() {
    return config;
  }

  /**
   * Drops the scratch database.
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
