package gilmok.lab.firehose;

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
      "A stand-in for Amazon Data Firehose on 127.0.0.1, with the vendor's limits.",
      "It injects faults on request. GET /stats answers with its counts."
    },
    footer = {
      "",
      "Examples:",
      "  lab firehose --port 4573 --fail 10%% --throttle 5%%",
      "  lab firehose --delay 60ms --tail 8s --tail-share 0.1%%",
      "  lab firehose --down-after 10s --down-for 1m --forward http://127.0.0.1:5000"
    })
public final class FirehoseCommand implements Callable<Integer> {
  @Option(names = "--port", defaultValue = "4573", description = "0: a free one; ${DEFAULT-VALUE}")
  private int port;

  @Option(names = "--fail", paramLabel = "SHARE", description = "of a batch's records")
  private Share fail = Share.NONE;

  @Option(names = "--throttle", paramLabel = "SHARE", description = "of calls: Slow down.")
  private Share throttle = Share.NONE;

  @Option(names = "--error", paramLabel = "SHARE", description = "of calls: 500")
  private Share error = Share.NONE;

  @Option(names = "--lose", paramLabel = "SHARE", description = "of answers, what came is kept")
  private Share lose = Share.NONE;

  @Option(names = "--hang", paramLabel = "SHARE", description = "of calls: answered very late")
  private Share hang = Share.NONE;

  @Option(names = "--hang-time", defaultValue = "30s", description = "${DEFAULT-VALUE}")
  private Span hangTime = Span.ZERO;

  @Option(names = "--delay", paramLabel = "TIME", description = "of each answer")
  private Span delay = Span.ZERO;

  @Option(names = "--tail", paramLabel = "TIME", description = "of an answer at worst")
  private @Nullable Span tail;

  @Option(names = "--tail-share", defaultValue = "0.1%", description = "${DEFAULT-VALUE}")
  private Share tailShare = Share.NONE;

  @Option(names = "--poison", paramLabel = "TEXT", description = "calls with it are refused")
  private @Nullable String poison;

  @Option(names = "--records-per-second", defaultValue = "0", description = "0: no bound")
  private long records;

  @Option(names = "--bytes-per-second", defaultValue = "0", description = "0: no bound")
  private long bytes;

  @Option(names = "--calls-per-second", defaultValue = "0", description = "0: no bound")
  private long calls;

  @Option(names = "--down-after", paramLabel = "TIME", description = "nobody answers from then on")
  private @Nullable Span downAfter;

  @Option(names = "--down-for", paramLabel = "TIME", description = "until so long after")
  private @Nullable Span downFor;

  @Option(names = "--forward", paramLabel = "URL", description = "where what it takes is put")
  private @Nullable URI forward;

  @Option(names = "--count-only", description = "keeps no record ids, for long runs")
  private boolean countOnly;

  @Option(names = "--seed", defaultValue = "1", description = "${DEFAULT-VALUE}")
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
