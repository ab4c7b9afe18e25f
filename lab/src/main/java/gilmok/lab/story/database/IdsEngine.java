package gilmok.lab.story.database;

import java.io.IOException;
import java.util.List;

/** An engine that holds numbered documents, which lie in the order of their numbers. */
interface IdsEngine extends AutoCloseable {
  /** Its name in reports. */
  String name();

  /**
   * Asks for documents, and reads all that is found; blocks.
   *
   * @param numbers of all of them, rising if they are next to each other
   * @return how many were found
   */
  int ask(IdsWay way, List<Integer> numbers) throws IOException;

  /**
   * The bytes that the calling thread has read from files so far, also if they were in the kernel's
   * memory; negative if that cannot be known.
   */
  long bytesRead() throws IOException;

  @Override
  void close() throws IOException;
}
