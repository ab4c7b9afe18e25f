package gilmok.log;

import gilmok.storage.Checkpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far one reader has read, kept durably, with a note of the reader's. A segment is deleted only
 * after every cursor has passed it.
 *
 * <p>Thread-safe: {@link #sequence} and {@link #note} never wait; a change waits for another
 * change. The reader must see to it that a change makes sense: it must not go back behind what was
 * given up.
 */
public final class Cursor {
  /** The maximum length of a note, in bytes. */
  public static final int NOTE_BYTES_MAX = 1 << 20;

  private static final int ROOM_BYTES = 1 << 16;

  private final String name;
  private final Checkpoint file;
  private final LongSupplier durable;
  private final Segments segments;
  private volatile long sequence;
  private volatile byte[] note;
  private volatile @Nullable OnFull onFull;
  private volatile boolean rebuilt;
  private boolean forgotten;
  private boolean hasRoom;

  /**
   * @param rebuilt whether its file could not be read
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

  /** Called when the log is full: the reader may give up records that it has not read. */
  @FunctionalInterface
  public interface OnFull {
    /**
     * Advances the cursor durably to that sequence or further, and returns whether it did. Called
     * on the log's preallocation thread, which must not wait long; that thread holds no lock of the
     * log's.
     */
    boolean letGo(long through) throws IOException, InterruptedException;
  }

  /** The reader's name. */
  public String name() {
    return name;
  }

  /** The file that keeps it. */
  public Path path() {
    return file.path();
  }

  /** The last sequence that the reader has finished with; 0 before the first. */
  public long sequence() {
    return sequence;
  }

  /** The note that the reader stored last; empty at first. */
  public byte[] note() {
    return note.clone();
  }

  /**
   * The ranges after the cursor whose records the log no longer has: they were given a sequence and
   * are lost. Retention deletes nothing that a cursor has not passed, so somebody else removed or
   * damaged the files. Ascending. Normally empty, and empty once the reader has passed the ranges.
   */
  public List<LostRange> lost() {
    return segments.lost(sequence);
  }

  /**
   * Whether the cursor's file was damaged at the start. The cursor is then before the oldest
   * record, without its note, until it is moved: its reader gets records again that it had.
   */
  public boolean isRebuilt() {
    return rebuilt;
  }

  /**
   * Sets the cursor to {@code through}: the reader has finished with all records up to it. Durable
   * on return. The note stays.
   *
   * @throws IllegalArgumentException when {@code through} is behind the cursor, or ahead of what is
   *     durable
   */
  public synchronized void advance(long through) throws IOException, InterruptedException {
    checkAhead(through);
    if (through > sequence) {
      replace(through, note);
    }
  }

  /**
   * Advances, or stays, and stores a note with it, both or neither; durable on return.
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
   * Moves the cursor back, to read again; durable on return. When it fails, the cursor may have
   * moved or not: the log keeps the records after {@code through} until the cursor advances.
   *
   * @throws IllegalArgumentException when the cursor is further back already, or the log no longer
   *     has these records
   */
  public synchronized void rewind(long through, byte[] note)
      throws IOException, InterruptedException {
    if (through < 0 || through > sequence) {
      throw new IllegalArgumentException(name + " stands at " + sequence + ", not " + through);
    }
    // Held first: from here on, no record that will be read again is deleted.
    if (!segments.holdFrom(through + 1, () -> sequence = through)) {
      throw new IllegalArgumentException(
          name + " cannot go back to " + through + ", the log does not go back so far");
    }
    replace(through, note.clone());
  }

  /**
   * Keeps room on the disk, if it has some, so that the next change succeeds even when the disk is
   * full by then: a paused reader may be what fills it. Does nothing while room is kept.
   */
  public synchronized void keepRoom(boolean isPaused) {
    if (isPaused && !hasRoom && !forgotten) {
      try {
        file.keepRoom(ROOM_BYTES);
        hasRoom = true;
      } catch (IOException full) {
        System.getLogger("gilmok.log").log(System.Logger.Level.DEBUG, "no room is kept", full);
      }
    }
  }

  /** The reader's callback for a full log; null when it has none. */
  @Nullable OnFull onFull() {
    return onFull;
  }

  void onFull(OnFull owner) {
    onFull = owner;
  }

  /** Deletes the cursor; no later change has an effect. */
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
    hasRoom = false;
    file.replace(
        out -> {
          out.writeLong(through);
          out.write(with);
        });
    note = with;
    sequence = through;
    rebuilt = false;
  }

  /** Makes a new cursor durable at its present sequence. */
  synchronized void write() throws IOException, InterruptedException {
    replace(sequence, note);
  }
}
