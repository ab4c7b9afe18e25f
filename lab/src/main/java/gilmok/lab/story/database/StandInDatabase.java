package gilmok.lab.story.database;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import gilmok.lab.Subject;
import gilmok.lab.story.experiment.StoryStage;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** SecantusDB, which stands for MongoDB, and clients of it. Thread-safe. */
final class StandInDatabase implements AutoCloseable {
  /** What readers of the figures have to know. */
  static final String NOTE =
      "The database is a stand-in for MongoDB: SecantusDB, a server in Python on this machine,"
          + " which forces no write to disk. How many round trips something takes, and the shapes,"
          + " carry over to a MongoDB; absolute times do not.";

  /** As this server writes. */
  private static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);

  /** Referenced here, as the JDK would drop the logger with its level. It logs each connection. */
  private static final Logger DRIVER = Logger.getLogger("org.mongodb.driver");

  private final Subject server;

  private StandInDatabase(Subject server) {
    this.server = server;
  }

  /**
   * The connections that a client keeps.
   *
   * @param min that are kept open
   * @param max at most
   */
  record Pool(int min, int max) {
    /** The driver's own. */
    static final Pool DEFAULT = new Pool(0, 100);

    /** Always that many. */
    static Pool fixed(int connections) {
      return new Pool(connections, connections);
    }
  }

  /** Starts an empty one; the first time on a machine it is installed, which takes a minute. */
  static StandInDatabase start(StoryStage stage) throws IOException, InterruptedException {
    return new StandInDatabase(stage.servers().secantus(stage.root()));
  }

  /** The port it listens on. */
  int port() {
    return server.port();
  }

  /** The address of a database behind a port of loopback: of this server, or of a way to it. */
  static String uri(int port, String database) {
    return "mongodb://127.0.0.1:" + port + "/" + database + "?directConnection=true";
  }

  /**
   * A client that connects in the background.
   *
   * @param port of this server, or of a way to it
   * @param count is told of its commands
   */
  static MongoClient client(int port, Pool pool, CommandCount count) {
    DRIVER.setLevel(Level.WARNING);
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(uri(port, "story")))
            .writeConcern(DURABLE)
            .applyToConnectionPoolSettings(settings -> settings.minSize(pool.min).maxSize(pool.max))
            .addCommandListener(count)
            .build());
  }

  @Override
  public void close() {
    server.close();
  }
}
