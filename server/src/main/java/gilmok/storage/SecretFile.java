package gilmok.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Random bytes that a node makes once and keeps in its data folder. The inventory finds a lost or
 * damaged file before this class is called.
 */
public final class SecretFile {
  private SecretFile() {}

  /**
   * Reads the bytes of this file, or makes them if there is no file. Durable on return.
   *
   * @param length in bytes
   * @throws IOException when the file cannot be read or written, or is damaged
   */
  public static byte[] of(Path path, int length, RandomGenerator random)
      throws IOException, InterruptedException {
    Checkpoint file = new Checkpoint(new FileDisk(), path);
    byte[] kept = file.read(in -> in.readNBytes(length));
    if (kept != null && kept.length == length) {
      return kept;
    }
    if (file.isThere()) {
      throw new IOException(path + " is damaged: put a backup in its place");
    }
    byte[] made = new byte[length];
    random.nextBytes(made);
    file.replace(out -> out.write(made));
    return made;
  }
}
