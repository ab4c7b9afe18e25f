package gilmok.lab.missions;

import gilmok.lab.LabClient;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Chapter.Verdict;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the steps of the original story one after the other, each as a small server behind the
 * same HTTP edge with a real Redis, and this build's server at the end: what helped, and what did
 * not. Not thread-safe.
 */
final class StepsPart {
  private static final int TOGETHER = 3;
  private static final double TTL_SECONDS = 2;
  private static final double SOURCE_MILLIS = 20;

  private static final String HEAD =
      "way | answers/s | p50 ms | p99 ms | at | Redis MB/s, closed loop"
          + " | Redis kB an answer | server µs | load, processors | bytes | loads"
          + " | loads an expiry | errors";

  /** The steps that are not run; the second cell of each row says why. */
  private static final List<List<String>> NOT_RUN =
      List.of(
          List.of(
              "(g) inserts one by one, in bulk, in parallel through a bounded queue",
              "in the store, not over HTTP: see lab/capacity/missions.md"),
          List.of(
              "(h) reads from secondaries",
              "not tried: there is no replica set here, and a stand-in has no secondaries"),
          List.of(
              "(i) the router's limit of processes",
              "not tried: there is no mongos here; it is a setting of the machine it runs on"));

  private final Rig rig;
  private final double expiryRate;
  private final boolean waysOnly;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final List<BarChart.Bar> rates = new ArrayList<>();
  private final List<BarChart.Bar> costs = new ArrayList<>();
  private final List<BarChart.Bar> loads = new ArrayList<>();
  private long errors;

  /**
   * A part with its load.
   *
   * @param expiryRate requests a second for one key, where an expiry is measured
   * @param waysOnly whether to leave out this build's server
   */
  StepsPart(Rig rig, double expiryRate, boolean waysOnly) {
    this.rig = rig;
    this.expiryRate = expiryRate;
    this.waysOnly = waysOnly;
  }

  Chapter run() throws IOException, InterruptedException {
    for (AnswerWay way : AnswerWay.values()) {
      way(way);
    }
    if (!waysOnly) {
      ours();
    }
    for (Guard guard : Guard.values()) {
      guard(guard);
    }
    if (!waysOnly) {
      oursExpiring();
    }
    NOT_RUN.forEach(this::add);
    verdicts.add(new Verdict("errors in all of it", "none", Long.toString(errors), errors == 0));
    return new Chapter(
        "steps",
        "The story's steps",
        HEAD,
        rows,
        verdicts,
        List.of(
            "p50 and p99 in an open loop at half of the way's own highest rate, from when a request"
                + " was due; \"at\" says which rate that is. Server, Redis and load share this"
                + " machine's processors.",
            "(a) to (c) answer with the kept bytes without making objects of them, which the"
                + " story's servers did: they are faster here than they were there.",
            "(f): one key at "
                + Figures.whole(expiryRate)
                + "/s over three processes, kept as (c) sent as it is, for "
                + Figures.whole(TTL_SECONDS)
                + " s, from a source that takes "
                + Figures.whole(SOURCE_MILLIS)
                + " ms and what serialising and gzip 6 take; ours has the same life, three"
                + " processes and the database as its source."),
        List.of(
            new BarChart.Panel("answers a second", rates),
            new BarChart.Panel("Redis, kB an answer", costs),
            new BarChart.Panel("loads an expiry", loads)));
  }

  private void way(AnswerWay way) throws IOException, InterruptedException {
    try (Subject redis = rig.redis();
        RedisDesk desk = new RedisDesk(redis.port());
        Subject server = rig.way(way, keeping(way, redis))) {
      compare(way.text(), way.label(), server, desk);
    }
  }

  private static List<String> keeping(AnswerWay way, Subject redis) {
    return way.keeps()
        ? List.of("--redis", Integer.toString(redis.port()), "--ttl-millis", "3600000")
        : List.of();
  }

  private void ours() throws IOException, InterruptedException {
    try (Subject redis = rig.redis();
        RedisDesk desk = new RedisDesk(redis.port());
        Subject gilmok = rig.gilmok(List.of(Rig.shares(redis)))) {
      rig.fill(gilmok, rig.made().riders());
      compare("**ours**, with Redis", "ours", gilmok, desk);
    }
  }

  private void compare(String name, String label, Subject server, RedisDesk desk)
      throws IOException, InterruptedException {
    Rig.Times times = rig.times();
    Load ask = rig.asking(List.of(server), rig.made().riders(), "gzip");
    ask.warm(0, times.ownWarmup());
    List<LoadRun.Watch> watches = List.of(desk::bytes, LoadRun.Watch.processor(List.of(server)));
    RunResult closed = ask.run(watches);
    double half = closed.perSecond() / 2;
    RunResult open = ask.at(half, times.warmup(), times.seconds()).run(List.of());
    rig.tell(name + "  " + closed.text() + "  at half: " + open.text());
    double answers = Math.max(1, closed.answers());
    double kilobytes = closed.watched().get(0) / 1e3 / answers;
    long wrong = closed.errorCount() + open.errorCount();
    errors += wrong;
    add(
        List.of(
            name,
            Figures.whole(closed.perSecond()),
            Figures.fine(open.p50()),
            Figures.fine(open.p99()),
            Figures.whole(half) + "/s",
            Figures.fine(closed.watched().get(0) / 1e6 / closed.wall()),
            Figures.fine(kilobytes),
            Figures.whole(closed.watched().get(1) / 1e3 / answers),
            Figures.fine(closed.cores()),
            Figures.whole(ask.requests().bodyBytes()),
            Figures.NONE,
            Figures.NONE,
            Long.toString(wrong)));
    rates.add(
        new BarChart.Bar(label, closed.perSecond(), Figures.whole(closed.perSecond()) + "/s"));
    costs.add(Figures.bar(label, kilobytes, "kB"));
  }

  private void add(List<String> cells) {
    List<String> row = new ArrayList<>(cells);
    while (row.size() < HEAD.split(" \\| ").length) {
      row.add(Figures.NONE);
    }
    rows.add(row);
  }

  private void guard(Guard guard) throws IOException, InterruptedException {
    try (Subject redis = rig.redis();
        RedisDesk desk = new RedisDesk(redis.port())) {
      List<Subject> servers = new ArrayList<>();
      try {
        for (int i = 0; i < TOGETHER; i++) {
          servers.add(rig.way(AnswerWay.WHOLE_GZIP_AS_IS, guarded(guard, redis)));
        }
        double life = guard == Guard.LONGER ? Guard.LONGER_TIMES * TTL_SECONDS : TTL_SECONDS;
        expire(guard.text(), guard.label(), servers, desk, life, () -> counted(servers));
      } finally {
        servers.forEach(Subject::close);
      }
    }
  }

  private static List<String> guarded(Guard guard, Subject redis) {
    return List.of(
        "--guard",
        guard.name(),
        "--redis",
        Integer.toString(redis.port()),
        "--ttl-millis",
        Long.toString((long) (1_000 * TTL_SECONDS)),
        "--source-millis",
        Long.toString((long) SOURCE_MILLIS));
  }

  private static double counted(List<Subject> ways) throws IOException, InterruptedException {
    double sum = 0;
    for (Subject way : ways) {
      try (LabClient client = new LabClient(way)) {
        sum += Double.parseDouble(client.get("/lab/loads").body());
      }
    }
    return sum;
  }

  private void oursExpiring() throws IOException, InterruptedException {
    try (Subject own = rig.database();
        Subject redis = rig.redis();
        RedisDesk desk = new RedisDesk(redis.port());
        Group group =
            Group.start(
                rig,
                TOGETHER,
                List.of(
                    "missions.cache.ttl=" + Figures.whole(TTL_SECONDS) + "s",
                    rig.shared(own),
                    Rig.shares(redis)))) {
      rig.fill(group.first(), 1);
      expire(
          "(f) **ours**",
          "ours",
          group.servers(),
          desk,
          TTL_SECONDS,
          () -> Rig.loads(group.servers()));
    }
  }

  /** A count of loads from the source. */
  @FunctionalInterface
  private interface Count {
    double read() throws IOException, InterruptedException;
  }

  private void expire(
      String name, String label, List<Subject> servers, RedisDesk desk, double life, Count count)
      throws IOException, InterruptedException {
    Rig.Times times = rig.times();
    Load ask = rig.asking(servers, 1, "gzip");
    ask.warm(expiryRate, times.ownWarmup());
    // Long enough for a few of the longest lives.
    double seconds = Math.max(times.seconds(), 3 * life);
    final double before = count.read();
    RunResult result =
        ask.at(expiryRate, 0, seconds).run(List.of(desk::bytes, LoadRun.Watch.processor(servers)));
    double loaded = count.read() - before;
    double each = loaded / (seconds / life);
    rig.tell(name + "  loads " + loaded + "  " + result.text());
    errors += result.errorCount();
    double answers = Math.max(1, result.answers());
    add(
        List.of(
            name,
            Figures.whole(result.perSecond()),
            Figures.fine(result.p50()),
            Figures.fine(result.p99()),
            Figures.whole(expiryRate) + "/s",
            Figures.fine(result.watched().get(0) / 1e6 / result.wall()),
            Figures.fine(result.watched().get(0) / 1e3 / answers),
            Figures.whole(result.watched().get(1) / 1e3 / answers),
            Figures.fine(result.cores()),
            Figures.whole(ask.requests().bodyBytes()),
            Figures.whole(loaded),
            Figures.fine(each),
            Long.toString(result.errorCount())));
    loads.add(Figures.bar(label, each, "loads"));
  }
}
