package gilmok.sinks.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * A real broker that is its own controller, in a process that can be killed. It has a way in for
 * anybody who may do anything, one by name and password (SASL), and if it has a certificate, one by
 * name and password over TLS (SCRAM), and one for whose certificate it trusts (mutual TLS).
 */
public final class KafkaProcess implements AutoCloseable {
  /** The user of the way by password, and what it needs. */
  static final String USER = "gilmok";

  public static final String PASSWORD = "only-f0r-the-broker";

  /**
   * Kills the broker when its input ends: when the test closes it, or the tests' process has ended
   * in any way.
   */
  private static final String WATCH = "ulimit -f $0; \"$@\" & cat > /dev/null; kill -9 $!; wait $!";

  /** In the unit of the shell's {@code ulimit -f}. */
  private static final int BLOCKS_PER_MEBIBYTE = 2048;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

  private final Path folder;
  private final int open;
  private final int closed;
  private final int scram;
  private final int mutual;
  private @Nullable Process process;

  private KafkaProcess(Path folder) throws IOException {
    this.folder = folder;
    open = freePort();
    closed = freePort();
    scram = freePort();
    mutual = freePort();
  }

  /** Formats a folder and starts a broker on it. */
  public static KafkaProcess start(Path folder) throws IOException, InterruptedException {
    return start(new KafkaProcess(folder), "", "", "");
  }

  /**
   * The same with TLS.
   *
   * @param key a PEM file of its key and certificate
   * @param trusted a PEM file of the certificate that signs those of clients
   */
  static KafkaProcess startWithTls(Path folder, Path key, Path trusted)
      throws IOException, InterruptedException {
    KafkaProcess broker = new KafkaProcess(folder);
    return start(
        broker,
        ",SASL_SSL://127.0.0.1:%d,SSL://127.0.0.1:%d".formatted(broker.scram, broker.mutual),
        ",SASL_SSL:SASL_SSL,SSL:SSL",
        """
        ssl.keystore.type=PEM
        ssl.keystore.location=%s
        ssl.truststore.type=PEM
        ssl.truststore.location=%s
        listener.name.ssl.ssl.client.auth=required
        listener.name.sasl_ssl.sasl.enabled.mechanisms=SCRAM-SHA-512
        listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=\
        org.apache.kafka.common.security.scram.ScramLoginModule required;
        """
            .formatted(key, trusted));
  }

  private static KafkaProcess start(
      KafkaProcess broker, String listeners, String protocols, String more)
      throws IOException, InterruptedException {
    KafkaTopics.quiet();
    Path folder = broker.folder;
    int controller = freePort();
    Files.writeString(
        folder.resolve("server.properties"),
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%1$d
        listeners=PLAINTEXT://127.0.0.1:%2$d,SASL_PLAINTEXT://127.0.0.1:%3$d,\
        CONTROLLER://127.0.0.1:%1$d%7$s
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=\
        PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT%8$s
        inter.broker.listener.name=PLAINTEXT
        log.dirs=%4$s
        offsets.topic.replication.factor=1
        transaction.state.log.replication.factor=1
        sasl.enabled.mechanisms=PLAIN
        listener.name.sasl_plaintext.plain.sasl.jaas.config=\
        org.apache.kafka.common.security.plain.PlainLoginModule required user_%5$s="%6$s";
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:ANONYMOUS
        allow.everyone.if.no.acl.found=true
        """
                .formatted(
                    controller,
                    broker.open,
                    broker.closed,
                    folder.resolve("log"),
                    USER,
                    PASSWORD,
                    listeners,
                    protocols)
            + more);
    Process format =
        new ProcessBuilder(
                java(
                    "kafka.tools.StorageTool",
                    "format",
                    "-t",
                    Uuid.randomUuid().toString(),
                    "-c",
                    folder.resolve("server.properties").toString(),
                    "--add-scram",
                    "SCRAM-SHA-512=[name=" + USER + ",password=" + PASSWORD + "]"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("format.out").toFile())
            .start();
    if (format.waitFor() != 0) {
      throw new IOException(Files.readString(folder.resolve("format.out")));
    }
    broker.restart();
    return broker;
  }

  /** What a client needs for the way in by password. */
  public static String properties(String password) {
    return """
    security.protocol=SASL_PLAINTEXT
    sasl.mechanism=PLAIN
    sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required \
    username="%s" password="%s";
    """
        .formatted(USER, password);
  }

  private static List<String> java(String main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), main));
    command.addAll(List.of(arguments));
    return command;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The way in without a password. */
  public String servers() {
    return "127.0.0.1:" + open;
  }

  /** The way in by name and password. */
  public String closedServers() {
    return "127.0.0.1:" + closed;
  }

  /** The way in by name and password over TLS. */
  String scramServers() {
    return "127.0.0.1:" + scram;
  }

  /** The way in by a certificate. */
  String mutualServers() {
    return "127.0.0.1:" + mutual;
  }

  public KafkaTopics topics() {
    return new KafkaTopics(servers());
  }

  /** Starts it on the same folder, and waits until its port is open. */
  public void restart() throws IOException, InterruptedException {
    restart("unlimited");
  }

  /**
   * The same with a disk that takes no more of a file than this: a write beyond fails, as on a full
   * disk (EFBIG in place of ENOSPC). Its indexes, of 10 MiB, must have room.
   */
  void restartWithFilesOfAtMost(int mebibytes) throws IOException, InterruptedException {
    restart(Integer.toString(mebibytes * BLOCKS_PER_MEBIBYTE));
  }

  private void restart(String fileBlocksMax) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", WATCH, fileBlocksMax));
    command.addAll(java("kafka.Kafka", folder.resolve("server.properties").toString()));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("broker.out").toFile())
            .start();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!isOpen()) {
      if (System.nanoTime() > end) {
        throw new IOException(Files.readString(folder.resolve("broker.out")));
      }
      LockSupport.parkNanos(50_000_000);
    }
  }

  private boolean isOpen() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), open), 1000);
      return true;
    } catch (IOException closedYet) {
      return false;
    }
  }

  /** Whether the broker runs; one that has ended itself has no command any more. */
  boolean isRunning() {
    Process running = process;
    return running != null
        && running.descendants().anyMatch(one -> one.info().command().orElse("").endsWith("java"));
  }

  /** Kills it with a signal that it cannot catch. */
  public void kill() throws IOException {
    Process running = process;
    if (running != null) {
      running.getOutputStream().close();
      running.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }
  }

  @Override
  public void close() throws IOException {
    kill();
  }
}
