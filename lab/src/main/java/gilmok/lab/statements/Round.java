package gilmok.lab.statements;

import gilmok.lab.ProcessorClock;
import gilmok.lab.Subject;
import gilmok.lab.positions.Pressure;
import gilmok.lab.positions.Talk;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * One measurement: statements of one rider, asked for in a closed loop.
 *
 * @param documents how many entries the rider has
 * @param p50 milliseconds at the client
 * @param p99 milliseconds at the client
 * @param serverMicros processor time of the server for each answer
 * @param databaseMicros processor time of what stands for the database, for each answer; 0 without
 * @param loadCores processors that the load took
 */
record Round(
    String subject,
    int documents,
    int connections,
    double perSecond,
    double p50,
    double p99,
    double serverMicros,
    double databaseMicros,
    double loadCores) {

  static final List<String> HEAD =
      List.of(
          "server",
          "documents",
          "connections",
          "statements/s",
          "p50 ms",
          "p99 ms",
          "server µs",
          "database µs",
          "load, processors");

  /**
   * How it is measured.
   *
   * @param key the server's
   */
  record Plan(String path, String key, int warmupSeconds, int seconds) {}

  /**
   * Measures.
   *
   * @param behind what stands for the database; the server itself when there is none
   */
  static Round measure(Subject server, Subject behind, int documents, int connections, Plan plan)
      throws IOException {
    Talk question = new Talk.Get(plan.path, plan.key);
    if (plan.warmupSeconds > 0) {
      try (Pressure pressure = new Pressure(server.port(), connections, question)) {
        var _ = pressure.run(0, 0, plan.warmupSeconds);
      }
    }
    ProcessorClock serverClock = new ProcessorClock(server.pid());
    ProcessorClock behindClock = new ProcessorClock(behind.pid());
    long serverBefore = serverClock.nanos();
    long behindBefore = behindClock.nanos();
    Pressure.Result result;
    try (Pressure pressure = new Pressure(server.port(), connections, question)) {
      result = pressure.run(0, 0, plan.seconds);
    }
    double answers = Math.max(1, result.questionsPerSecond() * plan.seconds);
    double serverMicros = (serverClock.nanos() - serverBefore) / 1e3 / answers;
    double behindMicros = (behindClock.nanos() - behindBefore) / 1e3 / answers;
    return new Round(
        server.name(),
        documents,
        connections,
        result.questionsPerSecond(),
        result.p50() / 1e3,
        result.p99() / 1e3,
        serverMicros,
        behind.pid() == server.pid() ? 0 : behindMicros,
        result.ownCores());
  }

  List<String> cells() {
    return List.of(
        subject,
        Integer.toString(documents),
        Integer.toString(connections),
        String.format(Locale.ROOT, perSecond < 100 ? "%.1f" : "%,.0f", perSecond),
        String.format(Locale.ROOT, "%.2f", p50),
        String.format(Locale.ROOT, "%.2f", p99),
        String.format(Locale.ROOT, "%,.0f", serverMicros),
        String.format(Locale.ROOT, "%,.0f", databaseMicros),
        String.format(Locale.ROOT, "%.2f", loadCores));
  }
}
