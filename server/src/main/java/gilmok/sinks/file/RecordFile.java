package gilmok.sinks.file;

import gilmok.sinks.Batch;
import java.io.IOException;

/**
 * A file of records that is being written, in one of the formats.
 *
 * <p>Not thread-safe: owned by the sink's sender.
 */
interface RecordFile extends AutoCloseable {
  /**
   * Adds record {@code i} of a batch.
   *
   * @throws gilmok.event.DamagedEvent when its bytes are no event; nothing was written
   */
  void write(Batch batch, int i) throws IOException;

  /** How many records were written. */
  long records();

  /** The bytes of the records before compression. */
  long plainBytes();

  /** Finishes the file; nothing is written after that. Durable on return. */
  void finish() throws IOException;

  /** Closes the file, finished or not. */
  @Override
  void close() throws IOException;
}
