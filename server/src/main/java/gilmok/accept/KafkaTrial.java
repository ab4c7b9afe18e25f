package gilmok.accept;

import gilmok.background.BackgroundLoops;
import gilmok.doctor.ClockOffset;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.kafka.KafkaConfig;
import gilmok.sinks.kafka.KafkaSink;
import gilmok.sinks.kafka.TrialTopic;
import gilmok.sinks.kafka.TrialTopic.Line;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tries Kafka with the sink itself, in a topic of its own, or in one that is there for it. */
final class KafkaTrial implements EngineTrial {
  private static final int FIRST = 10;
  private static final int ROUNDS = 20;
  private static final int BATCH = 100;
  private static final Duration READING = Duration.ofSeconds(15);

  private final KafkaConfig config;
  private final boolean isOwn;
  private final ScratchPositions positions;
  private final String topic;
  private final Meters meters = new Meters();
  private @Nullable TrialTopic trial;
  private @Nullable KafkaSink sink;
  private boolean mayBeMade;

  /**
   * @param given a prefix whose topic of traces is there, and stays; empty: one is made and removed
   */
  KafkaTrial(KafkaConfig fleet, String given, ScratchPositions positions) {
    isOwn = given.isEmpty();
    this.positions = positions;
    String prefix = isOwn ? fleet.topicPrefix() + "accept." + positions.node() + "." : given;
    config = fleet.ofTracesIn(prefix, isOwn);
    topic = config.topic(Stream.TRACES);
  }

  @Override
  public String engine() {
    return "kafka";
  }

  @Override
  public String writes() {
    return "the topic " + topic;
  }

  @Override
  public void run(Findings findings) throws IOException, InterruptedException {
    findings.begin("the client's file");
    TrialTopic asked = new TrialTopic(config);
    trial = asked;
    tls(findings, asked.isSecure());
    boolean answers =
        findings.step(
            "answers",
            "start it, or correct the address, the login or the certificates: sinks.kafka.client-file",
            () -> {
              int brokers = findings.time("describe the cluster", asked::brokers);
              return brokers + (brokers == 1 ? " broker" : " brokers");
            });
    if (!answers) {
      return;
    }
    KafkaSink opened = new KafkaSink(config, meters, BackgroundLoops.unwatched());
    sink = opened;
    mayBeMade = isOwn;
    boolean isThere =
        findings.step(
            isOwn ? "a topic can be made, and is safe" : "the topic is there, and is safe",
            "grant the principal Create on topics of the prefix, or name topics that are there by"
                + " --kafka-prefix; correct the topic as named",
            () -> there(opened));
    if (!isThere) {
      return;
    }
    boolean isStamped = stamped(findings, asked);
    boolean arrived =
        findings.step(
            "records arrive, each rider's in order",
            "grant the principal Write and Read on " + topic,
            () -> arrives(findings, asked, opened, isStamped));
    if (arrived) {
      findings.step("hot operations answer", "", () -> rounds(findings, opened));
    }
  }

  private void tls(Findings findings, boolean isSecure) {
    if (!isSecure) {
      findings.notTried("TLS", "the client's file asks for none", "");
      return;
    }
    findings.begin("TLS");
    String first = config.bootstrapServers().split(",")[0].strip();
    int colon = first.lastIndexOf(':');
    int port = Integer.parseInt(first.substring(colon + 1));
    new TlsProbe(first.substring(0, colon), port, Duration.ofSeconds(5))
        .look(false)
        .forEach(findings::add);
  }

  private String there(KafkaSink opened) throws IOException, InterruptedException {
    String fault = opened.probe();
    for (int i = 0; fault != null && fault.contains("not there yet") && i < 20; i++) {
      fault = opened.probe(); // brokers learn of a new topic one after the other
    }
    Findings.require(fault == null, String.valueOf(fault));
    return topic + ": replicas, min.insync.replicas and sizes are as the sink needs them";
  }

  private boolean stamped(Findings findings, TrialTopic asked) throws InterruptedException {
    if (!isOwn) {
      return false;
    }
    findings.begin("clock");
    try {
      asked.stampByBrokers();
      return true;
    } catch (IOException denied) {
      return false;
    }
  }

  private String arrives(Findings findings, TrialTopic asked, KafkaSink opened, boolean isStamped)
      throws IOException, InterruptedException {
    asked.noteEnds();
    Instant before = Instant.now();
    Batch batch = positions.batch(FIRST, before.toEpochMilli(), "");
    SinkAnswer.requireDone(opened.send(batch));
    Instant after = Instant.now();
    List<Line> lines = asked.read(FIRST, READING);
    Map<String, List<String>> wanted = new HashMap<>();
    for (int i = 0; i < FIRST; i++) {
      wanted
          .computeIfAbsent(ScratchPositions.rider(i), _ -> new ArrayList<>())
          .add(positions.node() + ":" + batch.sequence(i));
    }
    Map<String, List<String>> found = new HashMap<>();
    lines.forEach(line -> found.computeIfAbsent(line.key(), _ -> new ArrayList<>()).add(line.id()));
    Findings.require(
        wanted.equals(found),
        "sent %d, read %d, or in another order".formatted(FIRST, lines.size()));
    if (isStamped) {
      Duration within = Duration.between(before, after).dividedBy(2);
      Instant its = Instant.ofEpochMilli(lines.getFirst().atMillis());
      findings.add(
          ClockOffset.check(
              Duration.between(before.plus(within), its), within, "retention is by them"));
    } else {
      findings.notTried("clock", "the topic's records are not stamped by its brokers", "");
    }
    return FIRST + " of " + FIRST + ", under their keys and ids";
  }

  private String rounds(Findings findings, KafkaSink opened)
      throws IOException, InterruptedException {
    long now = System.currentTimeMillis();
    for (int i = 0; i < ROUNDS; i++) {
      Batch batch = positions.batch(BATCH, now + (long) i * BATCH, "");
      SinkAnswer.requireDone(
          findings.time("a batch of " + BATCH + " records", () -> opened.send(batch)));
    }
    return ROUNDS + " batches, see the times below";
  }

  @Override
  public String cleanUp() throws IOException, InterruptedException {
    if (sink != null) {
      sink.close();
    }
    meters.close();
    try (TrialTopic asked = trial) {
      if (asked == null || !mayBeMade) {
        return isOwn
            ? "nothing was made"
            : "what was sent stays in " + topic + " until its retention ends";
      }
      asked.remove();
      return "nothing is left of " + writes();
    }
  }
}
