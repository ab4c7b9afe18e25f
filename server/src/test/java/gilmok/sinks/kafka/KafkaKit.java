package gilmok.sinks.kafka;

import java.nio.file.Files;
import java.util.concurrent.ExecutionException;
import kafka.server.BrokerServer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.jspecify.annotations.Nullable;

/**
 * Three real brokers in the tests' own process, with one controller; started once and shared by the
 * tests of a process, which have topics of their own. Rights are checked: everything is allowed
 * that no ACL speaks of.
 */
public final class KafkaKit {
  private static @Nullable KafkaKit shared;

  private final KafkaClusterTestKit kit;
  private final KafkaTopics topics;

  private KafkaKit(KafkaClusterTestKit kit) {
    this.kit = kit;
    topics = new KafkaTopics(kit.bootstrapServers());
  }

  /** The brokers of this process. */
  public static synchronized KafkaKit shared() throws Exception {
    if (shared == null) {
      shared = start();
    }
    return shared;
  }

  private static KafkaKit start() throws Exception {
    KafkaTopics.quiet();
    // A folder of our own: Kafka's removes itself when the process exits, under the brokers that
    // are being closed then; a broker without its folder halts the process, and its tests fail.
    TestKitNodes nodes =
        new TestKitNodes.Builder()
            .setBaseDirectory(Files.createTempDirectory("gilmok-kafka"))
            .setNumBrokerNodes(3)
            .setNumControllerNodes(1)
            .build();
    KafkaClusterTestKit kit =
        new KafkaClusterTestKit.Builder(nodes)
            .setConfigProp(
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
            .setConfigProp("allow.everyone.if.no.acl.found", "true")
            .setConfigProp("offsets.topic.replication.factor", "1")
            .setConfigProp("num.partitions", "3")
            .setConfigProp("default.replication.factor", "3")
            .setConfigProp("broker.session.timeout.ms", "3000")
            .build();
    kit.format();
    kit.startup();
    kit.waitForReadyBrokers();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> close(kit)));
    return new KafkaKit(kit);
  }

  private static void close(KafkaClusterTestKit kit) {
    try {
      kit.close();
    } catch (Exception cannot) {
      System.err.println("the brokers could not be closed: " + cannot);
    }
  }

  /** Where clients begin. */
  public String servers() {
    return kit.bootstrapServers();
  }

  public KafkaTopics topics() {
    return topics;
  }

  /** Stops a broker; its partitions get another leader. */
  public void stop(int broker) {
    BrokerServer server = broker(broker);
    server.shutdown();
    server.awaitShutdown();
  }

  /** Starts all brokers that were stopped. */
  public void start(int... brokers) throws ExecutionException, InterruptedException {
    for (int broker : brokers) {
      broker(broker).startup();
    }
    kit.waitForReadyBrokers();
  }

  private BrokerServer broker(int broker) {
    BrokerServer server = kit.brokers().get(broker);
    if (server == null) {
      throw new IllegalArgumentException("no broker " + broker);
    }
    return server;
  }
}
