package gilmok.positions;

import gilmok.event.LittleEndian;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Encoded events in large arrays, one after the other: 5 bytes an event besides its own, and no
 * object for each. A block is four bytes, the length and how much room is left, and the event. It
 * is found by its place: the number of its page, and its offset there in units of four bytes.
 *
 * <p>An event that no longer fits its block gets a new one at the end of the newest page. When an
 * eighth of all bytes is unused for that reason, pages with the most of it are emptied: what is
 * used there moves to the end, too (S. M. Rumble, A. Kejriwal, J. Ousterhout, Log-structured Memory
 * for DRAM-based Storage, FAST 2014).
 *
 * <p>One thread changes it. Any thread reads, with what the package says about it: a block may be
 * overwritten during a read, and a page be gone ({@link #page} is null) or used again, which a
 * reader recognises by {@link #reuses}.
 */
final class EventPages {
  static final int HEADER_BYTES = 4;

  private static final int UNIT_BITS = 2;
  private static final int OFFSET_BITS = 16;

  /** As large as places can say, less an array's own header, so that pages fill G1's regions. */
  private static final int PAGE_BYTES = (1 << (OFFSET_BITS + UNIT_BITS)) - 16;

  private static final int PAGES_MAX = 1 << (Integer.SIZE - OFFSET_BITS);
  private static final int LENGTH_MASK = (1 << 24) - 1;

  /** The most room that an event may leave in its block. */
  private static final int SLACK_MAX = 63;

  private final Owner owner;
  private final AtomicReferenceArray<byte @Nullable []> pages =
      new AtomicReferenceArray<>(PAGES_MAX);
  private final BitSet inUse = new BitSet();
  private int[] filled = new int[16];
  private int[] unused = new int[16];
  private int newest = -1;
  private long bytes;
  private long bytesUnused;
  private boolean isEmptying;
  private volatile long reuses;

  /** Knows whose events are where. */
  @FunctionalInterface
  interface Owner {
    /** If this block is somebody's, adds the event again and remembers the new place. */
    void move(int place, byte[] page, int offset, int length);
  }

  EventPages(Owner owner) {
    this.owner = owner;
  }

  static int length(int header) {
    return header & LENGTH_MASK;
  }

  static int offset(int place) {
    return (place & ((1 << OFFSET_BITS) - 1)) << UNIT_BITS;
  }

  /** The page of a place; null if that is gone. From any thread. */
  byte @Nullable [] page(int place) {
    return pages.getAcquire(place >>> OFFSET_BITS);
  }

  /** The page of a place that is in use. For the thread that changes it. */
  byte[] pageInUse(int place) {
    return own(place >>> OFFSET_BITS);
  }

  /** Raised before a page's number is used again. */
  long reuses() {
    return reuses;
  }

  /** The bytes of all pages. */
  long bytes() {
    return bytes;
  }

  /**
   * Adds an event; returns its place. May move any other event.
   *
   * @param slack the least room to leave
   * @throws IllegalStateException when 16 GiB are full
   */
  int add(byte[] source, int offset, int length, int slack) {
    if (length > LENGTH_MASK) {
      throw new IllegalArgumentException("an event of " + length + " bytes");
    }
    int unit = 1 << UNIT_BITS;
    int room = (length + slack + unit - 1) & -unit;
    int block = HEADER_BYTES + room;
    if (newest < 0 || filled[newest] + block > own(newest).length) {
      open(block);
    }
    int at = filled[newest];
    filled[newest] = at + block;
    byte[] page = own(newest);
    write(page, at, source, offset, length, room);
    return (newest << OFFSET_BITS) | (at >>> UNIT_BITS);
  }

  /** Whether the event at a place is this one. For the thread that changes it. */
  boolean has(int place, byte[] source, int offset, int length) {
    byte[] page = pageInUse(place);
    int at = offset(place) + HEADER_BYTES;
    return length(LittleEndian.getInt(page, offset(place))) == length
        && Arrays.equals(page, at, at + length, source, offset, offset + length);
  }

  /** Whether an event can take the block of another. */
  boolean fits(int place, int length) {
    int slack = room(place) - length;
    return slack >= 0 && slack <= SLACK_MAX;
  }

  /** Overwrites an event by one that {@link #fits}. Throws nothing. */
  void overwrite(int place, byte[] source, int offset, int length) {
    write(pageInUse(place), offset(place), source, offset, length, room(place));
  }

  /** Gives a block back. */
  void free(int place) {
    int page = place >>> OFFSET_BITS;
    int block = HEADER_BYTES + room(place);
    unused[page] += block;
    bytesUnused += block;
    if (unused[page] == filled[page] && page != newest) {
      drop(page);
    }
  }

  private int room(int place) {
    int header = LittleEndian.getInt(pageInUse(place), offset(place));
    return length(header) + (header >>> 24);
  }

  private static void write(byte[] page, int at, byte[] source, int offset, int length, int room) {
    LittleEndian.putInt(page, at, ((room - length) << 24) | length);
    System.arraycopy(source, offset, page, at + HEADER_BYTES, length);
  }

  private byte[] own(int page) {
    byte[] present = pages.getPlain(page);
    if (present == null) {
      throw new IllegalStateException("page " + page + " is gone");
    }
    return present;
  }

  /** Makes a page with room for a block the newest. */
  private void open(int block) {
    if (!isEmptying) {
      isEmptying = true;
      try {
        emptySome();
      } finally {
        isEmptying = false;
      }
      if (newest >= 0 && filled[newest] + block <= own(newest).length) {
        return;
      }
    }
    int page = inUse.nextClearBit(0);
    if (page == PAGES_MAX) {
      throw new IllegalStateException("latest positions fill all pages");
    }
    byte[] opened = new byte[Math.max(PAGE_BYTES, block)];
    if (page == filled.length) {
      filled = Arrays.copyOf(filled, 2 * page);
      unused = Arrays.copyOf(unused, 2 * page);
    }
    int before = newest;
    inUse.set(page);
    filled[page] = 0;
    unused[page] = 0;
    bytes += opened.length;
    pages.setRelease(page, opened);
    newest = page;
    if (before >= 0 && unused[before] == filled[before]) {
      drop(before);
    }
  }

  private void emptySome() {
    while (bytesUnused > bytes / 8) {
      int most = newest == 0 ? 1 : 0;
      for (int page = 0; page < inUse.length(); page++) {
        if (page != newest && unused[page] > unused[most]) {
          most = page;
        }
      }
      if (!inUse.get(most) || unused[most] == 0) {
        return;
      }
      empty(most);
    }
  }

  /** Moves what is used in a page; the last one that is freed drops the page. */
  private void empty(int page) {
    byte[] old = own(page);
    int end = filled[page];
    for (int at = 0; at < end; ) {
      int header = LittleEndian.getInt(old, at);
      int place = (page << OFFSET_BITS) | (at >>> UNIT_BITS);
      owner.move(place, old, at + HEADER_BYTES, length(header));
      at += HEADER_BYTES + length(header) + (header >>> 24);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void drop(int page) {
    bytes -= own(page).length;
    bytesUnused -= unused[page];
    pages.setRelease(page, null);
    unused[page] = 0;
    filled[page] = 0;
    inUse.clear(page);
    reuses++;
  }
}
