package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.doctor.KernelClock.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A clock that is right, and ones that are not. */
@Tag("unit")
final class ClockDoctorTest {
  private static final Instant NOW = Instant.parse("2030-03-01T12:00:00Z");
  @TempDir Path data;

  private List<Check> look(Instant now, State state) {
    return new ClockDoctor(data, now, NOW.minus(Duration.ofDays(10)), state).look();
  }

  private Path file(String name, Instant written) throws Exception {
    Path file = data.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
    return Files.setLastModifiedTime(file, FileTime.from(written));
  }

  @Test
  void rightAndKept_isWell() throws Exception {
    file("log/1", NOW.plusSeconds(59));
    Files.setLastModifiedTime(data.resolve("log"), FileTime.from(NOW));
    Files.setLastModifiedTime(data, FileTime.from(NOW));
    assertThat(look(NOW, State.KEPT))
        .extracting(Check::toString)
        .containsExactly(
            "Check[what=clock, kept, seen=the kernel's is kept, verdict=well, advice=]",
            "Check[what=clock, right, seen=2030-03-01T12:00:00Z, verdict=well, advice=]");
  }

  @Test
  void notKept_isSaid_andWhatIsNotKnownIsNot() {
    List<Check> checks = look(NOW, State.NOT_KEPT);
    assertThat(checks.getFirst().verdict()).isEqualTo("look");
    assertThat(checks.getFirst().advice()).contains("chrony");
    assertThat(look(NOW, State.UNKNOWN)).extracting(Check::what).containsExactly("clock, right");
    assertThat(KernelClock.state()).isNotNull();
  }

  @Test
  void beforeTheProgramWasBuilt_isInThePast() {
    Check right = look(Instant.parse("1970-01-01T00:00:07Z"), State.UNKNOWN).getFirst();
    assertThat(right.seen()).isEqualTo("1970-01-01T00:00:07Z, before this program was built");
    assertThat(right.verdict()).isEqualTo("look");
  }

  @Test
  void fileThatIsNewerThanNow_isNamed() throws Exception {
    Path file = file("log/1", NOW.plusSeconds(61));
    Files.setLastModifiedTime(data.resolve("log"), FileTime.from(NOW));
    Files.setLastModifiedTime(data, FileTime.from(NOW));
    Check right = look(NOW, State.UNKNOWN).getFirst();
    assertThat(right.seen()).isEqualTo("2030-03-01T12:00:00Z, and " + file + " is newer");
    assertThat(right.verdict()).isEqualTo("look");
    assertThat(right.advice()).contains("set back");
  }
}
