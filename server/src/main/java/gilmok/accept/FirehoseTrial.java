package gilmok.accept;

import gilmok.doctor.Check;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import gilmok.sinks.firehose.FirehoseConfig;
import gilmok.sinks.firehose.FirehoseSink;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tries a delivery stream with the sink itself. Firehose takes nothing back: what was sent goes to
 * the stream's destination.
 */
final class FirehoseTrial implements EngineTrial {
  private static final int FIRST = 10;
  private static final int ROUNDS = 20;
  private static final int BATCH = 100;
  private static final int BURST_BATCH = 500;
  private static final long BURST_BYTES_MAX = 32L << 20;
  private static final long BURST_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);
  private static final long AGAIN_MILLIS = 500;
  private static final String COMMENT = "x".repeat(2_000);
  private static final String BURST = "over its quota it throttles, and loses nothing";

  private final FirehoseConfig config;
  private final boolean mayBurst;
  private final ScratchPositions positions;
  private final Meters meters = new Meters();
  private @Nullable FirehoseSink sink;
  private @Nullable FirehoseSink burst;
  private long sent;

  /**
   * @param mayBurst whether the stream may be sent so much that it throttles
   */
  FirehoseTrial(FirehoseConfig config, boolean mayBurst, ScratchPositions positions) {
    this.config = config;
    this.mayBurst = mayBurst;
    this.positions = positions;
  }

  @Override
  public String engine() {
    return "firehose";
  }

  @Override
  public String writes() {
    return "%,d records of riders accept-… in the stream %s".formatted(sent, config.stream());
  }

  @Override
  public void run(Findings findings) throws IOException, InterruptedException {
    findings.begin("the settings");
    FirehoseSink opened;
    try {
      opened = new FirehoseSink(config, "accept", positions.node(), meters);
    } catch (IllegalArgumentException lacking) {
      throw new IOException(lacking.getMessage(), lacking);
    }
    sink = opened;
    endpoint(findings);
    boolean answers =
        findings.step(
            "answers",
            "correct the stream's name, the region or the credentials",
            () -> {
              String fault = opened.probe();
              Findings.require(fault == null, named(String.valueOf(fault)));
              return "the stream "
                  + config.stream()
                  + " takes records by itself, or is not shown"
                  + " to this identity (firehose:DescribeDeliveryStream)";
            });
    if (!answers) {
      return;
    }
    boolean takes =
        findings.step(
            "records are taken",
            "give the identity firehose:PutRecordBatch on the stream",
            () -> {
              SinkAnswer.requireDone(verdict(opened, FIRST, ""));
              return FIRST + " of " + FIRST;
            });
    if (!takes) {
      return;
    }
    findings.step(
        "hot operations answer", "raise the stream's quota", () -> rounds(findings, opened));
    if (mayBurst) {
      findings.begin(BURST);
      throttles(findings);
    } else {
      findings.notTried(BURST, "--allow-burst was not given", "");
    }
  }

  private void endpoint(Findings findings) throws InterruptedException {
    URI uri =
        config.endpoint() != null
            ? config.endpoint()
            : config.region() != null
                ? URI.create("https://firehose." + config.region() + ".amazonaws.com")
                : null;
    if (uri == null) {
      findings.notTried("TLS", "the region is the credentials' own", "set sinks.firehose.region");
      return;
    }
    HttpEndpoint.look(uri, config.sendTimeout(), findings);
  }

  private Verdict verdict(FirehoseSink opened, int count, String comment)
      throws IOException, InterruptedException {
    sent += count;
    Verdict verdict = opened.send(positions.batch(count, System.currentTimeMillis(), comment));
    if (verdict instanceof Verdict.Retry(Verdict.Cause cause, String detail)
        && cause == Verdict.Cause.DENIED) {
      throw new IOException(named(detail));
    }
    return verdict;
  }

  private String named(String detail) {
    if (detail.contains("AccessDenied")) {
      return "denied: firehose:PutRecordBatch on " + config.stream() + " (" + detail + ")";
    }
    return detail.contains("ResourceNotFound")
        ? "no stream " + config.stream() + " here (" + detail + ")"
        : detail;
  }

  private String rounds(Findings findings, FirehoseSink opened)
      throws IOException, InterruptedException {
    int again = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Verdict verdict =
          findings.time("a batch of " + BATCH + " records", () -> verdict(opened, BATCH, ""));
      if (verdict instanceof Verdict.RetryThese) {
        again++;
      } else {
        SinkAnswer.requireDone(verdict);
      }
    }
    return ROUNDS
        + " batches"
        + (again == 0 ? "" : ", " + again + " of them taken in part")
        + ", see the times below";
  }

  /** Sends more than the quota allows, a line a record, and then what was refused, again. */
  private void throttles(Findings findings) throws IOException, InterruptedException {
    FirehoseConfig fast =
        new FirehoseConfig(
            config.stream(),
            config.region(),
            config.endpoint(),
            config.identity(),
            new FirehoseConfig.RecordPacking(0, FirehoseConfig.PackCompression.NONE),
            config.sendTimeout(),
            new FirehoseConfig.Quota(100_000_000, 10L << 30, 1_000_000));
    FirehoseSink opened = new FirehoseSink(fast, "accept-burst", positions.node(), meters);
    burst = opened;
    long began = System.nanoTime();
    long bytes = 0;
    while (bytes < BURST_BYTES_MAX && System.nanoTime() - began < BURST_NANOS_MAX) {
      Batch batch = positions.batch(BURST_BATCH, System.currentTimeMillis(), COMMENT);
      sent += BURST_BATCH;
      bytes += batch.recordBytes();
      Verdict verdict = opened.send(batch);
      if (!(verdict instanceof Verdict.Done)) {
        String seen =
            "after %,d KiB in %d ms: %s"
                .formatted(bytes >> 10, millisSince(began), SinkAnswer.told(verdict));
        findings.add(again(opened, batch, verdict, seen));
        return;
      }
    }
    findings.notTried(
        BURST,
        "%,d KiB in %d ms were taken: its quota is higher"
            .formatted(bytes >> 10, millisSince(began)),
        "");
  }

  /** Sends what was not taken again, until it is. */
  private Check again(FirehoseSink opened, Batch batch, Verdict first, String seen)
      throws InterruptedException {
    Batch left = batch;
    Verdict verdict = first;
    long began = System.nanoTime();
    while (System.nanoTime() - began < BURST_NANOS_MAX) {
      switch (verdict) {
        case Verdict.RetryThese some when some.cause() == Verdict.Cause.THROTTLED ->
            left = left.only(some.again());
        case Verdict.Retry retry when retry.cause() == Verdict.Cause.THROTTLED -> {}
        default -> {
          boolean isDone = verdict instanceof Verdict.Done;
          return Check.of(
              BURST,
              seen + (isDone ? "; all were taken " + millisSince(began) + " ms later" : ""),
              isDone,
              "it answers otherwise than by throttling; look at the stream's state");
        }
      }
      boolean _ = new CountDownLatch(1).await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
      verdict = opened.send(left);
    }
    return Check.of(BURST, seen + "; it went on for 20 s", false, "raise the stream's quota");
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  @Override
  public String cleanUp() {
    if (sink != null) {
      sink.close();
    }
    if (burst != null) {
      burst.close();
    }
    meters.close();
    return sent == 0
        ? "nothing was sent"
        : writes() + " go to its destination: Firehose takes nothing back";
  }
}
