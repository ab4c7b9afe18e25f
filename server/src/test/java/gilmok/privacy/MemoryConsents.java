package gilmok.privacy;

import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.runtime.LoopWatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Consents in memory, which can be made to fail. */
public final class MemoryConsents implements ConsentStore {
  static final Pseudonyms PSEUDONYMS =
      new Pseudonyms("a-secret-of-all-nodes".getBytes(StandardCharsets.UTF_8));

  final Map<String, Consent> all = new TreeMap<>();
  boolean isAway;

  /** Runs before a question is answered, once. */
  @Nullable Runnable meanwhile;

  /** Consents of a fleet in which everybody agrees. */
  public static Consents nobody(Meters meters) {
    try {
      return consents(new MemoryConsents(), null, meters, 100);
    } catch (IOException | InterruptedException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static Consents consents(MemoryConsents store, @Nullable ConsentCopy copy, Meters meters, int max)
      throws IOException, InterruptedException {
    Readiness readiness = new Readiness(meters, "server");
    return new Consents(
        new PrivacyConfig(
            "", max, false, Duration.ofDays(400), 1 << 20, RegisterRig.BASES, ZoneOffset.UTC),
        new Consents.Means(
            store,
            copy,
            PSEUDONYMS,
            InstantSource.system(),
            meters,
            new BackgroundLoops(new LoopWatch(meters, readiness)),
            readiness));
  }

  private void answers() throws IOException {
    if (isAway) {
      throw new IOException("away");
    }
    Runnable before = meanwhile;
    meanwhile = null;
    if (before != null) {
      before.run();
    }
  }

  @Override
  public void put(Consent consent, String pseudonym) throws IOException {
    answers();
    all.put(consent.riderId(), consent);
    all.remove(pseudonym);
  }

  @Override
  public @Nullable Consent find(String riderId) throws IOException {
    answers();
    return all.get(riderId);
  }

  @Override
  public Page page(@Nullable String after) throws IOException {
    List<Consent> read = List.copyOf(all.values());
    answers();
    return new Page(read, null);
  }

  @Override
  public Changes changes(long sinceMillis) throws IOException {
    List<Consent> read = List.copyOf(all.values());
    answers();
    return new Changes(read, sinceMillis, true);
  }

  @Override
  public long newestMillis() throws IOException {
    answers();
    return 0;
  }

  @Override
  public int erase(String riderId, String pseudonym, RiderDigest digest) throws IOException {
    answers();
    Consent known = all.remove(riderId);
    if (known != null) {
      all.put(pseudonym, known.erased(pseudonym, digest));
    }
    return known == null ? 0 : 1;
  }
}
