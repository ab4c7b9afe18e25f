package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.background.LowPriority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Run sheets, planned as they are by default: in a process of their own. */
@Tag("process")
final class RunSheetChildIT {
  private static final String SMALL =
      "{\"matrix\":[[0,1,2],[1,0,1],[2,1,0]],\"start\":0,\"budgetMs\":10000,\"orders\":["
          + "{\"orderId\":\"a\",\"pickup\":1,\"dropoff\":2}]}";

  @TempDir Path data;

  private static List<ProcessHandle> planners() {
    return ProcessHandle.current()
        .children()
        .filter(child -> arguments(child).contains("PlannerMain"))
        .toList();
  }

  /**
   * The whole command line of a process. The JDK reads its first 4 KiB, and the class path is
   * longer.
   */
  private static String arguments(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException ended) {
      return "";
    }
  }

  private static ProcessHandle planner() throws Exception {
    Program.await(() -> planners().size() == 1);
    return planners().getFirst();
  }

  /**
   * The niceness of a process, or of {@code thread-self}: field 19 of {@code /proc/PID/stat}. The
   * name, in brackets before it, may contain blanks.
   */
  private static int niceness(String process) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + process + "/stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
  }

  private static ProcessHandle runningPlanner(RunningServer server) throws Exception {
    Program.await(() -> server.post("/v1/run-sheets", SMALL).status() == 200);
    return planner();
  }

  private static Reply killedInThePlan(
      RunningServer server, ExecutorService threads, ProcessHandle planner) throws Exception {
    Future<Reply> answer =
        threads.submit(() -> server.post("/v1/run-sheets", RunSheetIT.large(8000)));
    Program.await(() -> server.metric("gilmok_run_sheets_planned_now") == 1);
    assertThat(planner.destroyForcibly()).isTrue();
    return answer.get(60, TimeUnit.SECONDS);
  }

  @Test
  void killedInThePlan_answersAllTheSame_andEndsWithTheServer() throws Exception {
    ProcessHandle second;
    try (RunningServer server = RunningServer.start(data, "run-sheets.process=child");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      ProcessHandle first = planner();
      // A process inherits the niceness of the thread that starts it, which another test may have
      // lowered; then it lowers itself, some milliseconds after it can be seen.
      int low = Math.min(19, niceness("thread-self") + LowPriority.NICE);
      Program.await(() -> niceness("" + first.pid()) == low);
      Reply planned = server.post("/v1/run-sheets", SMALL);
      assertThat(planned.status()).as(planned.body()).isEqualTo(200);
      assertThat(planned.json().path("optimal").asBoolean()).isTrue();
      Reply answered = killedInThePlan(server, threads, first);
      // The plan's budget is 10 s at most, and on a busy machine the next process, of low priority,
      // may need longer than that to start: then the answer is a 503 and the next try meets a
      // process that runs.
      for (int more = 0; answered.status() == 503 && more < 8; more++) {
        answered = killedInThePlan(server, threads, runningPlanner(server));
      }
      assertThat(answered.status()).as(answered.body()).isEqualTo(200);
      assertThat(answered.json().path("stops").values()).hasSize(200);
      assertThat(server.metric("gilmok_run_sheets_restarts_total")).isPositive();
      second = planner();
      assertThat(second.pid()).isNotEqualTo(first.pid());
    }
    assertThat(second.isAlive()).isFalse();
  }

  @Test
  void serverOfItsOwn_plansAndDoesNothingElse() throws Exception {
    try (RunningServer server =
        RunningServer.start(data, "run-sheets.process=child", "only=run-sheets")) {
      assertThat(server.post("/v1/run-sheets", SMALL).status()).isEqualTo(200);
      assertThat(server.post("/v1/traces", "{}").status()).isEqualTo(404);
      assertThat(server.get("/v1/riders/r/run-sheet").status()).isEqualTo(404);
      assertThat(server.get("/health/ready").status()).isEqualTo(200);
    }
  }
}
