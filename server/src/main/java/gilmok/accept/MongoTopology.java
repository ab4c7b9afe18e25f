package gilmok.accept;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import gilmok.documents.MongoDocuments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Which servers a MongoDB consists of, and what happens between them: how stale secondaries are,
 * what a step-down of the primary costs. Writes into the scratch database alone.
 *
 * @param documents of the scratch database
 * @param kind {@code one server}, {@code replica set rs0}, {@code sharded}
 * @param hosts the members of a replica set; empty for others
 */
record MongoTopology(MongoDocuments documents, String kind, List<String> hosts) {
  private static final String COLLECTION = "accept_writes";
  private static final int ROUNDS = 20;
  private static final long SEEN_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final int AWAY_SECONDS = 10;
  private static final long BEFORE_MILLIS = 1_000;
  private static final long AFTER_MILLIS = 20_000;
  private static final int UNAUTHORIZED = 13;

  MongoTopology {
    hosts = List.copyOf(hosts);
  }

  /** Asks the server that answers. */
  static MongoTopology ask(MongoDocuments documents) throws IOException, InterruptedException {
    BsonDocument hello = documents.ask(() -> hello(documents));
    List<String> hosts = new ArrayList<>();
    hello.getArray("hosts", new BsonArray()).forEach(host -> hosts.add(host.asString().getValue()));
    String kind =
        hello.getString("msg", new BsonString("")).getValue().equals("isdbgrid")
            ? "sharded"
            : hello.containsKey("setName")
                ? "replica set " + hello.getString("setName").getValue()
                : "one server";
    return new MongoTopology(documents, kind, hosts);
  }

  private static BsonDocument hello(MongoDocuments documents) {
    try {
      return documents.runOfServer(new BsonDocument("hello", new BsonInt32(1)));
    } catch (MongoCommandException unknown) { // before MongoDB 4.4.2
      return documents.runOfServer(new BsonDocument("isMaster", new BsonInt32(1)));
    }
  }

  boolean isReplicaSet() {
    return hosts.size() > 1;
  }

  boolean isSharded() {
    return kind.equals("sharded");
  }

  private MongoCollection<BsonDocument> collection() {
    return documents.collection(COLLECTION, new BsonDocumentCodec());
  }

  /** Writes with the majority, and waits until a secondary shows it; each time is noted. */
  String stale(Findings findings) throws IOException, InterruptedException {
    MongoCollection<BsonDocument> primary = collection();
    MongoCollection<BsonDocument> secondary =
        primary.withReadPreference(ReadPreference.secondary()).withReadConcern(ReadConcern.LOCAL);
    BsonString id = new BsonString("stale");
    for (int i = 1; i <= ROUNDS; i++) {
      BsonDocument next = new BsonDocument("_id", id).append("n", new BsonInt32(i));
      documents.ask(
          () -> primary.replaceOne(Filters.eq(id), next, new ReplaceOptions().upsert(true)));
      long wrote = System.nanoTime();
      while (!next.equals(documents.ask(() -> secondary.find(Filters.eq(id)).first()))) {
        Findings.require(
            System.nanoTime() - wrote < SEEN_NANOS_MAX,
            "a secondary does not show after 5 s what the majority has");
      }
      findings.note("until a secondary shows a write", System.nanoTime() - wrote);
    }
    return ROUNDS + " writes were shown by secondaries, see the times below";
  }

  /** Has the primary step down while it is written to: what was acknowledged must be there. */
  String stepDown(Findings findings) throws IOException, InterruptedException {
    return writes(findings, this::askToStepDown, BEFORE_MILLIS, AFTER_MILLIS);
  }

  /**
   * Writes all the time, and has the primary go away meanwhile.
   *
   * @param leave makes it go away
   * @param before when, in ms
   * @param after how much longer is written, in ms; a primary must be back after half of it
   */
  String writes(Findings findings, Findings.Step leave, long before, long after)
      throws IOException, InterruptedException {
    String first = primary();
    Set<Integer> acknowledged = new HashSet<>();
    int failed = 0;
    long longest = 0;
    boolean isAsked = false;
    long began = System.nanoTime();
    long last = began;
    for (int i = 0; millisSince(began) < before + after; i++) {
      if (!isAsked && millisSince(began) > before) {
        isAsked = true;
        leave.run();
      }
      BsonDocument next = new BsonDocument("_id", new BsonInt32(i));
      try {
        documents.ask(() -> collection().insertOne(next));
        acknowledged.add(i);
        longest = Math.max(longest, System.nanoTime() - last);
        last = System.nanoTime();
      } catch (IOException away) {
        failed++;
      }
      boolean _ = new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
    }
    Set<Integer> missing = new HashSet<>(acknowledged);
    documents
        .ask(() -> collection().find(Filters.type("_id", "int")).into(new ArrayList<>()))
        .forEach(one -> missing.remove(one.getInt32("_id").getValue()));
    findings.note("longest time without a write, by a step-down", longest);
    String seen =
        "%d writes acknowledged, %d missing; %d failed; none for %d ms at most; %s, then %s"
            .formatted(
                acknowledged.size(),
                missing.size(),
                failed,
                TimeUnit.NANOSECONDS.toMillis(longest),
                first,
                primary());
    Findings.require(missing.isEmpty() && !acknowledged.isEmpty(), seen);
    Findings.require(millisSince(last) < after / 2, seen + "; no primary since");
    return seen;
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  /** The name of the server that is written to. */
  private String primary() throws IOException, InterruptedException {
    return documents
        .ask(() -> hello(documents))
        .getString("me", new BsonString("no name"))
        .getValue();
  }

  /** The primary may close the connection in place of an answer. */
  private String askToStepDown() throws IOException, InterruptedException {
    BsonDocument command = new BsonDocument("replSetStepDown", new BsonInt32(AWAY_SECONDS));
    String refusal =
        documents.ask(
            () -> {
              try {
                documents.runOfServer(command);
                return "";
              } catch (MongoCommandException refused) {
                return refused.getErrorCode() == UNAUTHORIZED
                    ? "denied: replSetStepDown on admin (the role clusterManager has it)"
                    : "it does not step down: " + refused.getErrorMessage();
              } catch (MongoException closed) {
                return "";
              }
            });
    Findings.require(refusal.isEmpty(), refusal);
    return "asked";
  }
}
