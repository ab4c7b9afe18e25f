package gilmok.documents;

import com.mongodb.ConnectionString;
import com.mongodb.ReadPreference;
import gilmok.config.Settings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address of MongoDB, its timeouts and limits. {@link #toString} never shows the address, as it
 * holds the password. Immutable.
 *
 * @param uri {@code mongodb://user:password@host:27017/?replicaSet=rs0}; null when there is none
 * @param database the database of our collections; one named in the URI wins
 * @param readFrom the servers that {@code find} and {@code list} read from; reads on which a
 *     decision rests go to the primary
 * @param connectTimeout how long connecting may take
 * @param timeout how long a call may take in all, once it has a connection
 * @param indexes what is done about missing indexes
 * @param instead a database used instead of {@code database} and the URI's; null for none
 */
public record MongoConfig(
    @Nullable String uri,
    String database,
    ReadFrom readFrom,
    Pool pool,
    Duration connectTimeout,
    Duration timeout,
    IndexMode indexes,
    @Nullable String instead) {
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /**
   * The limits of the connection pool.
   *
   * @param min connections kept open to each server
   * @param max most connections to each server, and most calls in flight
   * @param waitingMax most calls that wait for a place; more are refused at once
   * @param acquireTimeout how long a call waits for a place
   */
  public record Pool(int min, int max, int waitingMax, Duration acquireTimeout) {}

  /** MongoDB's read preferences, for reads on which no decision rests. */
  public enum ReadFrom {
    PRIMARY,
    PRIMARY_PREFERRED,
    SECONDARY,
    SECONDARY_PREFERRED,
    NEAREST
  }

  /** What is done about missing indexes. */
  public enum IndexMode {
    /** Create them in empty collections; report them in others. */
    WHERE_EMPTY,
    /** Create them. */
    CREATE,
    /** Report them. */
    CHECK,
    /** Do not check. */
    OFF
  }

  /** The same configuration without a MongoDB. */
  public MongoConfig without() {
    return with(null, null, pool.max);
  }

  /**
   * The same configuration for another MongoDB, with at most {@code most} connections and none kept
   * open.
   */
  public MongoConfig at(String other, int most) {
    return with(other, database, most);
  }

  /**
   * The same configuration for another database, with at most {@code most} connections and none
   * kept open.
   */
  MongoConfig instead(String other, int most) {
    return with(uri, other, most);
  }

  private MongoConfig with(@Nullable String address, @Nullable String other, int most) {
    return new MongoConfig(
        address,
        database,
        readFrom,
        new Pool(0, Math.min(pool.max, most), pool.waitingMax, pool.acquireTimeout),
        connectTimeout,
        timeout,
        IndexMode.WHERE_EMPTY,
        other);
  }

  /** The name of the database of our collections. */
  public String databaseName() {
    ConnectionString parsed = parsed();
    String named = parsed == null ? null : parsed.getDatabase();
    return instead != null ? instead : named != null ? named : database;
  }

  /** Reads the keys {@code documents.mongo-*}. */
  public static MongoConfig from(Settings settings) {
    MongoConfig config =
        new MongoConfig(
            settings.secret("documents.mongo-uri"),
            settings.text("documents.mongo-database", "gilmok"),
            settings.choice("documents.mongo-read-from", ReadFrom.PRIMARY),
            new Pool(
                settings.number("documents.mongo-connections-min", 4, 0, 1_000),
                settings.number("documents.mongo-connections-max", 64, 1, 1_000),
                settings.number("documents.mongo-waiting-max", 1_024, 0, 100_000),
                settings.duration("documents.mongo-acquire-timeout", "1 s", SHORTEST, LONGEST)),
            settings.duration("documents.mongo-connect-timeout", "2 s", SHORTEST, LONGEST),
            settings.duration("documents.mongo-timeout", "5 s", SHORTEST, LONGEST),
            settings.choice("documents.mongo-indexes", IndexMode.WHERE_EMPTY),
            null);
    if (config.pool.min > config.pool.max) {
      settings.problem(
          "documents.mongo-connections-min: must not be above documents.mongo-connections-max");
    }
    if (!config.database.matches("[A-Za-z0-9_-]{1,38}")) {
      settings.problem("documents.mongo-database: must be 1 to 38 letters, digits, _ and -");
    }
    if (config.uri != null && config.parsed() == null) {
      settings.problem(
          "documents.mongo-uri: must look like mongodb://user:password@host:27017/?replicaSet=rs0,"
              + " or mongodb+srv://");
    }
    return config;
  }

  /** The address as parsed by the driver; null when there is none, or it is malformed. */
  @Nullable ConnectionString parsed() {
    try {
      return uri == null ? null : new ConnectionString(uri);
    } catch (IllegalArgumentException unreadable) { // its message may hold the password
      return null;
    }
  }

  ReadPreference readPreference() {
    return switch (readFrom) {
      case PRIMARY -> ReadPreference.primary();
      case PRIMARY_PREFERRED -> ReadPreference.primaryPreferred();
      case SECONDARY -> ReadPreference.secondary();
      case SECONDARY_PREFERRED -> ReadPreference.secondaryPreferred();
      case NEAREST -> ReadPreference.nearest();
    };
  }

  /** User and password, both as written in the address and decoded. */
  List<String> secrets() {
    int begin = uri == null ? -1 : uri.indexOf("://");
    int end = uri == null ? -1 : uri.lastIndexOf('@');
    if (uri == null || begin < 0 || end < begin) {
      return List.of();
    }
    List<String> secrets = new ArrayList<>();
    for (String part : uri.substring(begin + 3, end).split(":", 2)) {
      if (!part.isEmpty()) {
        secrets.add(part);
        secrets.add(URLDecoder.decode(part, StandardCharsets.UTF_8));
      }
    }
    return secrets;
  }

  @Override
  public String toString() {
    return "MongoConfig[uri=%s, database=%s, readFrom=%s]"
        .formatted(uri == null ? "none" : "********", database, readFrom);
  }
}
