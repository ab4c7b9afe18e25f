package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.firehose.Faults;
import gilmok.lab.firehose.Firehose;
import gilmok.lab.firehose.Quotas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * For one test: real servers as processes of their own, the Firehose stand-in in this process, and
 * a real Redis. Everything that was started ends with {@link #close}.
 */
final class ShipRig implements AutoCloseable {
  static final Duration WAIT = Duration.ofMinutes(2);

  private static final List<String> OPTIONS =
      List.of(
          "-Xmx384m",
          "-XX:+UseSerialGC",
          // The quick compiler will do: these tests are about correctness, not speed.
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  /** The admin key, and credentials that the AWS SDK finds by its usual chain. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "GILMOK_ADMIN_KEY", Servers.KEY,
          "AWS_ACCESS_KEY_ID", "lab",
          "AWS_SECRET_ACCESS_KEY", "lab",
          "AWS_EC2_METADATA_DISABLED", "true");

  private final Path folder;
  private final Faults faults = new Faults();
  private final Firehose firehose;
  private final Map<String, Integer> ports = new HashMap<>();
  private final List<Runnable> started = new ArrayList<>();

  ShipRig(Path folder) {
    this(folder, Quotas.NONE);
  }

  ShipRig(Path folder, Quotas quotas) {
    this.folder = folder;
    long seed = System.nanoTime();
    System.out.println("the stand-in's seed: " + seed);
    firehose = Firehose.start(Firehose.Setup.of(seed).with(quotas), faults);
    started.add(firehose::close);
  }

  Faults faults() {
    return faults;
  }

  Firehose firehose() {
    return firehose;
  }

  /** The data folder of a server. */
  Path data(String name) {
    return folder.resolve(name);
  }

  /**
   * Starts a server, or starts it again on the same data and port, and waits until it is ready.
   *
   * @param name the server
   * @param sinks the setting {@code sinks.enabled}
   * @param settings more of them, {@code key=value}
   */
  Subject serve(String name, String sinks, String... settings)
      throws IOException, InterruptedException {
    Integer known = ports.get(name);
    int port = known == null ? Servers.freePort() : known;
    ports.put(name, port);
    List<String> command =
        new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
    command.addAll(OPTIONS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "gilmok.process.Main"));
    command.addAll(List.of("serve", "--no-warmup", "--port", Integer.toString(port)));
    command.addAll(List.of("--data", data(name).toString()));
    List<String> all = new ArrayList<>(List.of("http.host=127.0.0.1", "sinks.enabled=" + sinks));
    if (sinks.contains("firehose")) {
      all.add("sinks.firehose.stream=positions");
      all.add("sinks.firehose.region=ap-northeast-2");
      all.add("sinks.firehose.endpoint=" + firehose.url());
      all.add("sinks.firehose.retry-min=20ms");
      all.add("sinks.firehose.retry-max=500ms");
      // The test sets quotas at the stand-in; the server's own limit must not be reached first.
      all.add("sinks.firehose.bytes-per-second-max=1GiB");
    }
    if (sinks.contains("files")) {
      all.add("sinks.files.file-age-max=500ms");
    }
    all.addAll(List.of(settings));
    all.forEach(setting -> command.addAll(List.of("--set", setting)));
    Path output = folder.resolve(name + ".out");
    Subject server = Subject.start(name, command, ENVIRONMENT, port, output);
    started.add(() -> kill(server));
    server.awaitAnswer("/health/ready", status -> status == 200, WAIT);
    return server;
  }

  /** Kills a server that still runs at a test's end; nothing of it is checked any more. */
  private static void kill(Subject server) {
    try {
      server.kill();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** A client for a server's own ledger. */
  LedgerClient account(Subject server) {
    LedgerClient account = new LedgerClient(server);
    started.add(account::close);
    return account;
  }

  /** A phone that sends to servers. */
  Phone phone() {
    Phone phone = new Phone();
    started.add(phone::close);
    return phone;
  }

  /**
   * A real Redis that persists nothing. Without redis-server, the test fails in CI and is skipped
   * elsewhere.
   */
  Subject redis() throws IOException, InterruptedException {
    boolean mustRun = System.getenv("CI") != null;
    Path program = Path.of("/usr/bin/redis-server");
    Assumptions.assumeTrue(
        mustRun || Files.isExecutable(program),
        "redis-server is missing: apt-get install redis-server");
    Subject redis = new Servers(Path.of("unused"), folder).redis(program.toString());
    started.add(redis::close);
    return redis;
  }

  /** Waits until a condition holds; once it does, it is not checked again. */
  static void await(String what, Condition condition) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + WAIT.toNanos();
    boolean holds = condition.holds();
    while (!holds && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(20);
      holds = condition.holds();
    }
    assertThat(holds).as(what).isTrue();
  }

  /** A condition to wait for. */
  interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  /** Waits until everything is shipped, then asserts that the ledger adds up in every row. */
  static void awaitShipped(LedgerClient account) throws IOException, InterruptedException {
    account.awaitEmpty(WAIT);
    assertBalanced(account);
  }

  /** Asserts that every row of the ledger adds up, and that its own residue is 0. */
  static void assertBalanced(LedgerClient account) throws IOException, InterruptedException {
    List<LedgerClient.Row> rows = account.ledger();
    assertThat(rows).isNotEmpty();
    for (LedgerClient.Row row : rows) {
      assertThat(row.residue()).as("residue of %s", row).isZero();
      assertThat(row.gap()).as("gap of %s", row).isZero();
    }
  }

  /** The ledger's row of a sink and a stream. */
  static LedgerClient.Row row(LedgerClient account, String sink, String stream)
      throws IOException, InterruptedException {
    return account.ledger().stream()
        .filter(row -> row.sink().equals(sink) && row.stream().equals(stream))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    started.reversed().forEach(Runnable::run);
  }
}
