package gilmok.lab.capacity;

import gilmok.lab.GcLog;
import gilmok.lab.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures all goals of the server in one run. Each comparison alternates between the servers in
 * rounds, so that changes of the machine affect both; the medians count.
 */
final class CapacityRun {
  private static final int REST_WARMUP_SECONDS = 3;
  private static final long HEAP_BYTES_WANTED = 512L << 20;
  private static final List<String> SMALL_SEGMENTS =
      List.of(
          "--set", "collect.body-bytes-max=256KiB",
          "--set", "log.group-bytes-max=1MiB",
          "--set", "log.segment-bytes=2MiB");

  private final Bench bench;
  private final Times times;
  private final Set<Part> parts;
  private final Consumer<String> progress;
  private final List<Finding> findings = new ArrayList<>();
  private double highestRate;

  /** The parts of the table. */
  enum Part {
    ONE,
    PINNED,
    FIFTY,
    WEBFLUX,
    P99
  }

  /** The seconds of each measurement and of the warm-ups before it, and the number of rounds. */
  record Times(double seconds, double warmup, double webfluxWarmup, int rounds) {}

  CapacityRun(Bench bench, Times times, Set<Part> parts, Consumer<String> progress) {
    this.bench = bench;
    this.times = times;
    this.parts = parts;
    this.progress = progress;
  }

  List<Finding> run() throws IOException, InterruptedException {
    if (parts.contains(Part.ONE) || parts.contains(Part.WEBFLUX)) {
      one();
    }
    if (parts.contains(Part.PINNED)) {
      pinned();
    }
    if (parts.contains(Part.FIFTY)) {
      fifty();
    }
    if (parts.contains(Part.P99)) {
      p99();
    }
    return findings;
  }

  private void one() throws IOException, InterruptedException {
    progress.accept("one position a request, 256 connections, closed loop");
    List<String> names = new ArrayList<>(List.of(Bench.GILMOK));
    if (parts.contains(Part.ONE)) {
      names.add(Bench.BARE);
    }
    if (parts.contains(Part.WEBFLUX)) {
      names.add(Bench.WEBFLUX);
    }
    Compared compared = compare(names, 1, false);
    List<Measurement> own = compared.of(Bench.GILMOK);
    Measurement median = Measurement.median(own);
    highestRate = median.requestsPerSecond();
    if (parts.contains(Part.ONE)) {
      ratio("one position a request, fsynced, against bare", compared, Bench.BARE, 0.8);
    }
    if (parts.contains(Part.WEBFLUX)) {
      ratio("against WebFlux, which stores nothing", compared, Bench.WEBFLUX, 6);
    }
    memory(compared);
  }

  private void ratio(String what, Compared compared, String other, double reach) {
    Measurement own = Measurement.median(compared.of(Bench.GILMOK));
    Measurement base = Measurement.median(compared.of(other));
    double ratio = own.requestsPerSecond() / base.requestsPerSecond();
    List<Measurement> rounds = new ArrayList<>(compared.of(Bench.GILMOK));
    rounds.addAll(compared.of(other));
    findings.add(
        Finding.of(
            what,
            String.format("at least %.1f times", reach),
            String.format(
                "%.2f times: %,.0f/s and %,.0f/s",
                ratio, own.requestsPerSecond(), base.requestsPerSecond()),
            ratio >= reach,
            rounds));
  }

  private void memory(Compared compared) {
    GcLog collections = compared.collections;
    if (collections == null || collections.pauses() == 0) {
      return;
    }
    findings.add(
        Finding.of(
            "memory while doing so",
            "a 512 MiB heap suffices (here: " + bench.heap() + ")",
            String.format(
                "at most %,d MiB after a collection, %,d MiB resident; %.0f bytes allocated a"
                    + " request; %d pauses, longest %.1f ms, %.0f ms in all",
                collections.heapAfterMax() >> 20,
                compared.residentBytesMax >> 20,
                (double) collections.allocatedBytes() / Math.max(1, compared.accepted),
                collections.pauses(),
                collections.pauseMillisMax(),
                collections.pauseMillis()),
            collections.heapAfterMax() < HEAP_BYTES_WANTED,
            compared.of(Bench.GILMOK)));
  }

  private void pinned() throws IOException, InterruptedException {
    progress.accept("one position a request, server on processor 0, load on processor 1");
    Compared compared = compare(List.of(Bench.GILMOK, Bench.BARE), 1, true);
    Measurement own = Measurement.median(compared.of(Bench.GILMOK));
    Measurement bare = Measurement.median(compared.of(Bench.BARE));
    findings.add(
        Finding.of(
            "the same, pinned to one core, load on the other",
            "at least 40,000/s, aim for 55,000",
            String.format(
                "%,.0f/s (bare: %,.0f/s)", own.requestsPerSecond(), bare.requestsPerSecond()),
            own.requestsPerSecond() >= 40_000,
            compared.all()));
  }

  private void fifty() throws IOException, InterruptedException {
    progress.accept("fifty positions a request, 256 connections, closed loop");
    Compared compared = compare(List.of(Bench.GILMOK, Bench.BARE), 50, false);
    Measurement own = Measurement.median(compared.of(Bench.GILMOK));
    Measurement bare = Measurement.median(compared.of(Bench.BARE));
    findings.add(
        Finding.of(
            "fifty a request, fsynced",
            "at least 900,000 positions/s, aim for 1,200,000",
            String.format(
                "%,.0f positions/s (bare: %,.0f)",
                own.report().positionsPerSecond(), bare.report().positionsPerSecond()),
            own.report().positionsPerSecond() >= 900_000,
            compared.all()));
    memory(compared);
  }

  private void p99() throws IOException, InterruptedException {
    try (Subject gilmok = bench.start(Bench.GILMOK, false, List.of())) {
      warm(gilmok, 1, false);
      if (highestRate == 0) {
        highestRate = bench.load(gilmok, closed(1, false)).requestsPerSecond();
      }
      openLoop(gilmok, "p99 at half of the highest rate, open loop", 5);
    }
    try (Subject gilmok = bench.start(Bench.GILMOK, false, SMALL_SEGMENTS)) {
      warm(gilmok, 1, false);
      openLoop(gilmok, "the same while segments roll (2 MiB segments)", 10);
    }
  }

  private void openLoop(Subject gilmok, String what, double reach)
      throws IOException, InterruptedException {
    double rate = Math.floor(highestRate / 2);
    progress.accept(String.format("%s: %,.0f/s", what, rate));
    List<Measurement> rounds = new ArrayList<>();
    for (int round = 0; round < times.rounds; round++) {
      rounds.add(
          bench.load(gilmok, new Bench.Load(1, rate, REST_WARMUP_SECONDS, times.seconds, false)));
    }
    Measurement median = Figures.middle(rounds, Measurement::p99);
    findings.add(
        Finding.of(
            what,
            String.format("under %.0f ms", reach),
            String.format(
                "%.2f ms at %,.0f/s (p50 %.2f, p99.9 %.2f, max %.1f; p99 of the worst second"
                    + " %.2f)",
                median.p99(),
                rate,
                median.report().p50(),
                median.report().latency("p99.9"),
                median.report().max(),
                median.report().worstSecondP99Millis()),
            median.p99() < reach,
            rounds));
  }

  /** Starts the servers, warms them up, measures them in turn and stops them. */
  private Compared compare(List<String> names, int positions, boolean pinned)
      throws IOException, InterruptedException {
    List<Subject> subjects = new ArrayList<>();
    Compared compared = new Compared();
    try {
      for (String name : names) {
        Subject subject = bench.start(name, pinned, List.of());
        subjects.add(subject);
        compared.accepted += warm(subject, positions, pinned);
      }
      for (int round = 0; round < times.rounds; round++) {
        for (Subject subject : subjects) {
          compared.add(bench.load(subject, closed(positions, pinned)));
        }
      }
      Subject own = subjects.getFirst();
      compared.collections = bench.collections(own);
      compared.residentBytesMax = own.residentBytesMax();
      compared.accepted /= positions;
    } finally {
      for (Subject subject : subjects) {
        subject.close();
      }
    }
    return compared;
  }

  private Bench.Load closed(int positions, boolean pinned) {
    return new Bench.Load(positions, 0, REST_WARMUP_SECONDS, times.seconds, pinned);
  }

  /** Warms up a server; returns how many records the server under test has accepted by then. */
  private long warm(Subject subject, int positions, boolean pinned)
      throws IOException, InterruptedException {
    boolean webflux = subject.name().equals(Bench.WEBFLUX);
    double seconds = webflux ? times.webfluxWarmup : times.warmup;
    progress.accept("warming " + subject.name() + " for " + Figures.whole(seconds) + " s");
    Measurement warmed =
        bench.load(subject, new Bench.Load(positions, 0, Math.max(0, seconds - 2), 2, pinned));
    return subject.name().equals(Bench.GILMOK) ? warmed.report().positionsAccepted() : 0;
  }

  /** The rounds of one comparison, by server. */
  private static final class Compared {
    private final Map<String, List<Measurement>> rounds = new LinkedHashMap<>();
    private @Nullable GcLog collections;
    private long residentBytesMax;
    private long accepted;

    void add(Measurement measured) {
      rounds.computeIfAbsent(measured.subject(), name -> new ArrayList<>()).add(measured);
      accepted +=
          measured.subject().equals(Bench.GILMOK) ? measured.report().positionsAccepted() : 0;
    }

    List<Measurement> of(String name) {
      return rounds.getOrDefault(name, List.of());
    }

    List<Measurement> all() {
      return rounds.values().stream().flatMap(List::stream).toList();
    }
  }
}
