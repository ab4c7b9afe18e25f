package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.PartTimes;
import gilmok.observe.SlowRequest.Part;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RequestTimesTest {
  private static final long MILLI = 1_000_000;

  /** What the loop does after it has handed the request over is not counted beside the thread. */
  @Test
  void parts_ofALoopThatIsSlowToLetGo_addUpToTheWhole() {
    RequestTimes times = new RequestTimes();
    long ranNanos = 40 * MILLI;
    long end = System.nanoTime();
    long handedOver = end - ranNanos - 10 * MILLI;
    long began = handedOver - 5 * MILLI;
    times.begin(RequestPart.DECODE, began);
    times.end(handedOver + 30 * MILLI);
    times.apart(new PartTimes(), 10 * MILLI, ranNanos);
    times.begin(RequestPart.SERIALISE, end);
    times.end(end + MILLI);
    List<Part> parts = times.parts();
    assertThat(parts)
        .extracting(Part::name)
        .containsExactly("decode", "thread", "work", "serialise");
    // The clock is looked at once more, so a little is missing.
    assertThat(parts.getFirst().nanos()).isBetween(5 * MILLI, 30 * MILLI);
    long sum = parts.stream().mapToLong(Part::nanos).sum();
    assertThat(sum).isBetween(56 * MILLI, 80 * MILLI);
  }

  @Test
  void admission_thatEndsInARefusal_isAPart() {
    RequestTimes times = new RequestTimes();
    times.begin(RequestPart.ADMISSION, 0);
    times.end(MILLI);
    assertThat(times.parts()).containsExactly(new Part("admission", MILLI));
    assertThat(times.unexplained(MILLI)).isZero();
  }
}
