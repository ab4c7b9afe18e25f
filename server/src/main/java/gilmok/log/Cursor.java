package gilmok.log;

import gilmok.storage.Checkpoint;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far one reader has come, kept durably, with a note of the reader's. Segments are not deleted
 * before every cursor has passed them.
 *
 * <p>Thread-safe: {@link #sequence} and {@link #note} never wait; a change waits for another one.
 * Whether a change makes sense (never behind what was let go) is the reader's to know.
 */
public final class Cursor {
  /** The longest note. */
  public static final int NOTE_BYTES_MAX = 1 << 20;

  private final String name;
  private final Checkpoint file;
  private final LongSupplier durable;
  private final Segments segments;
  private volatile long sequence;
  private volatile byte[] note;
  private volatile @Nullable OnFull onFull;
  private volatile boolean rebuilt;
  private boolean forgotten;

  /**
   * @param rebuilt its file cannot be read
   */
  Cursor(
      String name,
      Checkpoint file,
      LongSupplier durable,
      Segments segments,
      long sequence,
      byte[] note,
      boolean rebuilt) {
    this.rebuilt = rebuilt;
    this.durable = durable;
    this.segments = segments;
    this.name = name;
    this.file = file;
    this.sequence = sequence;
    this.note = note;
  }

  /** Asked to let go of what was not read yet. */
  @FunctionalInterface
  public interface OnFull {
    /**
     * Has the cursor advance to that sequence or further, durably, and says whether it did. Called
     * on the log's preparing thread, which must not wait long; it holds no lock of the log's then.
     */
    boolean letGo(long through) throws IOException, InterruptedException;
  }

  /** The reader's name. */
  public String name() {
    return name;
  }

  /** The last sequence the reader is done with; 0 before the first. */
  public long sequence() {
    return sequence;
  }

  /** What its reader has put down with it; empty at first. */
  public byte[] note() {
    return note.clone();
  }

  /**
   * What this reader has not passed and the log has not got: its records were given a sequence and
   * are lost, whoever asks. Retention lets nothing go that a cursor has not passed, so somebody
   * else removed the files. Ascending; empty as a rule, and once the reader has passed it.
   */
  public List<LostRange> lost() {
    return segments.lost(sequence);
  }

  /**
   * Whether the cursor's file was damaged at the start, so that it stands before the oldest record
   * there is, without its note, until it is moved. Its reader gets again what it had.
   */
  public boolean isRebuilt() {
    return rebuilt;
  }

  /**
   * The reader is done with everything up to that sequence; durable on return. The note stays.
   *
   * @throws IllegalArgumentException when that is behind where the cursor stands, or ahead of what
   *     is durable
   */
  public synchronized void advance(long through) throws IOException, InterruptedException {
    checkAhead(through);
    if (through > sequence) {
      replace(through, note);
    }
  }

  /**
   * Advances, or stays, and puts down a note with it, both or neither; durable on return.
   *
   * @throws IllegalArgumentException as {@link #advance(long)}, or for a note over {@link
   *     #NOTE_BYTES_MAX}
   */
  public synchronized void advance(long through, byte[] note)
      throws IOException, InterruptedException {
    checkAhead(through);
    replace(through, note.clone());
  }

  /**
   * Goes back, to read again; durable on return. When it fails, it may have gone back or not: until
   * it advances, what it wanted to read again is kept.
   *
   * @throws IllegalArgumentException when it stands further back already, or the log has no such
   *     records any more
   */
  public synchronized void rewind(long through, byte[] note)
      throws IOException, InterruptedException {
    if (through < 0 || through > sequence) {
      throw new IllegalArgumentException(name + " stands at " + sequence + ", not " + through);
    }
    // Held first: from here on nothing is deleted that is to be read again.
    if (!segments.holdFrom(through + 1, () -> sequence = through)) {
      throw new IllegalArgumentException(
          name + " cannot go back to " + through + ", the log does not go back so far");
    }
    replace(through, note.clone());
  }

  /** Who can be asked to let go; null when nobody can. */
  @Nullable OnFull onFull() {
    return onFull;
  }

  void onFull(OnFull owner) {
    onFull = owner;
  }

  /** Deletes it; nothing changes it any more. */
  synchronized void forget() throws IOException {
    file.delete();
    forgotten = true;
  }

  private void checkAhead(long through) {
    if (through < sequence) {
      throw new IllegalArgumentException(name + " stands at " + sequence + ", not " + through);
    }
    if (through > durable.getAsLong()) {
      throw new IllegalArgumentException(name + " cannot pass " + through + ", not durable yet");
    }
  }

  private void replace(long through, byte[] with) throws IOException, InterruptedException {
    if (with.length > NOTE_BYTES_MAX) {
      throw new IllegalArgumentException(name + ": a note of " + with.length + " bytes");
    }
    if (forgotten) {
      throw new IllegalStateException("the cursor " + name + " was forgotten");
    }
    file.replace(
        out -> {
          out.writeLong(through);
          out.write(with);
        });
    note = with;
    sequence = through;
    rebuilt = false;
  }

  /** Makes a cursor that is new durable where it stands. */
  synchronized void write() throws IOException, InterruptedException {
    replace(sequence, note);
  }
}
