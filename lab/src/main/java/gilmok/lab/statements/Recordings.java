package gilmok.lab.statements;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Answers by what was asked, each with the collection it is of. Bounded: what is too much is not
 * kept. Thread-safe.
 */
final class Recordings {
  /** Numbers of cursors that were given here begin above those that databases give. */
  private static final long CURSOR_FIRST = 0x7000_0000_0000_0000L;

  private final Map<MongoMessage.Key, Recording> byKey = new ConcurrentHashMap<>();
  private final Map<Long, Long> cursors = new ConcurrentHashMap<>();
  private final Map<String, Long> written = new HashMap<>();
  private final AtomicLong nextCursor = new AtomicLong(CURSOR_FIRST);
  private final int countMax;
  private final long bytesMax;
  private long bytes;

  /**
   * @param countMax most answers
   * @param bytesMax most bytes of them and of what they answer
   */
  Recordings(int countMax, long bytesMax) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
  }

  /**
   * An answer.
   *
   * @param whole the message, of which a reader takes a duplicate
   */
  private record Recording(String collection, ByteBuffer whole, int size) {}

  /** The message that answers it; null when it was not asked yet. */
  @Nullable ByteBuffer find(MongoMessage.Key key) {
    Recording found = byKey.get(key);
    return found == null ? null : found.whole.duplicate();
  }

  /** How often that collection has been written to: to be asked before what is recorded. */
  synchronized long writes(String collection) {
    return written.getOrDefault(collection, 0L);
  }

  /**
   * Keeps an answer, unless its collection has been written to since.
   *
   * @param writes what {@link #writes} said before the database was asked
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

  /** That collection is written to: what it answered may not hold any more. */
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
   * A number of its own for a cursor that goes on, so that each part of it is asked differently.
   */
  long renamed(long cursor) {
    if (cursors.size() >= countMax) {
      return cursor;
    }
    long name = nextCursor.getAndIncrement();
    cursors.put(name, original(cursor));
    return name;
  }

  /** The database's own number for a cursor. */
  long original(long cursor) {
    return cursors.getOrDefault(cursor, cursor);
  }

  /** How many answers are kept. */
  int size() {
    return byKey.size();
  }
}
