package gilmok.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class GcLogTest {
  @Test
  void of_pauses_addsWhatWasAllocatedBetweenThem() {
    GcLog log =
        GcLog.of(
            Stream.of(
                "[0.009s][info][gc] Using G1",
                "[1.1s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 25M->5M(512M)"
                    + " 2.500ms",
                "[1.2s][info][gc] GC(1) Concurrent Mark Cycle 11.2ms",
                "[2.1s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 105M->7M(512M)"
                    + " 1.500ms",
                "[3.1s][info][gc] GC(3) Pause Remark 17M->17M(512M) 4.000ms"));
    assertThat(log.allocatedBytes()).isEqualTo(110L << 20);
    assertThat(log.heapAfterMax()).isEqualTo(17L << 20);
    assertThat(log.pauses()).isEqualTo(3);
    assertThat(log.pauseMillis()).isEqualTo(8.0);
    assertThat(log.pauseMillisMax()).isEqualTo(4.0);
  }
}
