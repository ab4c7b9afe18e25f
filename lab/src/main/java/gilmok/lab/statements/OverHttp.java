package gilmok.lab.statements;

import gilmok.lab.Subject;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Chapter.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Measures the parts over HTTP: this server and Spring Data's in turn, in one run. Not thread-safe.
 */
final class OverHttp {
  private static final String OURS = "gilmok";
  private static final double CLIFF_RATIO = 10;
  private static final double PROCESSOR_SHARE = 0.1;
  private static final double SQLITE_RATE = 2_000;
  private static final int SQLITE_DOCUMENTS = 2_000;
  private static final List<Integer> JUDGED = List.of(1_000, 2_000);

  /** Without a cliff, the rate with more connections is at least this share of the best before. */
  private static final double CLIFF_SHARE = 0.7;

  private final Stage stage;
  private final Times times;
  private final List<Integer> sizes;
  private final List<Integer> connections;
  private final @Nullable Integer databasePort;
  private final Consumer<String> progress;

  /** The total earnings of a rider, by the number of entries: must be the same from all servers. */
  private final Map<Integer, Long> nets = new HashMap<>();

  /**
   * Seconds of a measurement, of the warm-up before each, and of the first warm-up of this server
   * and of Spring's.
   */
  record Times(double seconds, double warmup, int ownWarmup, int springWarmup) {}

  /**
   * The parts on a stage.
   *
   * @param databasePort the port of a running database; null to start one
   */
  OverHttp(
      Stage stage,
      Times times,
      List<Integer> sizes,
      List<Integer> connections,
      @Nullable Integer databasePort,
      Consumer<String> progress) {
    this.stage = stage;
    this.times = times;
    this.sizes = sizes;
    this.connections = connections;
    this.databasePort = databasePort;
    this.progress = progress;
  }

  /** Measures by concurrency and number of documents, with replayed responses of the database. */
  Chapter cliff() throws IOException, InterruptedException {
    List<StatementRound> rounds = new ArrayList<>();
    String account;
    try (Subject own = databasePort == null ? stage.database() : null) {
      int port = own == null ? port() : own.port();
      fill(port);
      try (Subject replay = stage.replay(port)) {
        try (Subject gilmok = stage.gilmok(replay.port())) {
          rounds.addAll(rounds(gilmok, replay, times.ownWarmup, sizes, connections));
        }
        try (Subject spring = stage.spring(replay.port())) {
          rounds.addAll(rounds(spring, replay, times.springWarmup, sizes, connections));
        }
        var _ = replay.stop();
        account = replay.lastOutput().lines().toList().getLast();
      }
    }
    List<Verdict> verdicts = new ArrayList<>();
    for (int size : JUDGED) {
      for (int at : sizes.contains(size) ? connections : List.<Integer>of()) {
        double ratio = rate(rounds, true, size, at) / rate(rounds, false, size, at);
        verdicts.add(
            new Verdict(
                "ours to Spring Data, " + size + " documents, " + at + " connections",
                "at least 10 times",
                String.format(Locale.ROOT, "%.1f times", ratio),
                ratio >= CLIFF_RATIO));
      }
    }
    verdicts.add(noCliff(rounds));
    return chapter(
        "cliff",
        "The cliff: statements a second by documents and connections",
        rounds,
        verdicts,
        "\"database\" is what replays a database's recorded answers; server, replay and load share"
            + " this machine's processors. Its commands: "
            + account
            + ".");
  }

  /**
   * Checks that more connections never make it much slower, and that the cost of a document stays
   * the same.
   */
  private Verdict noCliff(List<StatementRound> rounds) {
    double worst = 1;
    for (int size : sizes) {
      double best = 0;
      for (int at : connections) {
        double rate = rate(rounds, true, size, at);
        best = Math.max(best, rate);
        worst = Math.min(worst, rate / best);
      }
    }
    return new Verdict(
        "ours has no cliff: the rate with more connections, of the best with fewer",
        String.format(Locale.ROOT, "at least %.1f", CLIFF_SHARE),
        String.format(Locale.ROOT, "%.2f at worst", worst),
        worst >= CLIFF_SHARE);
  }

  /** Measures the processor time of each response, with the test database itself. */
  Chapter database() throws IOException, InterruptedException {
    List<Integer> one = List.of(connections.contains(4) ? 4 : connections.getFirst());
    List<StatementRound> rounds = new ArrayList<>();
    try (Subject own = databasePort == null ? stage.database() : null) {
      int port = own == null ? port() : own.port();
      fill(port);
      try (Subject gilmok = stage.gilmok(port)) {
        rounds.addAll(rounds(gilmok, own == null ? gilmok : own, times.ownWarmup, sizes, one));
      }
      try (Subject spring = stage.spring(port)) {
        rounds.addAll(rounds(spring, own == null ? spring : own, times.springWarmup, sizes, one));
      }
    }
    List<Verdict> verdicts = new ArrayList<>();
    for (int size : sizes) {
      double share = cost(rounds, true, size) / cost(rounds, false, size);
      verdicts.add(
          new Verdict(
              "ours of Spring Data's processor time a request, " + size + " documents",
              "at most 0.1",
              String.format(Locale.ROOT, "%.3f", share),
              share <= PROCESSOR_SHARE));
    }
    return chapter(
        "database",
        "Against the test database: processor time a request",
        rounds,
        verdicts,
        "The kernel counts processor time in steps of 10 ms, of the whole process: also what it"
            + " does beside the requests.");
  }

  /** Measures this server with SQLite. */
  Chapter sqlite() throws IOException, InterruptedException {
    List<Integer> size = List.of(SQLITE_DOCUMENTS);
    List<StatementRound> rounds;
    try (Subject gilmok = stage.gilmok(null)) {
      stage.fill(gilmok, size);
      rounds = rounds(gilmok, gilmok, times.ownWarmup, size, connections);
    }
    double best = rounds.stream().mapToDouble(StatementRound::perSecond).max().orElse(0);
    return chapter(
        "sqlite",
        "SQLite: statements of 2,000 entries in 31 days",
        rounds,
        List.of(
            new Verdict(
                "statements a second, the load beside",
                "at least 2,000/s",
                String.format(Locale.ROOT, "%,.0f/s", best),
                best >= SQLITE_RATE)),
        "Server and load share this machine's processors.");
  }

  private int port() {
    if (databasePort == null) {
      throw new IllegalStateException("no database");
    }
    return databasePort;
  }

  private void fill(int port) throws IOException, InterruptedException {
    try (Subject gilmok = stage.gilmok(port)) {
      progress.accept("putting entries in");
      stage.fill(gilmok, sizes);
    }
  }

  private List<StatementRound> rounds(
      Subject server, Subject behind, double warmup, List<Integer> documents, List<Integer> at)
      throws IOException, InterruptedException {
    for (int size : documents) {
      JsonNode total = stage.ask(server, size).path("total");
      if (total.path("count").asInt() != size) {
        throw new IOException(server.name() + " has summed " + total + " in place of " + size);
      }
      long net = total.path("net").asLong();
      if (nets.computeIfAbsent(size, _ -> net) != net) {
        throw new IOException(server.name() + " has another sum than the one before: " + total);
      }
      progress.accept(server.name() + " " + size + ": " + total);
    }
    int middle = documents.get(documents.size() / 2);
    StatementRound warm =
        StatementRound.measure(server, behind, middle, at.getLast(), warmup, times.seconds);
    progress.accept("warm  " + String.join("  ", warm.cells()));
    List<StatementRound> rounds = new ArrayList<>();
    for (int size : documents) {
      for (int connection : at) {
        StatementRound round =
            StatementRound.measure(server, behind, size, connection, times.warmup, times.seconds);
        progress.accept("      " + String.join("  ", round.cells()));
        rounds.add(round);
      }
    }
    return rounds;
  }

  private static StatementRound find(
      List<StatementRound> rounds, boolean ours, int documents, int connections) {
    return rounds.stream()
        .filter(round -> round.subject().equals(OURS) == ours)
        .filter(round -> round.documents() == documents)
        .filter(round -> connections == 0 || round.connections() == connections)
        .findFirst()
        .orElseThrow();
  }

  private static double rate(
      List<StatementRound> rounds, boolean ours, int documents, int connections) {
    return find(rounds, ours, documents, connections).perSecond();
  }

  private static double cost(List<StatementRound> rounds, boolean ours, int documents) {
    return find(rounds, ours, documents, 0).serverMicros();
  }

  private static Chapter chapter(
      String name, String title, List<StatementRound> rounds, List<Verdict> verdicts, String note) {
    List<BarChart.Bar> rates = new ArrayList<>();
    List<BarChart.Bar> tails = new ArrayList<>();
    List<BarChart.Bar> costs = new ArrayList<>();
    for (StatementRound round : rounds) {
      String label =
          round.subject() + ", " + round.documents() + " documents, at once " + round.connections();
      List<String> cells = round.cells();
      rates.add(new BarChart.Bar(label, round.perSecond(), cells.get(3) + "/s"));
      tails.add(new BarChart.Bar(label, round.p99(), cells.get(5) + " ms"));
      costs.add(new BarChart.Bar(label, round.serverMicros(), cells.get(6) + " µs"));
    }
    return new Chapter(
        name,
        title,
        StatementRound.HEAD,
        rounds.stream().map(StatementRound::cells).toList(),
        verdicts,
        List.of(note),
        List.of(
            new BarChart.Panel("statements a second", rates),
            new BarChart.Panel("p99, milliseconds", tails),
            new BarChart.Panel("the server's processor time a statement", costs)));
  }
}
