package gilmok.lab.capacity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Which resource ends a server's rate: each is asked how full it was while the goals were missed.
 * The first that was full is named, in the order of {@link Resource}: what is special comes before
 * what is general, as a processor that is full because it collects garbage is no lack of
 * processors. Stateless.
 */
final class Suspects {
  private static final double MILLIS = 1e3;

  /** Full when so much of the time has gone there, or so many of the processors. */
  private static final double PAUSED = 0.05;

  private static final double COLLECTING = 0.35;
  private static final double HEAP = 0.85;
  private static final double THROTTLED = 0.05;
  private static final double LOCKED = 0.25;
  private static final double LOAD_LOOP = 0.93;
  private static final double WAITED = 0.5;
  private static final double ONE_THREAD = 0.9;
  private static final double DISK_BUSY = 0.75;
  private static final double POOL = 0.98;
  private static final double LOG = 0.9;
  private static final double FAULTS = 50;
  private static final double BUSY = 0.9;
  private static final double NEIGHBOURS = 0.2;

  /** So many threads could have run and had no processor, on average. */
  private static final double RUNNABLE = 1;

  /** Threads of which there are as many as processors, or that work for all: no single writer. */
  private static final List<String> MANY =
      List.of("vert.x", "C1", "C2", "GC", "G1", "VM", "ForkJoinPool");

  /** A slow forced write, as a part of the p99 that is to be kept. */
  private static final double FORCE_PART = 0.1;

  /** What could be full, the special before the general. */
  enum Resource {
    LOAD("the load generator"),
    LIMIT("the limit of its processors"),
    COLLECTOR("garbage collection"),
    LOCK("a lock"),
    SINK("a sink that the log waits for"),
    DATABASE("the database"),
    POOL("a pool of the server"),
    DISK("the disk"),
    WRITER("one writer"),
    MEMORY("the machine's memory"),
    NEIGHBOURS("other processes of this machine"),
    PROCESSORS("the processors"),
    UNKNOWN("nothing that was looked at");

    private final String label;

    Resource(String label) {
      this.label = label;
    }

    /** In words. */
    String label() {
      return label;
    }
  }

  /**
   * How full a resource was.
   *
   * @param fullness 1 or more: full
   * @param evidence the figures, in words
   */
  record Suspect(Resource resource, double fullness, String evidence) {
    boolean isFull() {
      return fullness >= 1;
    }

    String line() {
      return resource.label + ": " + evidence;
    }
  }

  private Suspects() {}

  /**
   * All that could be asked, the named one first, then by how full they were.
   *
   * @param span what was seen while the goals were missed
   */
  static List<Suspect> of(SampleSpan span, LoadStep step, StepGoals goals) {
    if (!span.isKnown()) {
      return List.of(
          new Suspect(Resource.UNKNOWN, 1, "the step was too short to look at anything"));
    }
    List<Suspect> all =
        Stream.of(
                load(span, step),
                limit(span),
                collector(span),
                lock(span),
                sink(span),
                database(span, goals),
                pool(span),
                disk(span, goals),
                writer(span),
                memory(span),
                neighbours(span, step),
                processors(span, step))
            .sorted(Comparator.comparingDouble(Suspect::fullness).reversed())
            .toList();
    Suspect named =
        all.stream()
            .filter(Suspect::isFull)
            .min(Comparator.comparing(Suspect::resource))
            .orElse(
                new Suspect(
                    Resource.UNKNOWN,
                    1,
                    "nothing was full; the fullest was " + all.getFirst().line()));
    List<Suspect> ordered = new ArrayList<>(List.of(named));
    all.stream().filter(one -> !one.equals(named)).forEach(ordered::add);
    return ordered;
  }

  private static Suspect load(SampleSpan span, LoadStep step) {
    ThreadTimes.Time loops = span.ownThreads().of("load");
    double busiest = loops.most() / 1e9 / span.seconds();
    boolean isLate = !step.voidness().isEmpty();
    return new Suspect(
        Resource.LOAD,
        (isLate ? 1 : 0.5) * busiest / LOAD_LOOP,
        String.format(
            Locale.ROOT,
            "its busiest event loop ran %.0f %% of the time; %.1f %% of the requests left late",
            100 * busiest,
            100 * step.load().lateShare()));
  }

  /** A container's limit, or fewer processors than the machine has. */
  private static Suspect limit(SampleSpan span) {
    double stopped = span.rate("gilmok_cpu_throttled_seconds_total", "");
    double used = span.serverCores() / Math.max(1, span.processors());
    boolean isBound = span.processors() < span.ofMachine();
    return new Suspect(
        Resource.LIMIT,
        Math.max(stopped / THROTTLED, isBound ? used / BUSY : 0),
        String.format(
            Locale.ROOT,
            "it may use %d of %d processors and used %.2f; a container's limit stopped it for %.0f"
                + " %% of the time",
            span.processors(),
            span.ofMachine(),
            span.serverCores(),
            100 * stopped));
  }

  private static Suspect collector(SampleSpan span) {
    double paused = span.rate("jvm_gc_pause_seconds_sum", "");
    double cores = span.rate("gilmok_processor_seconds_total", "part=\"gc\"");
    double share = cores / Math.max(0.01, span.serverCores());
    double most = span.most("jvm_gc_max_data_size_bytes", "");
    double heap = most > 0 ? span.most("gilmok_heap_after_gc_bytes", "") / most : 0;
    return new Suspect(
        Resource.COLLECTOR,
        Math.max(Math.max(paused / PAUSED, share / COLLECTING), heap / HEAP),
        String.format(
            Locale.ROOT,
            "all threads stopped for %.1f %% of the time; it used %.2f processors, %.0f %% of the"
                + " server's; at most %.0f %% of the heap was in use after a collection",
            100 * paused,
            cores,
            100 * share,
            100 * heap));
  }

  private static Suspect lock(SampleSpan span) {
    double waited = span.rate("gilmok_lock_wait_seconds_sum", "");
    return new Suspect(
        Resource.LOCK,
        waited / LOCKED,
        String.format(
            Locale.ROOT, "threads waited to enter monitors for %.2f s in each second", waited));
  }

  private static Suspect sink(SampleSpan span) {
    double bytes = span.most("gilmok_log_bytes", "");
    double most = span.most("gilmok_log_bytes_max", "");
    double refused = span.rate("gilmok_http_refusals_total", "refusal=\"no-room\"");
    double full = most > 0 ? bytes / most : 0;
    return new Suspect(
        Resource.SINK,
        refused > 0 ? Math.max(1, full / LOG) : 0.9 * full,
        String.format(
            Locale.ROOT,
            "the log was %.0f %% full, %.0f requests/s were refused for it, the slowest sink was"
                + " %.0f s behind",
            100 * full,
            refused,
            span.most("gilmok_sink_lag_seconds", "")));
  }

  private static Suspect database(SampleSpan span, StepGoals goals) {
    double mean = MILLIS * span.mean("gilmok_documents_mongo_command_seconds", "");
    double used = span.most("gilmok_documents_mongo_connections_used", "");
    double most = span.most("gilmok_documents_mongo_connections_max", "");
    double part = Math.min(1, waited(span, "mongo") + waited(span, "mongo-connection"));
    boolean isSlow = mean > FORCE_PART * goals.p99Millis();
    return new Suspect(
        Resource.DATABASE,
        isSlow ? part / WAITED : 0.9 * Math.min(1, part / WAITED),
        String.format(
            Locale.ROOT,
            "a command took %.1f ms on average; requests waited %.0f %% of their time for it or for"
                + " one of its connections, of which %.0f of %.0f were in use",
            mean,
            100 * part,
            used,
            most));
  }

  /** The share of the time of all requests that was a wait for something. */
  private static double waited(SampleSpan span, String on) {
    double requests = span.rate("gilmok_http_request_seconds_sum", "");
    double waits = span.rate("gilmok_wait_seconds_sum", "on=\"" + on + "\"");
    return requests > 0 ? Math.min(1, waits / requests) : 0;
  }

  private static Suspect pool(SampleSpan span) {
    String fullest = "none";
    double most = 0;
    for (String name : boundedGauges(span)) {
      double bound = span.most(name + "_max", "");
      double share = bound > 0 ? span.most(name, "") / bound : 0;
      if (share > most) {
        most = share;
        fullest = name;
      }
    }
    double readers = waited(span, "documents-reader");
    double connections = waited(span, "mongo-connection");
    return new Suspect(
        Resource.POOL,
        Math.max(Math.max(most / POOL, readers / WAITED), connections / WAITED),
        String.format(
            Locale.ROOT,
            "the fullest is %s, %.0f %%; requests waited %.0f %% of their time for a connection to"
                + " read documents",
            fullest,
            100 * most,
            100 * Math.max(readers, connections)));
  }

  /** Gauges of what is in flight that have a bound beside them. */
  private static List<String> boundedGauges(SampleSpan span) {
    return span.metrics().lines().stream()
        .map(line -> line.replaceAll("[{ ].*", ""))
        .filter(name -> name.endsWith("_max") && name.contains("_in_flight"))
        .map(name -> name.substring(0, name.length() - "_max".length()))
        .distinct()
        .toList();
  }

  private static Suspect disk(SampleSpan span, StepGoals goals) {
    double log = span.rate("gilmok_log_fsync_seconds_sum", "");
    double logMean = MILLIS * span.mean("gilmok_log_fsync_seconds", "");
    double commits = span.rate("gilmok_documents_commit_seconds_sum", "");
    double commitMean = MILLIS * span.mean("gilmok_documents_commit_seconds", "");
    double working = span.rate("gilmok_processor_seconds_total", "part=\"documents\"");
    double commitForced = Math.max(0, commits - working);
    double slow = FORCE_PART * goals.p99Millis();
    double full =
        Math.max(
            Math.min(log / DISK_BUSY, logMean / slow),
            Math.min(commitForced / DISK_BUSY, commitMean / slow));
    return new Suspect(
        Resource.DISK,
        full,
        String.format(
            Locale.ROOT,
            "forced writes of the log took %.2f ms, %.0f %% of the time; commits of documents"
                + " %.2f ms, %.0f %% of the time, their own work %.0f %%; %.1f MB/s were written",
            logMean,
            100 * log,
            commitMean,
            100 * commits,
            100 * working,
            span.machine().diskBytes() / span.seconds() / 1e6));
  }

  private static Suspect writer(SampleSpan span) {
    ThreadTimes threads = span.serverThreads();
    String busiest = "none";
    double most = 0;
    for (String name : threads.byName().keySet()) {
      double share = threads.of(name).most() / 1e9 / span.seconds();
      if (MANY.stream().noneMatch(name::startsWith) && share > most) {
        most = share;
        busiest = name;
      }
    }
    return new Suspect(
        Resource.WRITER,
        most / ONE_THREAD,
        String.format(
            Locale.ROOT,
            "the busiest thread but the event loops is %s, %.0f %% of a processor",
            busiest,
            100 * most));
  }

  private static Suspect memory(SampleSpan span) {
    double faults = span.rate("gilmok_process_major_faults_total", "");
    return new Suspect(
        Resource.MEMORY,
        faults / FAULTS,
        String.format(
            Locale.ROOT,
            "%.0f reads a second of memory that was not there; %.0f MB of the server are swapped"
                + " out",
            faults,
            span.most("gilmok_process_swap_bytes", "") / 1e6));
  }

  private static Suspect neighbours(SampleSpan span, LoadStep step) {
    double stolen = span.stolenCores();
    double share = (step.cores().others() + stolen) / span.ofMachine();
    return new Suspect(
        Resource.NEIGHBOURS,
        share / NEIGHBOURS,
        String.format(
            Locale.ROOT,
            "neither the server nor the load used %.2f processors; the machine's host took %.2f",
            step.cores().others(),
            stolen));
  }

  private static Suspect processors(SampleSpan span, LoadStep step) {
    LoadStep.Cores cores = step.cores();
    // By the processes' own clocks: the kernel's sum misses what runs for less than a tick.
    double busy = cores.server() + cores.load() + cores.others();
    double own = cores.server() / Math.max(1, span.processors());
    double waited = Math.max(0, span.serverThreads().of("").waited()) / 1e9 / span.seconds();
    return new Suspect(
        Resource.PROCESSORS,
        Math.max(Math.max(busy / span.ofMachine(), own) / BUSY, waited / RUNNABLE),
        String.format(
            Locale.ROOT,
            "the server used %.2f of the %d that it may use; of the machine's %d were busy: %.2f,"
                + " the load's %.2f among them; the server's threads could have run and had none"
                + " for %.2f s in each second",
            cores.server(),
            span.processors(),
            span.ofMachine(),
            busy,
            cores.load(),
            waited));
  }
}
