package gilmok.log;

import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The sequences of a log that was restored. Its node has gone on after the copy was made, nobody
 * knows how far, and no sequence may be given to two records. So a restored log goes on at the next
 * multiple of {@link #LENGTH}: it would take 127 days at 100,000 records a second to come so far.
 * Sequences stay below 2^53, which numbers in JSON hold exactly, for 8,191 restores. No state.
 */
public final class SequenceEpoch {
  /** How many sequences an epoch has. */
  public static final long LENGTH = 1L << 40;

  private SequenceEpoch() {}

  /** The first sequence of the epoch after the one of that sequence. */
  public static long after(long sequence) {
    return (sequence / LENGTH + 1) * LENGTH;
  }

  /**
   * Makes the log of a folder that no server has opened go on with the epoch after its last
   * sequence. Durable on return.
   */
  public static void begin(Path data, long last) throws IOException, InterruptedException {
    Disk disk = new FileDisk();
    Path snapshots = data.resolve("snapshots");
    disk.createFolder(snapshots);
    long through = after(last) - 1;
    new Checkpoint(disk, snapshots.resolve("sequences")).replace(out -> out.writeLong(through));
  }
}
