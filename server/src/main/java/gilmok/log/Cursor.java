package gilmok.log;

import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * How far one reader has come, kept durably. Segments are not deleted before every cursor has
 * passed them. {@link #sequence} may be asked by any thread; the rest belongs to the reader's.
 */
@SuppressWarnings("DoNotCallSuggester") // until it is all there
public final class Cursor {
  private final String name;
  private final Checkpoint file;
  private final LongSupplier durable;
  private volatile long sequence;

  Cursor(String name, Checkpoint file, LongSupplier durable, long sequence) {
    this.durable = durable;
    this.name = name;
    this.file = file;
    this.sequence = sequence;
  }

  /** The reader's name. */
  public String name() {
    return name;
  }

  /** The last sequence the reader is done with; 0 before the first. */
  public long sequence() {
    return sequence;
  }

  /**
   * The reader is done with everything up to that sequence; durable on return.
   *
   * @throws IllegalArgumentException when that is behind where the cursor stands, or ahead of what
   *     is durable
   */
  public void advance(long through) throws IOException, InterruptedException {
    if (through < sequence) {
      throw new IllegalArgumentException(name + " stands at " + sequence + ", not " + through);
    }
    if (through > durable.getAsLong()) {
      throw new IllegalArgumentException(name + " cannot pass " + through + ", not durable yet");
    }
    if (through > sequence) {
      file.replace(out -> out.writeLong(through));
      sequence = through;
    }
  }

  /** Asked to let go of what was not read yet. */
  @FunctionalInterface
  public interface OnFull {
    /**
     * Has the cursor advance to that sequence or further, durably, and says whether it did. Called
     * on the log's preparing thread, which must not wait long.
     */
    boolean letGo(long through) throws IOException, InterruptedException;
  }

  /** What its reader has put down with it; empty at first. */
  public byte[] note() {
    throw new UnsupportedOperationException();
  }

  /** Advances, or stays, and puts down a note with it, both or neither; durable on return. */
  public void advance(long through, byte[] note) throws IOException, InterruptedException {
    throw new UnsupportedOperationException();
  }

  /**
   * Goes back, to read again; durable on return.
   *
   * @throws IllegalArgumentException when it stands further back already, or the log has no such
   *     records any more
   */
  public void rewind(long through, byte[] note) throws IOException, InterruptedException {
    throw new UnsupportedOperationException();
  }
}
