package gilmok.event;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The members of an event that have no field: first those of its {@code attributes}, then those
 * that were found beside the fields. At most 64, together at most 16 KiB of compact JSON.
 *
 * <p>Not thread-safe: part of its {@link Event}.
 */
public final class Attributes {
  /** The most members that there can be. */
  public static final int MEMBERS_MAX = 64;

  /** The most bytes of the compact JSON, braces included. */
  public static final int BYTES_MAX = 16 * 1024;

  private final JsonBuffer own = new JsonBuffer(BYTES_MAX);
  private final JsonBuffer found = new JsonBuffer(BYTES_MAX);
  private final int[] starts = new int[MEMBERS_MAX];
  private final int[] ends = new int[MEMBERS_MAX];
  private final int[] hashes = new int[MEMBERS_MAX];
  private long foundOnes;
  private int count;

  Attributes() {}

  void clear() {
    own.clear();
    found.clear();
    foundOnes = 0;
    count = 0;
  }

  /**
   * Begins a member.
   *
   * @param isOwn whether it was inside {@code attributes}
   * @return the buffer into which its value, one JSON value without white space, must be written
   *     next
   */
  public JsonBuffer member(boolean isOwn, byte[] name, int offset, int length) {
    JsonBuffer target = isOwn ? own : found;
    if (target.size() > 0) {
      target.put(',');
    }
    int start = target.size();
    target.string(name, offset, length);
    if (count < MEMBERS_MAX) {
      starts[count] = start;
      ends[count] = target.size();
      hashes[count] = hash(target.bytes(), start, target.size());
      foundOnes |= isOwn ? 0 : 1L << count;
    }
    count++;
    return target.put(':');
  }

  /** Whether there are no members. */
  boolean isEmpty() {
    return count == 0;
  }

  /** Hides keys in the members. Call it after the last member and after {@link #fault}. */
  void hideKeys() {
    hideKeys(own);
    hideKeys(found);
  }

  private void hideKeys(JsonBuffer members) {
    if (HiddenKey.mayBeIn(members.bytes(), 0, members.size())) {
      JsonBuffer hidden = new JsonBuffer();
      HiddenKey.hide(members.bytes(), 0, members.size(), hidden);
      members.become(hidden);
    }
  }

  /** The size of the compact object, in bytes. */
  int size() {
    boolean both = own.size() > 0 && found.size() > 0;
    return 2 + own.size() + found.size() + (both ? 1 : 0);
  }

  /** Writes the compact object; returns where it ends. */
  int write(byte[] target, int offset) {
    int p = offset;
    target[p++] = '{';
    System.arraycopy(own.bytes(), 0, target, p, own.size());
    p += own.size();
    if (own.size() > 0 && found.size() > 0) {
      target[p++] = ',';
    }
    System.arraycopy(found.bytes(), 0, target, p, found.size());
    p += found.size();
    target[p++] = '}';
    return p;
  }

  /** Why the members cannot be kept; null if they can. */
  @Nullable String fault() {
    if (count > MEMBERS_MAX) {
      return Reason.TOO_MANY_MEMBERS;
    }
    if (own.isOverflown() || found.isOverflown() || size() > BYTES_MAX) {
      return Reason.TOO_LARGE;
    }
    for (int i = 1; i < count; i++) {
      for (int j = 0; j < i; j++) {
        if (hashes[i] == hashes[j] && isSame(i, j)) {
          return Reason.GIVEN_TWICE;
        }
      }
    }
    return null;
  }

  private boolean isSame(int i, int j) {
    return Arrays.equals(
        buffer(i).bytes(), starts[i], ends[i], buffer(j).bytes(), starts[j], ends[j]);
  }

  private JsonBuffer buffer(int i) {
    return ((foundOnes >>> i) & 1) == 0 ? own : found;
  }

  private static int hash(byte[] bytes, int start, int end) {
    int hash = 0;
    for (int p = start; p < end; p++) {
      hash = 31 * hash + bytes[p];
    }
    return hash;
  }
}
