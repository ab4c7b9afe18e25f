package gilmok.lab.firehose;

import gilmok.lab.options.Span;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lab firehose}: the stand-in as a process; runs until it is ended. */
@Command(
    name = "firehose",
    description = {
      "Run a stand-in for Amazon Data Firehose on 127.0.0.1, with the vendor's "
          + "limits, which injects faults on request. GET /stats answers with its counts. "
          + "It runs until Ctrl-C."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab firehose --port 4573 --fail 10% --throttle 5%",
      "  gilmok lab firehose --delay 60ms --tail 8s --tail-share 0.1%",
      "  gilmok lab firehose --down-after 10s --down-for 1m \\",
      "      --forward http://127.0.0.1:5000"
    })
public final class FirehoseCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "4573",
      description = "The port to listen on, 0 for a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--fail",
      paramLabel = "SHARE",
      description = "The share of a batch's records that fail.")
  private Share fail = Share.NONE;

  @Option(
      names = "--throttle",
      paramLabel = "SHARE",
      description = "The share of calls that are answered with \"Slow down\".")
  private Share throttle = Share.NONE;

  @Option(
      names = "--error",
      paramLabel = "SHARE",
      description = "The share of calls that are answered with 500.")
  private Share error = Share.NONE;

  @Option(
      names = "--lose",
      paramLabel = "SHARE",
      description = "The share of answers that are lost, though what came is kept.")
  private Share lose = Share.NONE;

  @Option(
      names = "--hang",
      paramLabel = "SHARE",
      description = "The share of calls that are answered very late.")
  private Share hang = Share.NONE;

  @Option(
      names = "--hang-time",
      defaultValue = "30s",
      paramLabel = "SPAN",
      description = "How late that is (default: ${DEFAULT-VALUE}).")
  private Span hangTime = Span.ZERO;

  @Option(names = "--delay", paramLabel = "TIME", description = "The delay of each answer.")
  private Span delay = Span.ZERO;

  @Option(names = "--tail", paramLabel = "TIME", description = "The delay of an answer at worst.")
  private @Nullable Span tail;

  @Option(
      names = "--tail-share",
      defaultValue = "0.1%",
      paramLabel = "SHARE",
      description =
          "The share of answers with a delay near the worst (default: " + "${DEFAULT-VALUE}).")
  private Share tailShare = Share.NONE;

  @Option(names = "--poison", paramLabel = "TEXT", description = "Refuse calls that contain this.")
  private @Nullable String poison;

  @Option(
      names = "--records-per-second",
      defaultValue = "0",
      description = "Records a second at most (default: ${DEFAULT-VALUE}, no bound).")
  private long records;

  @Option(
      names = "--bytes-per-second",
      defaultValue = "0",
      description = "Bytes a second at most (default: ${DEFAULT-VALUE}, no bound).")
  private long bytes;

  @Option(
      names = "--calls-per-second",
      defaultValue = "0",
      description = "Calls a second at most (default: ${DEFAULT-VALUE}, no bound).")
  private long calls;

  @Option(
      names = "--down-after",
      paramLabel = "TIME",
      description = "When nobody answers any more.")
  private @Nullable Span downAfter;

  @Option(names = "--down-for", paramLabel = "TIME", description = "How long nobody answers then.")
  private @Nullable Span downFor;

  @Option(names = "--forward", paramLabel = "URL", description = "Where what it takes is put.")
  private @Nullable URI forward;

  @Option(names = "--count-only", description = "Keep no record ids, for long runs.")
  private boolean countOnly;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "The seed of the faults (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() throws InterruptedException {
    Faults faults =
        new Faults()
            .failRecords(fail.value())
            .throttle(throttle.value())
            .breakDown(error.value())
            .loseAnswers(lose.value())
            .hang(hang.value(), hangTime.value())
            .poison(poison);
    if (tail == null) {
      faults.delay(delay.value());
    } else {
      faults.delay(delay.value(), tailShare.value(), tail.value());
    }
    Firehose.Setup setup =
        new Firehose.Setup(port, new Quotas(records, bytes, calls), seed, !countOnly, forward);
    Firehose firehose = Firehose.start(setup, faults);
    System.out.println("firehose stand-in on " + firehose.url());
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> System.out.println(summary(firehose)), "summary"));
    if (downAfter != null) {
      goDown(firehose, downAfter.value());
    }
    new CountDownLatch(1).await();
    return 0;
  }

  private void goDown(Firehose firehose, Duration after) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(after.toMillis());
    firehose.down();
    System.out.println("down");
    if (downFor != null) {
      TimeUnit.MILLISECONDS.sleep(downFor.value().toMillis());
      firehose.up();
      System.out.println("up");
    }
  }

  private static String summary(Firehose firehose) {
    return firehose.counts().entrySet().stream()
        .map(count -> String.format("%-16s %,d", count.getKey(), count.getValue()))
        .collect(Collectors.joining("\n"));
  }
}
