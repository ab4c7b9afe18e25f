package gilmok.backup.repository;

import java.io.IOException;
import java.util.Map;

/** Objects by name, each written once and as a whole. Blocks. For one thread. */
public interface ObjectStore extends AutoCloseable {
  /** Where it is, for messages. */
  String place();

  /** The names that begin with a prefix which ends in a slash or is empty, with their sizes. */
  Map<String, Long> list(String prefix) throws IOException, InterruptedException;

  /**
   * An object's bytes.
   *
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  byte[] read(String name) throws IOException, InterruptedException;

  /** Writes an object, in place of one of that name. Durable on return. */
  void write(String name, byte[] content) throws IOException, InterruptedException;

  /** Deletes an object; does nothing when there is none. */
  void delete(String name) throws IOException, InterruptedException;

  /** Deletes what writers that were killed more than a day ago have left below a prefix. */
  default void sweep(String prefix) throws IOException {
    // Most stores have an object wholly, or not at all.
  }

  @Override
  void close();
}
