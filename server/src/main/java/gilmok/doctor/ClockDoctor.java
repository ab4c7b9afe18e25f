package gilmok.doctor;

import gilmok.doctor.KernelClock.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the machine's clock: whether anything keeps it, and whether it can be right.
 *
 * @param data the data folder, which need not be there
 * @param now what the clock says
 * @param built when the program was built, or rather its commit made; null when that is not known
 * @param state what the kernel says about it
 */
record ClockDoctor(Path data, Instant now, @Nullable Instant built, State state) {
  private static final String WHAT = "clock, right";
  private static final Duration OFF_MAX = Duration.ofMinutes(1);
  private static final Duration BEFORE_MAX = Duration.ofDays(1);
  private static final int FILES_MAX = 10_000;
  private static final String SET_IT = "set it, and keep it by chrony or systemd-timesyncd: ";

  /** Looks at it. */
  List<Check> look() {
    List<Check> checks = new ArrayList<>();
    if (state != State.UNKNOWN) {
      checks.add(
          Check.of(
              "clock, kept",
              state == State.KEPT ? "the kernel's is kept" : "nothing keeps the kernel's clock",
              state == State.KEPT,
              "start chrony or systemd-timesyncd on the machine (not in the container), and look at"
                  + " chronyc tracking or timedatectl: leases, keys' ends and records' times are"
                  + " by this clock"));
    }
    checks.add(right());
    return checks;
  }

  private Check right() {
    String shown = now.truncatedTo(ChronoUnit.SECONDS).toString();
    if (built != null && now.isBefore(built.minus(BEFORE_MAX))) {
      return Check.of(
          WHAT, shown + ", before this program was built", false, SET_IT + "it is in the past");
    }
    try {
      Optional<Path> newest = future();
      return Check.of(
          WHAT,
          newest.map(file -> shown + ", and " + file + " is newer").orElse(shown),
          newest.isEmpty(),
          SET_IT
              + "a file was written later than now, so it was set back, or was ahead then. If it is"
              + " right by now, this passes by itself");
    } catch (IOException | UncheckedIOException unreadable) {
      return Check.unknown(WHAT, shown + "; the data folder cannot be read", "");
    }
  }

  /** A file of the data folder that was written in the future. */
  private Optional<Path> future() throws IOException {
    if (!Files.isDirectory(data)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(data, 2)) {
      return files.limit(FILES_MAX).filter(this::isInFuture).findFirst();
    }
  }

  private boolean isInFuture(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant().isAfter(now.plus(OFF_MAX));
    } catch (IOException gone) { // a server deletes files
      return false;
    }
  }
}
