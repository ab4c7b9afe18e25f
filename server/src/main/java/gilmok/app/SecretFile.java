package gilmok.app;

import gilmok.event.DedupKey;
import gilmok.storage.Checkpoint;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Bytes by chance that a node makes once and keeps in its data folder. That one was lost or damaged
 * is seen before, by {@link Inventory}.
 */
final class SecretFile {
  private static final int TRACK_BYTES = 32;

  private SecretFile() {}

  /**
   * The bytes that key this node's table of repeats, so that nobody outside can make two records
   * collide. New ones would only forget which records are repeats.
   */
  static byte[] ofRepeats(Path data, RandomGenerator random)
      throws IOException, InterruptedException {
    return of(data.resolve("repeats.secret"), DedupKey.SECRET_BYTES, random);
  }

  /** What signs customers' links. With new ones, those that were given are good for nothing. */
  static byte[] ofLinks(Path data, RandomGenerator random)
      throws IOException, InterruptedException {
    return of(data.resolve("track.secret"), TRACK_BYTES, random);
  }

  private static byte[] of(Path path, int bytes, RandomGenerator random)
      throws IOException, InterruptedException {
    Checkpoint file = new Checkpoint(new FileDisk(), path);
    byte[] kept = file.read(in -> in.readNBytes(bytes));
    if (kept != null && kept.length == bytes) {
      return kept;
    }
    if (file.isThere()) {
      throw new IOException(path + " is damaged: put a backup in its place");
    }
    byte[] made = new byte[bytes];
    random.nextBytes(made);
    file.replace(out -> out.write(made));
    return made;
  }
}
