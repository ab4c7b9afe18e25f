package gilmok.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gilmok replay}: sends a file of records to a server. */
@Command(
    name = "replay",
    description = {
      "Send a file of positions to a server. Each rider's are sent in order.",
      "",
      "CSV names its columns in the first row: riderId (or agent_id, user), at (or time,"
          + " timestamp), lat, lon. Other known ones are altitude_m, accuracy_m, speed_mps, bearing,"
          + " battery, provider and id; unknown ones become attributes. NDJSON is sent unchanged."
          + " Lines of \"gilmok log show\" are accepted, too.",
      "",
      "Exit code: 0 if the server acknowledged every record, else 1; 2 for wrong options."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok replay positions.csv.gz",
      "  gilmok replay day.ndjson --speed 10x --gap-max 2s",
      "  zcat positions.csv.gz | gilmok replay -",
      "",
      "The second takes as long as the recording, divided by ten."
    })
final class Replay extends CliCommand implements Callable<Integer> {
  private static final int INTERRUPTED = 130;

  @Parameters(paramLabel = "FILE", description = "The file to send; - for standard input.")
  String file = "";

  @Option(
      names = "--speed",
      paramLabel = "10x",
      converter = ReplaySpeed.class,
      description =
          "Follow the positions' own times, this many times faster (default: send all at once).")
  @Nullable Double speed;

  @Option(
      names = "--gap-max",
      paramLabel = "SPAN",
      converter = DurationOption.class,
      defaultValue = "5s",
      description = "With --speed: the longest wait for one position (default: ${DEFAULT-VALUE}).")
  Duration gapMax = Duration.ZERO;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "50",
      description = "Most records of a request (default: ${DEFAULT-VALUE}).")
  int batch;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "4",
      description = "Most requests in flight (default: ${DEFAULT-VALUE}).")
  int connections;

  @Option(
      names = "--patience",
      paramLabel = "SPAN",
      converter = DurationOption.class,
      defaultValue = "60s",
      description =
          "How long a batch is retried while the server is busy or unavailable (default:"
              + " ${DEFAULT-VALUE}).")
  Duration patience = Duration.ZERO;

  @Mixin Access access = new Access();

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkRange("--batch", batch, 10_000);
    checkRange("--connections", connections, 256);
    PrintWriter out = out();
    PrintWriter err = err();
    Target target = access.target();
    ReplayTally tally = new ReplayTally();
    StoppableWatch watch = new StoppableWatch();
    CountDownLatch told = new CountDownLatch(1);
    Thread hook = Thread.ofPlatform().unstarted(() -> stop(watch, told, err));
    try (Recording recording = Recording.open(file);
        HttpClient client = target.client()) {
      RandomGenerator random = RandomGenerator.getDefault();
      ReplaySchedule schedule = schedule(watch);
      long start = System.nanoTime();
      ProgressLine progress =
          new ProgressLine(
              err,
              () ->
                  tally.line(
                      seconds(start),
                      schedule == null
                          ? tally.reached(seconds(start), recording.progress())
                          : schedule.text()));
      RetryingSender sender =
          new RetryingSender(
              client, target, patience, watch, random, tally::retried, progress::notice);
      Poster poster = new Poster(sender, tally);
      Runtime.getRuntime().addShutdownHook(hook);
      try (progress) {
        new ReplayDispatcher(connections, batch, poster, tally, watch).run(recording, schedule);
      } finally {
        client.shutdownNow();
        tally.summary(seconds(start), recording.passedOver()).forEach(out::println);
        out.flush();
        told.countDown();
      }
    } finally {
      release(hook);
    }
    if (watch.isStopped()) {
      return INTERRUPTED;
    }
    return tally.isComplete() ? 0 : 1;
  }

  /** The schedule for --speed; where somebody watches, with the length, for which it is read. */
  private @Nullable ReplaySchedule schedule(StoppableWatch watch) throws IOException {
    if (speed == null) {
      return null;
    }
    long length = ReplaySchedule.UNKNOWN_LENGTH;
    if (Terminal.isThere() && Recording.isRepeatable(file)) {
      try (Recording first = Recording.open(file);
          ProgressLine _ = new ProgressLine(err(), () -> readText(first.progress()))) {
        length = ReplaySchedule.lengthNanos(first, new ReplayPace(speed, gapMax), watch::isStopped);
      }
    }
    return new ReplaySchedule(new ReplayPace(speed, gapMax), length, watch);
  }

  private static String readText(double progress) {
    return "reading the times, %.0f %%".formatted(100 * progress);
  }

  private static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  private void checkRange(String option, int value, int max) {
    if (value < 1 || value > max) {
      throw wronglyAsked(option + " " + value + " is out of range; it goes from 1 to " + max);
    }
  }

  /**
   * Ends the sending on an interrupt, and waits until the account is printed before the process
   * ends.
   */
  private static void stop(StoppableWatch watch, CountDownLatch told, PrintWriter err) {
    watch.stop();
    try {
      if (!told.await(5, TimeUnit.SECONDS)) {
        err.println("gilmok: the server did not answer in time; what it took is not known");
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private static void release(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      // The hook is running now, and cannot be removed.
    }
  }
}
