package gilmok.event;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The records that a decoder found in one body: events in their encoded form, one after the other,
 * and rejects. Never more than the decoder's limit of records, and never much more than the body's
 * bytes.
 *
 * <p>Not thread-safe: one per thread, reused from body to body.
 */
public final class Events {
  private static final int KEPT_BYTES_MAX = 1 << 20;

  private byte[] bytes = new byte[8192];
  private int[] ends = new int[64];
  private int[] indexes = new int[64];
  private int count;
  private int size;
  private int[] rejects = new int[3 * 16];
  private String[] rejectTexts = new String[2 * 16];
  private int rejectCount;

  /** Removes all events and rejects. */
  public void clear() {
    count = 0;
    size = 0;
    rejectCount = 0;
    if (bytes.length > KEPT_BYTES_MAX) {
      bytes = new byte[8192];
    }
  }

  /**
   * Encodes an event that has no fault.
   *
   * @param index which element of the body it was, from 0
   */
  public void add(Event event, int index) {
    event.attributes().hideKeys();
    int needed = size + event.bytesMax();
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      indexes = Arrays.copyOf(indexes, 2 * count);
    }
    size = Encoding.write(event, bytes, size);
    ends[count] = size;
    indexes[count] = index;
    count++;
  }

  /**
   * Adds a reject.
   *
   * @param index which element of the body it was, from 0
   * @param field the API's name of the wrong field; empty for the whole element
   * @param reason why: a constant
   * @param start where in the body it starts
   * @param end where in the body it ends
   */
  public void reject(int index, String field, String reason, int start, int end) {
    if (2 * rejectCount == rejectTexts.length) {
      rejectTexts = Arrays.copyOf(rejectTexts, 4 * rejectCount);
      rejects = Arrays.copyOf(rejects, 6 * rejectCount);
    }
    rejectTexts[2 * rejectCount] = field;
    rejectTexts[2 * rejectCount + 1] = reason;
    rejects[3 * rejectCount] = index;
    rejects[3 * rejectCount + 1] = start;
    rejects[3 * rejectCount + 2] = end;
    rejectCount++;
  }

  /** What becomes of an event. */
  public enum Sifted {
    KEPT,
    /** It stays, without latitude and longitude. */
    UNPLACED,
    REMOVED
  }

  /** Says what becomes of events. */
  @FunctionalInterface
  public interface Sieve {
    /** What becomes of the event there. */
    Sifted sift(byte[] bytes, int offset, int length);
  }

  /** Removes events, or their places, as the sieve says; the others keep their order. */
  public void sift(Sieve sieve) {
    int kept = 0;
    int start = 0;
    int target = 0;
    for (int i = 0; i < count; i++) {
      int end = ends[i];
      Sifted sifted = sieve.sift(bytes, start, end - start);
      if (sifted != Sifted.REMOVED) {
        if (target != start) {
          System.arraycopy(bytes, start, bytes, target, end - start);
        }
        int length = end - start;
        target += sifted == Sifted.KEPT ? length : Encoding.removePlace(bytes, target, length);
        ends[kept] = target;
        indexes[kept] = indexes[i];
        kept++;
      }
      start = end;
    }
    count = kept;
    size = target;
  }

  /** Removes the rejects of which that is true, by their numbers. */
  public void removeRejects(IntPredicate isGone) {
    int kept = 0;
    for (int i = 0; i < rejectCount; i++) {
      if (!isGone.test(i)) {
        rejectTexts[2 * kept] = rejectTexts[2 * i];
        rejectTexts[2 * kept + 1] = rejectTexts[2 * i + 1];
        System.arraycopy(rejects, 3 * i, rejects, 3 * kept, 3);
        kept++;
      }
    }
    rejectCount = kept;
  }

  /** How many events there are. */
  public int count() {
    return count;
  }

  /** The array that holds all encoded events; {@link #add} may replace it. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where event {@code i} starts. */
  public int offset(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  /** How many bytes event {@code i} takes. */
  public int length(int i) {
    return ends[i] - offset(i);
  }

  /** The kind of event {@code i}. */
  public EventKind kind(int i) {
    return EventKind.of(bytes[offset(i)]);
  }

  /** Which element of the body event {@code i} was. */
  public int index(int i) {
    return indexes[i];
  }

  /** How many elements were rejected. */
  public int rejectCount() {
    return rejectCount;
  }

  /** Which element of the body reject {@code i} was. */
  public int rejectIndex(int i) {
    return rejects[3 * i];
  }

  /** The API's name of the wrong field of reject {@code i}; empty for the whole element. */
  public String rejectField(int i) {
    return rejectTexts[2 * i];
  }

  /** Why reject {@code i} was rejected: one of {@link Reason}. */
  public String rejectReason(int i) {
    return rejectTexts[2 * i + 1];
  }

  /** Where in the body reject {@code i} starts. */
  public int rejectStart(int i) {
    return rejects[3 * i + 1];
  }

  /** Where in the body reject {@code i} ends. */
  public int rejectEnd(int i) {
    return rejects[3 * i + 2];
  }
}
