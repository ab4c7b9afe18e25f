package gilmok.privacy;

import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;

/** Registers for tests. Their loops are not started: a test moves rows itself. */
final class RegisterRig {
  static final Bases BASES = new Bases("contract", Map.of(Use.HISTORY, "consent"));
  static final long JOURNAL_BYTES_MAX = 1 << 20;

  private RegisterRig() {}

  static Register register(RegisterStore store, Disk disk, Path journal, InstantSource clock)
      throws IOException {
    return new Register(
        Duration.ofDays(183),
        new Register.Means(
            store,
            new RegisterJournal(disk, journal, JOURNAL_BYTES_MAX),
            MemoryConsents.PSEUDONYMS,
            BASES,
            "node",
            clock,
            new SplittableRandom(clock.millis() ^ System.nanoTime()),
            new Meters(),
            BackgroundLoops.unwatched()));
  }
}
