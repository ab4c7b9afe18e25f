package gilmok.warmup.shadow;

import gilmok.cache.RedisStandIn;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoScratch;
import gilmok.documents.MongoStandIn;
import gilmok.redis.RedisConfig;
import gilmok.runtime.CloseStack;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * The outside engines of a {@link ShadowServer}. Those that a server shares with the fleet are not
 * written to: in their place are stand-ins on loopback, which speak as much of their protocols as
 * this program needs. Where the settings say so ({@code warm-up.shared-engines}) it is the fleet's
 * own, apart from its data: a database of the twin's own in the same MongoDB, gone with it; keys of
 * its own in the same Redis, which expire within half a minute. What cannot be had is done without.
 */
final class ShadowEngines implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gilmok.warmup");

  /** The clients that warm a server up are few. */
  private static final int MONGO_CONNECTIONS_MAX = 16;

  private final CloseStack closeStack = new CloseStack();
  private final List<String> notes = new ArrayList<>();
  private MongoConfig mongo;
  private RedisConfig redis;

  /** Whether its MongoDB is the fleet's. */
  private boolean isShared;

  private ShadowEngines(MongoConfig mongo, RedisConfig redis) {
    this.mongo = mongo;
    this.redis = redis;
  }

  /**
   * Those of a twin.
   *
   * @param original whose shadow it is
   * @param isShared whether they are the fleet's own, apart from its data
   * @param hasRedis whether its original's Redis is there, if it has one
   */
  static ShadowEngines open(WarmableServer.Facts original, boolean isShared, boolean hasRedis)
      throws IOException, InterruptedException {
    ShadowEngines engines = new ShadowEngines(original.mongo(), original.redis());
    try {
      if (isShared) {
        engines.share(original.node(), hasRedis);
      } else {
        engines.standIn();
      }
    } catch (IOException | InterruptedException | RuntimeException failed) {
      engines.close();
      throw failed;
    }
    return engines;
  }

  private void standIn() throws IOException {
    if (mongo.uri() != null) {
      MongoStandIn standIn = closeStack.add(new MongoStandIn());
      mongo = mongo.at(standIn.uri(), MONGO_CONNECTIONS_MAX);
    }
    if (redis.url() != null) {
      RedisStandIn standIn = closeStack.add(RedisStandIn.start());
      redis = redis.at(standIn.url());
    }
  }

  private void share(NodeId node, boolean hasRedis) throws InterruptedException {
    if (mongo.uri() != null) {
      try {
        mongo = closeStack.add(new MongoScratch(mongo, node.toString())).config();
        isShared = true;
      } catch (IOException cannot) {
        mongo = mongo.without();
        note("warmed up with SQLite in place of MongoDB: " + cannot.getMessage());
      }
    }
    if (redis.url() != null && !hasRedis) {
      redis = redis.at(null);
      note("Redis does not answer: warmed up without it");
    }
    redis = redis.below("warmup:" + node);
  }

  private void note(String what) {
    notes.add(what);
    LOG.log(Level.WARNING, what);
  }

  /**
   * A twin could not start with them. Where it has a database in the fleet's MongoDB that may be
   * why, as its user may not do everything there: then it is to be tried once more, without.
   */
  boolean doWithoutMongo(IOException failed) {
    if (!isShared) {
      return false;
    }
    isShared = false;
    mongo = mongo.without();
    note("warmed up with SQLite in place of MongoDB: " + failed.getMessage());
    return true;
  }

  /** Where the twin keeps its documents; none: in SQLite. */
  MongoConfig mongo() {
    return mongo;
  }

  /** The Redis of the twin; none: without one. */
  RedisConfig redis() {
    return redis;
  }

  /** What is otherwise than in the original, for the operator; empty when nothing. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    boolean isHurried = Thread.interrupted(); // a database of ours would be left
    try {
      closeStack.closeAll();
    } catch (IOException left) {
      LOG.log(
          Level.WARNING,
          "a database of the warm-up could not be removed; the next warm-up removes it: {0}",
          left.getMessage());
    } finally {
      if (isHurried) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
