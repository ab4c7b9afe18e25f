package gilmok.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The first of what is offered, in an order, each once: so many, or so many bytes of them, whatever
 * comes first. What is equal in the order is the same thing, offered again. Holds at most about a
 * quarter more.
 *
 * <p>Not thread-safe: owned by the thread that answers.
 */
final class FirstInOrder<T> {
  private final Comparator<? super T> order;
  private final ToIntFunction<? super T> bytesOf;
  private final int max;
  private final long bytesMax;
  private final List<T> kept = new ArrayList<>();
  private long bytes;
  private @Nullable T bound;

  /**
   * None yet.
   *
   * @param bytesOf about how much memory one takes
   */
  FirstInOrder(
      Comparator<? super T> order, int max, long bytesMax, ToIntFunction<? super T> bytesOf) {
    this.order = order;
    this.max = max;
    this.bytesMax = bytesMax;
    this.bytesOf = bytesOf;
  }

  /** Forgets all. */
  void clear() {
    kept.clear();
    bytes = 0;
    bound = null;
  }

  /** The last that can still be among them; null while anything can. */
  @Nullable T bound() {
    return bound;
  }

  /** Offers one. */
  void add(T one) {
    T last = bound;
    if (last == null || order.compare(one, last) < 0) {
      kept.add(one);
      bytes += bytesOf.applyAsInt(one);
      if (kept.size() > max + max / 4 || bytes > bytesMax + bytesMax / 4) {
        trim();
      }
    }
  }

  /**
   * Those that were offered, in order. If {@link #bound} is not null afterwards, it is the last of
   * them, and there were others behind it.
   */
  List<T> all() {
    trim();
    return kept;
  }

  private void trim() {
    kept.sort(order);
    int size = 0;
    long taken = 0;
    boolean isCut = false;
    for (T one : kept) {
      if (size > 0 && order.compare(one, kept.get(size - 1)) == 0) {
        continue;
      }
      int own = bytesOf.applyAsInt(one);
      if (size == max || (size > 0 && taken + own > bytesMax)) {
        isCut = true;
        break;
      }
      kept.set(size++, one);
      taken += own;
    }
    kept.subList(size, kept.size()).clear();
    bytes = taken;
    if (isCut) {
      bound = kept.getLast();
    }
  }
}
