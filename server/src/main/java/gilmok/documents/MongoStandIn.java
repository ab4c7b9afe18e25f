package gilmok.documents;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * An in-memory server that speaks MongoDB's protocol on a free port of loopback. A server is warmed
 * up against it, so that nothing is written to the fleet's MongoDB. It keeps its data until it is
 * closed, and nothing is durable. Thread-safe.
 */
public final class MongoStandIn implements AutoCloseable {
  /**
   * Referenced here, as the JDK would drop the logger with its level. It logs its start at INFO.
   */
  private static final Logger LINES = Logger.getLogger("de.bwaldvogel.mongo");

  private final MongoServer server;
  private final String uri;

  /** Starts an empty server. */
  public MongoStandIn() {
    LINES.setLevel(Level.SEVERE);
    server = new MongoServer(new MemoryBackend().version(ServerVersion.MONGO_5_0));
    uri = "mongodb://127.0.0.1:" + server.bind().getPort() + "/?directConnection=true";
  }

  /** The URI of the server. */
  public String uri() {
    return uri;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
