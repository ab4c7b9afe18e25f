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
 * One server with all parts, and everything outside of it: Firehose, Redis, two partners. All of it
 * on loopback and below one folder. Methods block; of the thread that runs the rounds, but for what
 * faults do to the parts, which are thread-safe.
 */
final class World implements AutoCloseable {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final Duration START_WAIT = Duration.ofSeconds(30);

  /** A tenth of what the server asks for: it is to be under load all the same. */
  private static final Duration CLIENTS_PAUSE = Duration.ofMillis(100);

  /** Small files and frequent snapshots, so that faults also meet those being made. */
  private static final List<String> SMALL =
      List.of(
          "collect.body-bytes-max=256KiB",
          "log.group-bytes-max=1MiB",
          "log.segment-bytes=2MiB",
          "log.snapshot-interval=500ms",
          "log.dedup-entries-max=1000000",
          "positions.snapshot-interval=500ms");

  /** No pause of ours is to be longer than what everything has to be back in. */
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
          "relay.allow-private-networks=true",
          "relay.timeout=2s",
          "relay.connect-timeout=1s",
          "relay.retry-min=100ms",
          "relay.retry-max=1s",
          "relay.breaker-window=5s",
          "relay.breaker-pause=1s");

  private final Path work;
  private final Ground ground;
  private final Node node;
  private final Faults firehoseFaults = new Faults();
  private final Firehose firehose;
  private final PartnerStand good;
  private final PartnerStand moody;
  private final Journal journal;
  private final Caller caller;
  private final Caller clients;
  private final RedisStand redis;
  private final Clock clock;

  private World(Path work, Node.Program program, Ground ground, long seed, Violations findings)
      throws IOException, InterruptedException {
    this.work = work;
    this.ground = ground;
    this.clock = new Clock(work);
    this.firehose = Firehose.start(Firehose.Setup.of(seed), firehoseFaults);
    this.good = PartnerStand.start(0, SECRET, Conduct.GOOD, seed);
    this.moody = PartnerStand.start(0, SECRET, Conduct.GOOD, seed + 1);
    this.redis = new RedisStand(new Servers(program.jar(), work));
    List<String> settings = new ArrayList<>();
    for (List<String> part : List.of(SMALL, IMPATIENT)) {
      part.forEach(setting -> settings.addAll(List.of("--set", setting)));
    }
    settings.addAll(List.of("--set", "sinks.firehose.endpoint=" + firehose.url()));
    settings.addAll(List.of("--set", "redis.url=" + redis.url()));
    this.node =
        new Node(program, ground.data(), work.resolve("server.out"), settings, this::environment);
    this.caller = new Caller(node.url(), Servers.KEY, Duration.ZERO, findings);
    this.clients = new Caller(node.url(), Servers.KEY, CLIENTS_PAUSE, findings);
    this.journal = new Journal(findings, System.currentTimeMillis());
  }

  /**
   * Makes one and starts it.
   *
   * @param work an empty folder for all of it
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
    World world = new World(work, program, ground, seed, findings);
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

  private Map<String, String> environment() {
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

  /** The partners, told of everything. */
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

  /** Where faults may put what they need, beside the data folder's ground. */
  Path work() {
    return work;
  }

  Ground ground() {
    return ground;
  }

  Node node() {
    return node;
  }

  Firehose firehose() {
    return firehose;
  }

  Faults firehoseFaults() {
    return firehoseFaults;
  }

  PartnerStand partner(Order.Shop shop) {
    return shop == Order.Shop.GOOD ? good : moody;
  }

  Journal journal() {
    return journal;
  }

  /** Who looks whether all is well, and does not wait. */
  Caller caller() {
    return caller;
  }

  /** Who makes the load. */
  Caller clients() {
    return clients;
  }

  /** Whether nothing befalls it: what anybody asks from now on has to be answered in time. */
  void well(boolean is) {
    caller.well(is);
    clients.well(is);
  }

  RedisStand redis() {
    return redis;
  }

  Clock clock() {
    return clock;
  }

  /** Ends and deletes all of it; what is to be kept was copied before. */
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
