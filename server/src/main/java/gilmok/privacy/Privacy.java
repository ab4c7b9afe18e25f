package gilmok.privacy;

import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** What a server keeps of whose location it is: pseudonyms and consents. */
public record Privacy(Pseudonyms pseudonyms, Consents consents) {
  /** What it needs of a node. */
  public record Means(
      Path data,
      Disk disk,
      RandomGenerator random,
      InstantSource clock,
      Meters meters,
      BackgroundLoops loops,
      Readiness readiness) {}

  /**
   * Reads what is kept, and follows what other nodes change.
   *
   * @param isShared whether other nodes change the same documents
   */
  public static Privacy open(
      PrivacyConfig config, ConsentStore store, boolean isShared, Means means)
      throws IOException, InterruptedException {
    Pseudonyms pseudonyms = Pseudonyms.of(config.pseudonymSecret(), means.data, means.random);
    Path file = means.data.resolve("snapshots").resolve(ConsentCopy.FILE);
    Consents consents =
        new Consents(
            config,
            new Consents.Means(
                store,
                isShared ? new ConsentCopy(new Checkpoint(means.disk, file)) : null,
                pseudonyms,
                means.clock,
                means.meters,
                means.loops,
                means.readiness));
    consents.start();
    return new Privacy(pseudonyms, consents);
  }
}
