package gilmok.warmup.shadow;

import gilmok.auth.Keys;
import gilmok.documents.MongoConfig;
import gilmok.redis.RedisConfig;
import gilmok.storage.NodeId;
import gilmok.warmup.WarmUpScript;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A server as its warm-up sees it: it can start a second one of its kind, in the same process. */
public interface WarmableServer {
  /**
   * What is known of it from its start on.
   *
   * @param port where it listens
   * @param node its id
   * @param data its data folder
   * @param mongo where its documents are, if they are in MongoDB
   * @param redis the Redis that it uses, if any
   * @param keys those that it lets in
   */
  record Facts(int port, NodeId node, Path data, MongoConfig mongo, RedisConfig redis, Keys keys) {}

  /** See {@link Facts}. */
  Facts facts();

  /** What each of its features is asked to become fast. */
  List<WarmUpScript> scripts();

  /**
   * Starts its shadow: the same parts, on a free port of this machine, over a folder of its own. It
   * shares the event loops, and what runs apart.
   *
   * @param folder of the shadow; empty
   * @param adminKey the shadow's, so that it makes none
   * @param mongo the shadow's; may be none
   * @param redis the shadow's; may be none
   */
  WarmableServer shadow(Path folder, String adminKey, MongoConfig mongo, RedisConfig redis)
      throws IOException, InterruptedException;

  /** Makes ready what can only be so in this very server; what takes time and no requests. */
  void prepare();

  /** Makes its documents ready for what those of its shadow were asked. */
  void prepareAs(WarmableServer shadow) throws IOException, InterruptedException;

  /** From now on everybody is answered. */
  void open();

  /** Ends in order. */
  void stop() throws IOException, InterruptedException;
}
