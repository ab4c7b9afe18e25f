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
 * The one client of MongoDB that a server has. Writes are answered when a majority of the replica
 * set has them in its journal; what is read has been acknowledged by a majority. Calls block, on
 * virtual threads; no more of them are under way than there are connections, so that a slow
 * database is felt by as many, and the others are refused cheaply. Thread-safe.
 */
public final class MongoDocuments implements AutoCloseable {
  /** The error of an id that is there already. */
  public static final int DUPLICATE_KEY = 11_000;

  private static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);
  private static final long IDLE_MINUTES = 10;
  private static final int TEXT_CHARS_MAX = 300;

  /** Something that asks the database. */
  @FunctionalInterface
  public interface Call<T> {
    /** Asks, on the caller's thread. */
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
  private volatile boolean isClosed;

  /** Null when everybody may ask. */
  private volatile @Nullable Held held;

  /** Why it is not asked: it does not answer, or is not yet what is needed of it. */
  private record Held(MongoOutage why, boolean isAway) {}

  /** Held, as the JDK would forget it and its level. */
  private final Logger drivers = Logger.getLogger("org.mongodb.driver");

  /**
   * A client; it connects in the background.
   *
   * @param config with a readable URI
   */
  public MongoDocuments(MongoConfig config, Meters meters) {
    ConnectionString uri = config.parsed();
    if (uri == null) {
      throw new IllegalStateException("documents.mongo-uri is not set, or cannot be read");
    }
    this.config = config;
    // It tells the user's name at INFO, and a stack trace for each look at a server that is gone.
    drivers.setLevel(Level.SEVERE);
    meter = new MongoMeters(meters, config.pool().min(), config.pool().max());
    client = MongoClients.create(settings(config, uri, meter));
    database = client.getDatabase(config.databaseName());
    replies = database.withCodecRegistry(CodecRegistries.fromCodecs(new MongoReply()));
    free = new Semaphore(config.pool().max(), true);
    meters.gauge(
        "gilmok_documents_mongo_waiting", "Calls that wait for a connection.", waiting::get);
    refused =
        meters.counter(
            "gilmok_documents_mongo_refused_total", "Calls refused, as no connection was free.");
  }

  private static MongoClientSettings settings(
      MongoConfig config, ConnectionString uri, MongoMeters meter) {
    int connectMillis = (int) config.connectTimeout().toMillis();
    return MongoClientSettings.builder()
        .applyConnectionString(uri)
        .applicationName("gilmok")
        // Ours, whatever the URI says: a weaker one would break what a 2xx promises.
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
        .addCommandListener(meter)
        .build();
  }

  /**
   * A collection of ours, of which each document is read and written by that codec. It asks the
   * primary.
   */
  public <T> MongoCollection<T> collection(String name, Codec<T> codec) {
    return database
        .getCollection(name, codec.getEncoderClass())
        .withCodecRegistry(
            CodecRegistries.fromRegistries(
                CodecRegistries.fromCodecs(codec),
                CodecRegistries.fromProviders(new BsonValueCodecProvider())));
  }

  /** The same, for reads that decide nothing: it asks whom the settings say. */
  public <T> MongoCollection<T> relaxed(MongoCollection<T> collection) {
    return collection.withReadPreference(config.readPreference());
  }

  /**
   * Refuses all questions at once, until the database has been {@link #greet greeted} (but for
   * those of {@link #askEarly}) and {@link #open opened}: before anybody asks it.
   */
  public void hold() {
    held = new Held(new MongoOutage("MongoDB: it was not asked yet"), true);
  }

  /** Whether everybody may ask it. */
  public boolean isOpen() {
    return held == null;
  }

  /**
   * Sees whether one that is held answers; if not, early questions are refused at once, too.
   *
   * @throws IOException when it does not
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

  /** Says why one that answers is held all the same. */
  public void lacks(String what) {
    String named = what.startsWith("MongoDB: ") ? what : "MongoDB: " + what;
    held = new Held(new MongoOutage(named), false);
  }

  /** From now on everybody may ask it. */
  public void open() {
    held = null;
  }

  /** A collection of ours, for what is asked about it and not of it. */
  MongoCollection<BsonDocument> raw(String name) {
    return database.getCollection(name, BsonDocument.class);
  }

  /** Runs a command, on the caller's thread. */
  BsonDocument run(BsonDocument command) {
    return database.runCommand(command, BsonDocument.class);
  }

  /** Runs a command about the server, on the caller's thread. */
  BsonDocument runOfServer(BsonDocument command) {
    return client.getDatabase("admin").runCommand(command, BsonDocument.class);
  }

  /** What the database is called. */
  String databaseName() {
    return database.getName();
  }

  /**
   * The whole answer to a command that only reads, and decides nothing, as its bytes: it is asked
   * of whom the settings say, and once more when the connection breaks or the server is no longer
   * what it was. The driver does that for its own reads, and not for commands.
   *
   * @param command with its own {@code readConcern}: the driver adds none; and without {@code
   *     maxTimeMS}: it adds that
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

  /** Drops the database with all that is in it: for {@link MongoScratch} alone. */
  void dropAll() throws IOException, InterruptedException {
    ask(
        () -> {
          database.drop();
          return true;
        });
  }

  /**
   * Waits until so many connections are open as are kept, so that no request has to open one.
   *
   * @return false when they were not in time
   */
  public boolean awaitConnections(Duration patience) throws InterruptedException {
    return meter.awaitConnections(patience);
  }

  /** Whether the database answers. */
  public void ping() throws IOException, InterruptedException {
    put(() -> database.runCommand(new BsonDocument("ping", new BsonInt32(1)), BsonDocument.class));
  }

  /**
   * Asks the database, when a connection is free.
   *
   * @throws MongoOutage when none becomes free in time, or the database does not answer in time, or
   *     with an error that is not the caller's
   */
  public <T> T ask(Call<T> call) throws IOException, InterruptedException {
    Held now = held;
    if (now != null) {
      throw now.why;
    }
    return put(call);
  }

  /**
   * Asks the database, also while it is not yet {@link #isOpen open}: what needs no index.
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
    try {
      return call.ask();
    } catch (MongoException e) {
      throw outage(e);
    } catch (IllegalStateException e) { // the driver's way to say that the client is closed
      if (isClosed) {
        throw MongoOutage.CLOSED;
      }
      throw e;
    } finally {
      free.release();
    }
  }

  private void waitForOne() throws IOException, InterruptedException {
    boolean found = false;
    try {
      found =
          waiting.incrementAndGet() <= config.pool().waitingMax()
              && free.tryAcquire(config.pool().acquireTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      waiting.decrementAndGet();
    }
    if (!found) {
      refused.increment();
      throw MongoOutage.BUSY;
    }
  }

  /** Whether all that went wrong is that some were there already. */
  public static boolean saysDuplicatesAlone(MongoBulkWriteException thrown) {
    return thrown.getWriteConcernError() == null // else what is new may not be durable
        && !thrown.getWriteErrors().isEmpty()
        && thrown.getWriteErrors().stream().allMatch(error -> error.getCode() == DUPLICATE_KEY);
  }

  /** What is thrown for it; its text holds neither user nor password. */
  MongoOutage outage(MongoException thrown) throws InterruptedException {
    if (thrown instanceof MongoInterruptedException) {
      boolean _ = Thread.interrupted(); // the driver has set it again, and the exception tells it
      throw new InterruptedException("interrupted while asking MongoDB");
    }
    String message = thrown.getMessage();
    String text = HiddenSecrets.in(message == null ? "" : message, config.secrets());
    String shown = text.length() > TEXT_CHARS_MAX ? text.substring(0, TEXT_CHARS_MAX) : text;
    return new MongoOutage("MongoDB: " + thrown.getClass().getSimpleName() + ": " + shown);
  }

  /** Ends all connections; calls under way fail. */
  @Override
  public void close() {
    isClosed = true;
    client.close();
  }
}
