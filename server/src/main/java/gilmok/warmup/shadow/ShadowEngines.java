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
 * The MongoDB and the Redis of a {@link ShadowServer}. By default they are stand-ins on loopback
 * that implement the parts of their protocols this program uses; the engines shared with the fleet
 * are not written to. If the setting {@code warm-up.shared-engines} is on, they are the fleet's own
 * engines but with separate data: a database of its own in the same MongoDB, which is dropped at
 * the end; and keys of its own in the same Redis, which expire within half a minute. An engine that
 * cannot be used is left out.
 */
final class ShadowEngines implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gilmok.warmup");

  /** Enough for the few connections of a warm-up. */
  private static final int MONGO_CONNECTIONS_MAX = 16;

  private final CloseStack closeStack = new CloseStack();
  private final List<String> notes = new ArrayList<>();
  private MongoConfig mongo;
  private RedisConfig redis;

  /** Whether the MongoDB is the fleet's. */
  private boolean isShared;

  private ShadowEngines(MongoConfig mongo, RedisConfig redis) {
    this.mongo = mongo;
    this.redis = redis;
  }

  /**
   * Opens the engines of a shadow server.
   *
   * @param original the server that is shadowed
   * @param isShared whether to use the fleet's own engines, with separate data
   * @param hasRedis whether the original's Redis answers, if it has one
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
   * Leaves out MongoDB after a failed start. Only a database in the fleet's MongoDB can be the
   * cause, as its user may lack a permission; the start is then worth another attempt without it.
   *
   * @return whether to try again
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

  /** The shadow's MongoDB; without one its documents are in SQLite. */
  MongoConfig mongo() {
    return mongo;
  }

  /** The shadow's Redis; may be none. */
  RedisConfig redis() {
    return redis;
  }

  /** Differences from the original, for the operator; empty if there are none. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void close() {
    boolean isHurried = Thread.interrupted(); // Or our database would be left behind.
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
