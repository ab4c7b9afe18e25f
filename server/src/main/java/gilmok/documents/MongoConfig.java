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
 * Where MongoDB is, and how it is used. Its text never shows the address, which holds the password.
 *
 * @param uri {@code mongodb://user:password@host:27017/?replicaSet=rs0}; null when there is none
 * @param database whose collections are ours; the URI's own database wins
 * @param readFrom whom {@code find} and {@code list} ask; whatever decides something asks the
 *     primary
 * @param connectTimeout how long a connection may take
 * @param timeout how long a call may take in all, once it is under way
 * @param indexes what is done about indexes that are not there
 * @param instead a database in place of the URI's and of {@code database}; null: one of these
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
   * The connections.
   *
   * @param min kept open to each server
   * @param max most open to each server, and most calls under way
   * @param waitingMax most calls that wait for one under way to end; more are refused at once
   * @param acquireTimeout how long a call waits for that
   */
  public record Pool(int min, int max, int waitingMax, Duration acquireTimeout) {}

  /** Whom reads ask that decide nothing: MongoDB's read preferences. */
  public enum ReadFrom {
    PRIMARY,
    PRIMARY_PREFERRED,
    SECONDARY,
    SECONDARY_PREFERRED,
    NEAREST
  }

  /** What is done about indexes that are not there. */
  public enum IndexMode {
    /** They are made where the collection is empty, and named elsewhere. */
    WHERE_EMPTY,
    /** They are made. */
    CREATE,
    /** They are named. */
    CHECK,
    /** Nothing; nobody looks. */
    OFF
  }

  /** The same, with no MongoDB. */
  public MongoConfig without() {
    return with(null, null, pool.max);
  }

  /**
   * Another MongoDB, used in the same way; with no connections but those that are used, and fewer.
   */
  public MongoConfig at(String other, int most) {
    return with(other, database, most);
  }

  /** The same in another database, with no connections but those that are used, and fewer. */
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

  /** The database whose collections are ours. */
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

  /** The address as the driver reads it; null when there is none, or it cannot be read. */
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

  /** User and password, as they stand in the address and as they are meant. */
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
