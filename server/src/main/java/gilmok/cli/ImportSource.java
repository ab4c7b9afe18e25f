package gilmok.cli;

import java.io.IOException;

/** Where records are imported from. Not thread-safe, but for {@link #progress}. */
interface ImportSource extends AutoCloseable {
  /**
   * Reads the next records into an empty batch.
   *
   * @return false when there are no more
   * @throws CommandFailure when the source cannot be read on
   */
  boolean next(ImportBatch into) throws IOException;

  /** What is read. */
  ImportRows rows();

  /** How far it was read, as a text that {@link #resume} takes. */
  default String position() {
    return rows().position();
  }

  /**
   * Goes on where another run had come to.
   *
   * @throws CommandFailure when the source is not the same any more
   */
  default void resume(String position) throws IOException {
    rows().resume(position);
  }

  /** How much was read, from 0 to 1; negative when that is not known. */
  default double progress() {
    return rows().progress();
  }

  @Override
  default void close() throws IOException {
    rows().close();
  }
}
