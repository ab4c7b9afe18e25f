package gilmok.app;

import gilmok.event.RepeatKey;
import gilmok.log.Checkpoint;
import gilmok.log.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * The 16 bytes that key this node's table of repeats, so that nobody outside can make two records
 * collide. Made once; a new one would only forget which records are repeats.
 */
final class RepeatSecret {
  private RepeatSecret() {}

  static byte[] of(Path data, RandomGenerator random) throws IOException, InterruptedException {
    Checkpoint file = new Checkpoint(new FileDisk(), data.resolve("repeats.secret"));
    byte[] kept = file.read(in -> in.readNBytes(RepeatKey.SECRET_BYTES));
    if (kept != null && kept.length == RepeatKey.SECRET_BYTES) {
      return kept;
    }
    byte[] made = new byte[RepeatKey.SECRET_BYTES];
    random.nextBytes(made);
    file.replace(out -> out.write(made));
    return made;
  }
}
