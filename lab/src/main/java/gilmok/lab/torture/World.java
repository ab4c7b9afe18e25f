package gilmok.lab.torture;

import gilmok.lab.Servers;
import gilmok.lab.crash.Violations;
import gilmok.lab.firehose.Faults;
import gilmok.lab.firehose.Firehose;
import gilmok.lab.partner.Conduct;
import gilmok.lab.partner.PartnerStand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One server with all parts, and the systems outside of it: Firehose, Redis, two partners; all on
 * loopback and below one folder. Methods block. Not thread-safe: owned by the thread that runs the
 * rounds; but the systems that faults act on are thread-safe.
 *
 * @param work the folder for the files of faults, apart from the data folder
 * @param caller the client of the checks, which does not wait after refusals
 * @param clients the client of the load
 */
record World(
    Path work,
    Ground ground,
    Node node,
    Faults firehoseFaults,
    Firehose firehose,
    PartnerStand good,
    PartnerStand moody,
    Journal journal,
    Caller caller,
    Caller clients,
    RedisStand redis,
    Clock clock)
    implements AutoCloseable {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final Duration START_WAIT = Duration.ofSeconds(30);

  /** A tenth of the pause that the server asks for, to keep it under load. */
  private static final Duration CLIENTS_PAUSE = Duration.ofMillis(100);

  /** Small files and frequent snapshots, so that faults also hit files that are being made. */
  private static final List<String> SMALL =
      List.of(
          "collect.body-bytes-max=256KiB",
          "log.group-bytes-max=1MiB",
          "log.segment-bytes=2MiB",
          "log.snapshot-interval=500ms",
          "log.dedup-entries-max=1000000",
          "positions.snapshot-interval=500ms");

  /** No pause of the server may be longer than the time in which everything must work again. */
  private static final List<String> IMPATIENT =
      List.of(
          "sinks.enabled=files,firehose,redis",
          "sinks.save-interval=200ms",
          "sinks.files.file-age-max=1s",
          "sinks.files.retry-max=1s",
          "sinks.firehose.retry-max=1s",
          "sinks.firehose.send-timeout=3s",
          "sinks.firehose.bytes-per-second-max=20MiB",
          "sinks.firehose.stream=torture",
          "sinks.firehose.region=eu-west-1",
          "sinks.redis.retry-max=1s",
          "redis.command-timeout=2s",
          "redis.connect-timeout=1s",
          "missions.cache.ttl=2s",
          "http.wrong-keys-rate=0",
          "relay.private-networks=127.0.0.1",
          "relay.timeout=2s",
          "relay.connect-timeout=1s",
          "relay.retry-min=100ms",
          "relay.retry-max=1s",
          "relay.breaker-window=5s",
          "relay.breaker-pause=1s");

  private static World make(
      Path work, Node.Program program, Ground ground, long seed, Violations findings)
      throws IOException {
    Clock clock = new Clock(work);
    Faults faults = new Faults();
    Firehose firehose = Firehose.start(Firehose.Setup.of(seed), faults);
    RedisStand redis = new RedisStand(new Servers(program.jar(), work));
    List<String> settings = new ArrayList<>();
    for (List<String> part : List.of(SMALL, IMPATIENT)) {
      part.forEach(setting -> settings.addAll(List.of("--set", setting)));
    }
    settings.addAll(List.of("--set", "sinks.firehose.endpoint=" + firehose.url()));
    settings.addAll(List.of("--set", "redis.url=" + redis.url()));
    Path output = work.resolve("server.out");
    Node node =
        new Node(program, ground.data(), output, settings, () -> environment(clock, ground));
    return new World(
        work,
        ground,
        node,
        faults,
        firehose,
        PartnerStand.start(0, SECRET, Conduct.GOOD, seed),
        PartnerStand.start(0, SECRET, Conduct.GOOD, seed + 1),
        Journal.of(findings, System.currentTimeMillis()),
        new Caller(node.url(), Servers.KEY, Duration.ZERO, findings),
        new Caller(node.url(), Servers.KEY, CLIENTS_PAUSE, findings),
        redis,
        clock);
  }

  /**
   * Makes a world and starts it.
   *
   * @param work an empty folder for all its files
   * @param program the server's
   */
  static World start(Path work, Node.Program program, Means means, long seed, Violations findings)
      throws IOException, InterruptedException {
    Ground ground =
        means.needsOwnDisk()
            ? Ground.image(work)
            : means.kinds().contains(FaultKind.POWER_CUT)
                ? Ground.forgetting(work)
                : Ground.plain(work);
    World world = make(work, program, ground, seed, findings);
    try {
      if (means.kinds().contains(FaultKind.CLOCK)) {
        world.clock.use();
      }
      Files.createDirectories(ground.data());
      world.redis.start();
      world.node.start();
      world.tieTogether();
      return world;
    } catch (IOException | InterruptedException | RuntimeException failed) {
      world.close();
      throw failed;
    }
  }

  private static Map<String, String> environment(Clock clock, Ground ground) {
    Map<String, String> all = new HashMap<>(clock.environment());
    ground
        .environment()
        .forEach(
            (name, value) ->
                all.merge(
                    name,
                    value,
                    (one, other) -> name.equals(Preloaded.VARIABLE) ? one + ":" + other : other));
    all.put("AWS_ACCESS_KEY_ID", "torture");
    all.put("AWS_SECRET_ACCESS_KEY", "torture");
    return all;
  }

  /** Registers the partners for all events. */
  private void tieTogether() throws IOException, InterruptedException {
    for (Order.Shop shop : Order.Shop.values()) {
      String body =
          "{\"kind\":\"shop\",\"url\":\"%s/hook\",\"secret\":\"%s\",\"events\":[\"*\"]}"
              .formatted(partner(shop).url(), SECRET);
      Probe put = new Probe("", () -> Probes.good(caller.put("/v1/partners/" + shop.id(), body)));
      String wrong = put.await(System.nanoTime() + START_WAIT.toNanos());
      if (!wrong.isEmpty()) {
        throw new IOException("a partner was refused: " + wrong);
      }
    }
  }

  PartnerStand partner(Order.Shop shop) {
    return shop == Order.Shop.GOOD ? good : moody;
  }

  /** Sets whether no fault is active: requests sent from now on must then be answered in time. */
  void well(boolean is) {
    caller.well(is);
    clients.well(is);
  }

  /** Ends and deletes everything; what should be kept was copied before. */
  @Override
  public void close() throws IOException {
    node.close();
    redis.close();
    caller.close();
    clients.close();
    firehose.close();
    good.close();
    moody.close();
    ground.close();
  }
}
