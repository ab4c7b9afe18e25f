package gilmok.documents;

import com.mongodb.ConnectionString;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import gilmok.config.HiddenSecrets;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.observe.WaitMeter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;

/**
 * The server's only MongoDB client. A write is acknowledged when a majority of the replica set has
 * it in the journal; reads see only data acknowledged by a majority. Calls block, so make them on
 * virtual threads. There are no more calls in flight than connections: a slow database delays only
 * those, and the others are refused cheaply. Thread-safe.
 */
public final class MongoDocuments implements AutoCloseable {
  /** MongoDB's error code for a duplicate key. */
  public static final int DUPLICATE_KEY = 11_000;

  private static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);
  private static final long IDLE_MINUTES = 10;
  private static final int TEXT_CHARS_MAX = 300;

  /** A call to the database. */
  @FunctionalInterface
  public interface Call<T> {
    /** Makes the call, on the caller's thread. */
    T ask();
  }

  private final MongoConfig config;
  private final MongoClient client;
  private final MongoDatabase database;
  private final MongoDatabase replies;
  private final MongoMeters meter;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Counter refused;
  private final WaitMeter wait;
  private final WaitMeter connectionWait;
  private volatile boolean isClosed;

  /** Null when all calls are allowed. */
  private volatile @Nullable Held held;

  /** Why calls are refused: the database does not answer, or lacks something that is needed. */
  private record Held(MongoOutage why, boolean isAway) {}

  /** Referenced here, as the JDK would drop the logger with its level. */
  private final Logger drivers = Logger.getLogger("org.mongodb.driver");

  /**
   * A client that connects in the background.
   *
   * @param config must have a readable URI
   */
  public MongoDocuments(MongoConfig config, Meters meters) {
    ConnectionString uri = config.parsed();
    if (uri == null) {
      throw new IllegalStateException("documents.mongo-uri is not set, or cannot be read");
    }
    this.config = config;
    // The driver logs the user's name at INFO, and a stack trace for each check of a server that is
    // down.
    drivers.setLevel(Level.SEVERE);
    meter = new MongoMeters(meters, config.pool().min(), config.pool().max());
    client = MongoClients.create(settings(config, uri, meter, new MongoCommandMeters(meters)));
    database = client.getDatabase(config.databaseName());
    replies = database.withCodecRegistry(CodecRegistries.fromCodecs(new MongoReply()));
    free = new Semaphore(config.pool().max(), true);
    meters.gauge(
        "gilmok_documents_mongo_waiting", "Calls that wait for a connection.", waiting::get);
    wait = new WaitMeter(meters, "mongo");
    connectionWait = new WaitMeter(meters, "mongo-connection");
    refused =
        meters.counter(
            "gilmok_documents_mongo_refused_total",
            "Calls refused, as no connection became free in time.");
  }

  private static MongoClientSettings settings(
      MongoConfig config, ConnectionString uri, MongoMeters meter, MongoCommandMeters commands) {
    int connectMillis = (int) config.connectTimeout().toMillis();
    return MongoClientSettings.builder()
        .applyConnectionString(uri)
        .applicationName("gilmok")
        // Overrides the URI: a weaker setting would break what a 2xx promises.
        .writeConcern(DURABLE)
        .readConcern(ReadConcern.MAJORITY)
        .readPreference(ReadPreference.primary())
        .timeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .applyToSocketSettings(
            socket -> socket.connectTimeout(connectMillis, TimeUnit.MILLISECONDS))
        .applyToConnectionPoolSettings(
            pool ->
                pool.minSize(config.pool().min())
                    .maxSize(config.pool().max())
                    .maxConnectionIdleTime(IDLE_MINUTES, TimeUnit.MINUTES)
                    .addConnectionPoolListener(meter))
        .addCommandListener(commands)
        .build();
  }

  /** One of our collections, with that codec for its documents. Reads go to the primary. */
  public <T> MongoCollection<T> collection(String name, Codec<T> codec) {
    return database
        .getCollection(name, codec.getEncoderClass())
        .withCodecRegistry(
            CodecRegistries.fromRegistries(
                CodecRegistries.fromCodecs(codec),
                CodecRegistries.fromProviders(new BsonValueCodecProvider())));
  }

  /**
   * The same collection with the configured read preference, for reads on which no decision rests.
   */
  public <T> MongoCollection<T> relaxed(MongoCollection<T> collection) {
    return collection.withReadPreference(config.readPreference());
  }

  /**
   * Refuses all calls at once until the database was {@link #greet greeted} (after which those of
   * {@link #askEarly} are allowed) and {@link #open opened}. Must come before the first call.
   */
  public void hold() {
    held = new Held(new MongoOutage("MongoDB: it was not asked yet"), true);
  }

  /** Whether all calls are allowed. */
  public boolean isOpen() {
    return held == null;
  }

  /**
   * Checks whether a held database answers. If not, early calls are refused at once, too.
   *
   * @throws IOException when it does not answer
   */
  public void greet() throws IOException, InterruptedException {
    try {
      ping();
    } catch (MongoOutage away) {
      held = new Held(away, true);
      throw away;
    }
    Held before = held;
    if (before != null && before.isAway) {
      lacks("it is being looked at");
    }
  }

  /** Sets why a database that answers is still held. */
  public void lacks(String what) {
    String named = what.startsWith("MongoDB: ") ? what : "MongoDB: " + what;
    held = new Held(new MongoOutage(named), false);
  }

  /** Allows all calls from now on. */
  public void open() {
    held = null;
  }

  /** One of our collections, for questions about the collection itself. */
  MongoCollection<BsonDocument> raw(String name) {
    return database.getCollection(name, BsonDocument.class);
  }

  /** Runs a command, on the caller's thread. */
  public BsonDocument run(BsonDocument command) {
    return database.runCommand(command, BsonDocument.class);
  }

  /** Runs a command about the server, on the caller's thread. */
  public BsonDocument runOfServer(BsonDocument command) {
    return client.getDatabase("admin").runCommand(command, BsonDocument.class);
  }

  /** The name of the database. */
  String databaseName() {
    return database.getName();
  }

  /**
   * Runs a reading command on which no decision rests, and returns its whole answer as bytes. It
   * goes where the read preference says, and is retried once when the connection breaks or the
   * server has changed its role; the driver does that for its own reads but not for commands.
   *
   * @param command with its own {@code readConcern}, as the driver adds none; without {@code
   *     maxTimeMS}, as the driver adds it
   * @throws MongoOutage as {@link #ask}
   */
  public byte[] reply(RawBsonDocument command) throws IOException, InterruptedException {
    return ask(
        () -> {
          try {
            return replies.runCommand(command, config.readPreference(), byte[].class);
          } catch (MongoSocketException
              | MongoNotPrimaryException
              | MongoNodeIsRecoveringException broken) {
            return replies.runCommand(command, config.readPreference(), byte[].class);
          }
        });
  }

  /** Drops the whole database; only for {@link MongoScratch}. */
  void dropAll() throws IOException, InterruptedException {
    ask(
        () -> {
          database.drop();
          return true;
        });
  }

  /**
   * Waits until the connections that are kept are open, so that no request has to open one.
   *
   * @return false when they were not open in time
   */
  public boolean awaitConnections(Duration patience) throws InterruptedException {
    return meter.awaitConnections(patience);
  }

  /**
   * Checks that the database answers.
   *
   * @throws MongoOutage when it does not
   */
  public void ping() throws IOException, InterruptedException {
    put(() -> database.runCommand(new BsonDocument("ping", new BsonInt32(1)), BsonDocument.class));
  }

  /**
   * Makes a call when a connection is free.
   *
   * @throws MongoOutage when no connection is free in time, when the database does not answer in
   *     time, or when it answers with an error that is not the caller's
   */
  public <T> T ask(Call<T> call) throws IOException, InterruptedException {
    Held now = held;
    if (now != null) {
      throw now.why;
    }
    return put(call);
  }

  /**
   * Makes a call that needs no index; allowed also before the database is {@link #isOpen open}.
   *
   * @throws MongoOutage as {@link #ask}
   */
  public <T> T askEarly(Call<T> call) throws IOException, InterruptedException {
    Held now = held;
    if (now != null && now.isAway) {
      throw now.why;
    }
    return put(call);
  }

  private <T> T put(Call<T> call) throws IOException, InterruptedException {
    if (!free.tryAcquire()) {
      waitForOne();
    }
    long began = wait.begin();
    try {
      return call.ask();
    } catch (MongoException e) {
      throw outage(e);
    } catch (IllegalStateException e) { // thrown when the client is closed
      if (isClosed) {
        throw MongoOutage.CLOSED;
      }
      throw e;
    } finally {
      wait.end(began);
      free.release();
    }
  }

  private void waitForOne() throws IOException, InterruptedException {
    boolean found = false;
    long began = connectionWait.begin();
    try {
      found =
          waiting.incrementAndGet() <= config.pool().waitingMax()
              && free.tryAcquire(config.pool().acquireTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      waiting.decrementAndGet();
      connectionWait.end(began);
    }
    if (!found) {
      refused.increment();
      throw MongoOutage.BUSY;
    }
  }

  /** Whether duplicate keys are the only errors. */
  public static boolean saysDuplicatesAlone(MongoBulkWriteException thrown) {
    return thrown.getWriteConcernError() == null // else the inserted ones may not be durable
        && !thrown.getWriteErrors().isEmpty()
        && thrown.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
  }

  /** The exception to throw for the driver's; its message has neither user nor password. */
  MongoOutage outage(MongoException thrown) throws InterruptedException {
    if (thrown instanceof MongoInterruptedException) {
      boolean _ = Thread.interrupted(); // the driver sets the flag again; the exception replaces it
      throw new InterruptedException("interrupted while asking MongoDB");
    }
    String message = thrown.getMessage();
    String text = HiddenSecrets.in(message == null ? "" : message, config.secrets());
    String shown = text.length() > TEXT_CHARS_MAX ? text.substring(0, TEXT_CHARS_MAX) : text;
    return new MongoOutage("MongoDB: " + thrown.getClass().getSimpleName() + ": " + shown);
  }

  /** Closes all connections; calls in flight fail. */
  @Override
  public void close() {
    isClosed = true;
    client.close();
  }
}
