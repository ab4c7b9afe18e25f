package gilmok.documents;

import com.mongodb.MongoCommandException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a MongoDB server says about itself. Blocks.
 *
 * @param connections how many are open, and how many more it takes; null when it does not say, as
 *     to a user without the right to ask
 * @param clockAhead how much its clock is ahead of this machine's, within {@code within}; null when
 *     it does not say
 * @param within half of the time that the answer took
 */
public record MongoServerState(
    @Nullable Connections connections, @Nullable Duration clockAhead, Duration within) {
  /**
   * Connections of all clients.
   *
   * @param open now
   * @param available how many more it takes
   */
  public record Connections(long open, long available) {}

  /** Asks the server; the primary of a replica set. */
  public static MongoServerState ask(MongoDocuments documents)
      throws IOException, InterruptedException {
    documents.ping(); // a connection is open now, and is not counted as the answer's time
    Instant before = Instant.now();
    BsonDocument hello = command(documents, new BsonDocument("hello", new BsonInt32(1)));
    Duration within = Duration.between(before, Instant.now()).dividedBy(2);
    BsonValue time = hello.get("localTime");
    BsonValue found =
        command(documents, new BsonDocument("serverStatus", new BsonInt32(1))).get("connections");
    BsonDocument counts = found == null || !found.isDocument() ? null : found.asDocument();
    return new MongoServerState(
        counts == null || !counts.isNumber("current") || !counts.isNumber("available")
            ? null
            : new Connections(
                counts.getNumber("current").longValue(), counts.getNumber("available").longValue()),
        time == null || !time.isDateTime()
            ? null
            : Duration.between(
                before.plus(within), Instant.ofEpochMilli(time.asDateTime().getValue())),
        within);
  }

  /** The answer; empty when the server does not give it. */
  private static BsonDocument command(MongoDocuments documents, BsonDocument command)
      throws IOException, InterruptedException {
    return documents.ask(
        () -> {
          try {
            return documents.runOfServer(command);
          } catch (MongoCommandException refused) {
            return new BsonDocument();
          }
        });
  }
}
