package gilmok.warmup.shadow;

import gilmok.auth.Keys;
import gilmok.documents.MongoConfig;
import gilmok.redis.RedisConfig;
import gilmok.storage.NodeId;
import gilmok.warmup.WarmUpScript;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server that can be warmed up: it can start a second one of its kind in the same process. */
public interface WarmableServer {
  /**
   * What is fixed once it has started.
   *
   * @param port the port it listens on
   * @param certificate the PEM file of its certificate; null without TLS
   * @param node its node id
   * @param data its data folder
   * @param mongo the MongoDB of its documents, if any
   * @param redis its Redis, if any
   * @param keys the keys that it accepts
   */
  record Facts(
      int port,
      @Nullable Path certificate,
      NodeId node,
      Path data,
      MongoConfig mongo,
      RedisConfig redis,
      Keys keys) {}

  /** See {@link Facts}. */
  Facts facts();

  /** The scripts of all its features. */
  List<WarmUpScript> scripts();

  /**
   * Starts its shadow: a server of the same parts, on a free port of this machine, over a folder of
   * its own. The shadow shares the event loops and the planners' process.
   *
   * @param folder the shadow's; empty
   * @param adminKey the shadow's, so that it makes none
   * @param mongo the shadow's; may be none
   * @param redis the shadow's; may be none
   * @param overTls whether it is asked over the server's TLS
   */
  WarmableServer shadow(
      Path folder, String adminKey, MongoConfig mongo, RedisConfig redis, boolean overTls)
      throws IOException, InterruptedException;

  /** Prepares what can be prepared only in this server; it takes time but no requests. */
  void prepare();

  /** Prepares its documents for the queries that the shadow's documents have run. */
  void prepareAs(WarmableServer shadow) throws IOException, InterruptedException;

  /** Accepts requests from now on. */
  void open();

  /** Stops in order. */
  void stop() throws IOException, InterruptedException;
}
