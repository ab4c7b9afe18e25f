package gilmok.lab.statements;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Recorded responses by request, each with its collection. Bounded: responses beyond the bounds are
 * not kept. Thread-safe.
 */
final class Recordings {
  /** Cursor ids given here begin above those that databases give. */
  private static final long CURSOR_FIRST = 0x7000_0000_0000_0000L;

  private final Map<MongoMessage.Key, Recording> byKey = new ConcurrentHashMap<>();
  private final Map<Long, Long> cursors = new ConcurrentHashMap<>();
  private final Map<String, Long> written = new HashMap<>();
  private final AtomicLong nextCursor = new AtomicLong(CURSOR_FIRST);
  private final int countMax;
  private final long bytesMax;
  private long bytes;

  /**
   * No recordings yet.
   *
   * @param countMax the most responses
   * @param bytesMax the most bytes of requests and responses together
   */
  Recordings(int countMax, long bytesMax) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
  }

  /**
   * A recorded response.
   *
   * @param whole the message; readers take a duplicate
   */
  private record Recording(String collection, ByteBuffer whole, int size) {}

  /** The response to a request; null if none is recorded. */
  @Nullable ByteBuffer find(MongoMessage.Key key) {
    Recording found = byKey.get(key);
    return found == null ? null : found.whole.duplicate();
  }

  /** The number of writes to a collection so far; to be read before a response is requested. */
  synchronized long writes(String collection) {
    return written.getOrDefault(collection, 0L);
  }

  /**
   * Records a response, unless its collection has been written to since.
   *
   * @param writes the value of {@link #writes} before the database was asked
   */
  synchronized void keep(MongoMessage.Key key, String collection, long writes, byte[] answer) {
    int size = answer.length + key.length();
    if (writes != written.getOrDefault(collection, 0L)
        || byKey.size() >= countMax
        || bytes + size > bytesMax
        || byKey.containsKey(key)) {
      return;
    }
    ByteBuffer whole = ByteBuffer.allocateDirect(answer.length).put(answer).flip();
    byKey.put(key, new Recording(collection, whole, size));
    bytes += size;
  }

  /** Removes the responses of a collection that is written to. */
  synchronized void forget(String collection) {
    written.merge(collection, 1L, Long::sum);
    byKey
        .values()
        .removeIf(
            recording -> {
              boolean goes = recording.collection.equals(collection);
              bytes -= goes ? recording.size : 0;
              return goes;
            });
  }

  /**
   * Replaces the id of a cursor that continues, so that the request for each further part is
   * different.
   */
  long renamed(long cursor) {
    if (cursors.size() >= countMax) {
      return cursor;
    }
    long name = nextCursor.getAndIncrement();
    cursors.put(name, original(cursor));
    return name;
  }

  /** The database's own id of a cursor. */
  long original(long cursor) {
    return cursors.getOrDefault(cursor, cursor);
  }

  /** The number of recorded responses. */
  int size() {
    return byKey.size();
  }
}
