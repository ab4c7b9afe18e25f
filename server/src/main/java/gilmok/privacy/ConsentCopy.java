package gilmok.privacy;

import gilmok.storage.Checkpoint;
import gilmok.storage.NewerFormatException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A copy of what riders withhold, in a file of the data folder: the version, the number of entries,
 * and of each the two words of its digest and code. It counts while a database that nodes share
 * does not answer at a start. A damaged file counts as none.
 *
 * <p>Not thread-safe: one thread reads or saves at a time.
 */
public record ConsentCopy(Checkpoint file) {
  /** Its name in the folder of snapshots. */
  public static final String FILE = "consents";

  private static final int VERSION = 1;

  void save(WithheldTable table) throws IOException, InterruptedException {
    file.replace(
        out -> {
          out.writeInt(VERSION);
          table.write(out);
        });
  }

  /** The table as it was saved; null if there is none. */
  @Nullable WithheldTable read() throws IOException {
    return file.read(
        in -> {
          int version = in.readInt();
          if (version != VERSION) {
            throw new NewerFormatException(file.path(), version, VERSION);
          }
          return WithheldTable.read(in);
        });
  }
}
