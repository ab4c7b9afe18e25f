package gilmok.runsheet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The planner process, as a server starts it. */
@Tag("process")
final class PlannerPoolIT {
  private static final Duration LONG = Duration.ofSeconds(30);

  private static List<String> command(int workers) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx600m",
        "-XX:+UseSerialGC",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        PlannerMain.class.getName(),
        Integer.toString(workers));
  }

  private static long in(Duration time) {
    return System.nanoTime() + time.toNanos();
  }

  /** Begins a plan so large that it uses its whole budget. */
  private static Future<Plan> longPlan(
      ExecutorService threads, PlannerPool planners, Duration budget) {
    PlanProblem large = MadeUp.problem(100, 3);
    return threads.submit(() -> planners.plan(large, in(budget)));
  }

  private static void kill(long pid) throws Exception {
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    assertThat(process.destroyForcibly()).isTrue();
    assertThat(process.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
  }

  @Test
  void plan_isMadeThere_andTheProcessEndsWithItsKeeper() throws Exception {
    PlannerPool planners = PlannerPool.start(command(1));
    long pid = planners.pid(LONG);
    try {
      Plan plan = planners.plan(MadeUp.problem(6, 1), in(LONG));
      assertThat(plan.optimal()).isTrue();
      assertThat(plan.stops()).hasSize(12);
      assertThat(planners.restarts()).isZero();
    } finally {
      planners.end();
    }
    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    assertThatThrownBy(() -> planners.plan(MadeUp.problem(2, 1), in(LONG)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void processKilledInThePlan_isStartedAgain_andThePlanMade() throws Exception {
    PlannerPool planners = PlannerPool.start(command(1));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long first = planners.pid(LONG);
      assertThat(planners.plan(MadeUp.problem(3, 1), in(LONG)).optimal()).isTrue();
      Future<Plan> under = longPlan(threads, planners, Duration.ofSeconds(8));
      kill(first);
      assertThat(under.get(60, TimeUnit.SECONDS).stops()).hasSize(200);
      assertThat(planners.restarts()).isEqualTo(1);
      assertThat(planners.pid(LONG)).isNotEqualTo(first);
      assertThat(planners.plan(MadeUp.problem(3, 2), in(LONG)).optimal()).isTrue();
    } finally {
      planners.end();
    }
  }

  @Test
  void callerGone_leavesItsPlaceToTheNext() throws Exception {
    PlannerPool planners = PlannerPool.start(command(1));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(planners.plan(MadeUp.problem(3, 1), in(LONG)).optimal()).isTrue();
      Future<Plan> under = longPlan(threads, planners, Duration.ofMinutes(10));
      assertThat(under.cancel(true)).isTrue();
      // The only worker can prove this plan only if it has given up the other.
      assertThat(planners.plan(MadeUp.problem(5, 2), in(LONG)).optimal()).isTrue();
      assertThat(planners.restarts()).isZero();
    } finally {
      planners.end();
    }
  }

  @Test
  void processThatCannotLive_failsThePlanInTime_andIsTriedAgain() throws Exception {
    PlannerPool planners = PlannerPool.start(List.of("/bin/false"));
    try {
      assertThatThrownBy(() -> planners.plan(MadeUp.problem(2, 1), in(Duration.ofMillis(500))))
          .isInstanceOf(IOException.class);
      assertThat(planners.restarts()).isPositive();
    } finally {
      planners.end();
    }
  }

  @Test
  void processThatHangs_failsThePlanInTime_andIsEndedAtTheNext() throws Exception {
    List<String> command = List.of("/bin/sleep", "600");
    PlannerPool planners = PlannerPool.start(command, Duration.ofSeconds(1));
    try {
      ProcessHandle process = ProcessHandle.of(planners.pid(LONG)).orElseThrow();
      assertThatThrownBy(() -> planners.plan(MadeUp.problem(2, 1), in(Duration.ofMillis(10))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("did not answer in time");
      assertThatThrownBy(() -> planners.plan(MadeUp.problem(2, 1), in(Duration.ofMillis(10))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not answer");
      assertThat(process.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    } finally {
      planners.end();
    }
  }

  @Test
  void processThatIsLate_lives() throws Exception {
    // It reads all and answers nothing, until its input ends.
    PlannerPool planners = PlannerPool.start(List.of("/bin/sh", "-c", "cat > /dev/null; exit"));
    try {
      ProcessHandle process = ProcessHandle.of(planners.pid(LONG)).orElseThrow();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> planners.plan(MadeUp.problem(2, 1), in(Duration.ofMillis(10))))
            .hasMessageContaining("did not answer in time");
      }
      assertThat(process.isAlive()).isTrue();
    } finally {
      planners.end();
    }
  }

  @Test
  void processThatSaysNonsense_isEnded() throws Exception {
    PlannerPool planners = PlannerPool.start(List.of("/bin/echo", "this is no frame"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Plan> plan = longPlan(threads, planners, Duration.ofSeconds(1));
      assertThatThrownBy(() -> plan.get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IOException.class);
    } finally {
      planners.end();
    }
  }
}
