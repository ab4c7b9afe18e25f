package gilmok.documents;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A MongoDB's protocol on a free port of loopback, over this process's memory: what a server is
 * warmed up against in place of the fleet's, which is not written to. It keeps what it is told
 * until it is closed, and promises nothing. Thread-safe.
 */
public final class MongoStandIn implements AutoCloseable {
  /** Held, as the JDK would forget it and its level: it tells its beginning at INFO. */
  private static final Logger LINES = Logger.getLogger("de.bwaldvogel.mongo");

  private final MongoServer server;
  private final String uri;

  /** An empty one. */
  public MongoStandIn() {
    LINES.setLevel(Level.SEVERE);
    server = new MongoServer(new MemoryBackend().version(ServerVersion.MONGO_5_0));
    uri = "mongodb://127.0.0.1:" + server.bind().getPort() + "/?directConnection=true";
  }

  /** Where it listens. */
  public String uri() {
    return uri;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
