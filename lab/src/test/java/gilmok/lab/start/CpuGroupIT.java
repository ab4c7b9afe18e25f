package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups with a weight and with a limit, and what the kernel then gives to processes in a loop. */
@Tag("process")
class CpuGroupIT {
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final double SECONDS = 3;

  @TempDir private Path work;

  @BeforeAll
  static void groupsMayBeMade() throws IOException {
    try (CpuGroup _ = CpuGroup.weighted("tried", CpuWeight.USUAL)) {
      assertThat(CpuWeight.USUAL.shares()).isPositive();
    } catch (CpuGroup.Forbidden here) {
      Assumptions.abort("left out: " + here.getMessage());
    }
  }

  private BusyNeighbour busy(CpuGroup group) throws IOException {
    return BusyNeighbour.start(group, PROCESSORS, work);
  }

  /** How much more processor time the first got, while both wanted all processors. */
  private static double times(BusyNeighbour first, BusyNeighbour second) {
    LockSupport.parkNanos(500_000_000);
    double firstBefore = first.processorSeconds();
    double secondBefore = second.processorSeconds();
    LockSupport.parkNanos((long) (SECONDS * 1e9));
    double firsts = first.processorSeconds() - firstBefore;
    double seconds = second.processorSeconds() - secondBefore;
    assertThat(firsts).isPositive();
    assertThat(seconds).isPositive();
    return firsts / seconds;
  }

  /** By the weights the neighbour is due 3.3 and 10 times as much; others may use the machine. */
  @ParameterizedTest
  @CsvSource({"0.3, 1.5", "0.1, 3"})
  void request_besideABusyNeighbour_getsMuchLess_andIsNotThrottled(double request, double least)
      throws Exception {
    CpuGroup asked = CpuGroup.weighted("asked", CpuWeight.asking(request));
    try (BusyNeighbour small = busy(asked);
        BusyNeighbour usual = busy(CpuGroup.weighted("usual", CpuWeight.USUAL))) {
      assertThat(times(usual, small)).isGreaterThan(least);
      assertThat(asked.throttledPeriods()).isZero();
      assertThat(asked.throttledSeconds()).isZero();
    }
  }

  @Test
  void sameWeight_getsAsMuch() throws Exception {
    try (BusyNeighbour one = busy(CpuGroup.weighted("one", CpuWeight.USUAL));
        BusyNeighbour other = busy(CpuGroup.weighted("other", CpuWeight.USUAL))) {
      assertThat(times(one, other)).isBetween(0.65, 1.45);
    }
  }

  @Test
  void limitOf03_isHeldUp_withoutANeighbour() throws Exception {
    CpuGroup limited = CpuGroup.limited("limited", 0.3);
    try (BusyNeighbour held = busy(limited)) {
      double before = held.processorSeconds();
      LockSupport.parkNanos((long) (SECONDS * 1e9));
      assertThat((held.processorSeconds() - before) / SECONDS).isLessThan(0.4);
      assertThat(limited.throttledPeriods()).isPositive();
      assertThat(limited.throttledSeconds()).isPositive();
    }
  }

  @Test
  void close_endsTheProcesses_andRemovesTheGroup() throws Exception {
    CpuGroup group = CpuGroup.weighted("closed", CpuWeight.USUAL);
    BusyNeighbour neighbour = busy(group);
    Path members = group.folder().resolve("cgroup.procs");
    long end = System.nanoTime() + 10_000_000_000L;
    while (Files.readAllLines(members).size() < PROCESSORS && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(20_000_000);
    }
    var pids = Files.readAllLines(members).stream().map(Long::valueOf).toList();
    assertThat(pids).hasSize(PROCESSORS);
    neighbour.close();
    assertThat(group.folder()).doesNotExist();
    assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
  }
}
