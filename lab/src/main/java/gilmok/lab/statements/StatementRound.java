package gilmok.lab.statements;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.Requests;
import gilmok.lab.load.RunResult;
import gilmok.lab.load.Workload;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * One measurement: a closed loop of requests for the statements of one rider.
 *
 * @param documents the number of the rider's entries
 * @param p50 milliseconds at the client
 * @param p99 milliseconds at the client
 * @param serverMicros processor time of the server for each response
 * @param databaseMicros processor time of the database's stand-in for each response; 0 without one
 * @param loadCores processors used by the load
 */
record StatementRound(
    String subject,
    int documents,
    int connections,
    double perSecond,
    double p50,
    double p99,
    double serverMicros,
    double databaseMicros,
    double loadCores) {

  static final String HEAD =
      "server | documents | connections | statements/s | p50 ms | p99 ms | server µs"
          + " | database µs | load, processors";

  /**
   * Runs the measurement.
   *
   * @param behind the database's stand-in; the server itself if there is none
   */
  static StatementRound measure(
      Subject server, Subject behind, int documents, int connections, double warmup, double seconds)
      throws IOException, InterruptedException {
    byte[] request = Requests.get(Stage.path(documents), Servers.KEY);
    RunResult result =
        new LoadRun(
                LoadPlan.closed(List.of(server.port()), connections).at(0, warmup, seconds),
                Workload.of(() -> request))
            .watching(
                List.of(
                    LoadRun.Watch.processor(List.of(server)),
                    LoadRun.Watch.processor(List.of(behind))))
            .run()
            .orThrow();
    double answers = Math.max(1, result.answers());
    return new StatementRound(
        server.name(),
        documents,
        connections,
        result.perSecond(),
        result.p50(),
        result.p99(),
        result.watched().getFirst() / 1e3 / answers,
        behind.pid() == server.pid() ? 0 : result.watched().getLast() / 1e3 / answers,
        result.cores());
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
