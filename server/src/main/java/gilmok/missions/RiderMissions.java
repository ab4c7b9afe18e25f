package gilmok.missions;

import gilmok.compress.ComposedBody;
import gilmok.compress.Fragment;
import gilmok.event.JsonBuffer;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What varies from rider to rider: the ids of missions and the progress in them, packed; and what
 * was last rendered of it, which is made anew when the missions have changed. Thread-safe.
 *
 * <p>Packed: for each mission two bytes with the length of its id in UTF-8, the id, eight of when
 * it was settled, four of the progress' length, the progress as JSON.
 */
final class RiderMissions {
  private static final int FRAME_BYTES = Short.BYTES + Long.BYTES + Integer.BYTES;

  private final byte[] packed;
  private volatile @Nullable Tail tail;

  /**
   * What was last rendered of it. Weak, as each change of a mission makes another shelf: a rider
   * who is not asked for again must not hold the old one in memory.
   *
   * @param head what the shelf has before it
   */
  private record Tail(
      WeakReference<CatalogSnapshot> shelf,
      WeakReference<ComposedBody> head,
      Fragment fragment,
      String tag) {}

  /**
   * @param packed not copied, and not to be changed afterwards
   */
  private RiderMissions(byte[] packed) {
    this.packed = packed;
  }

  /** Takes one mission's progress. */
  interface Taker {
    /**
     * @param settledAt milliseconds since 1970; 0 when it was not
     */
    void take(String missionId, byte[] bytes, int offset, int length, long settledAt);
  }

  /** That progress, in that order. */
  static RiderMissions of(List<MissionStore.Progress> all) {
    byte[][] ids = new byte[all.size()][];
    byte[][] texts = new byte[all.size()][];
    int size = 0;
    for (int i = 0; i < all.size(); i++) {
      ids[i] = all.get(i).missionId().getBytes(StandardCharsets.UTF_8);
      texts[i] = all.get(i).json().getBytes(StandardCharsets.UTF_8);
      size += FRAME_BYTES + ids[i].length + texts[i].length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    for (int i = 0; i < ids.length; i++) {
      out.putShort((short) ids[i].length).put(ids[i]);
      out.putLong(all.get(i).settledAt());
      out.putInt(texts[i].length).put(texts[i]);
    }
    return new RiderMissions(out.array());
  }

  /** What was packed; null when these bytes are nothing of the kind. */
  static @Nullable RiderMissions ofPacked(byte[] packed) {
    ByteBuffer in = ByteBuffer.wrap(packed);
    while (in.hasRemaining()) {
      if (in.remaining() < FRAME_BYTES) {
        return null;
      }
      int id = in.getShort() & 0xffff;
      if (in.remaining() < id + Long.BYTES + Integer.BYTES) {
        return null;
      }
      in.position(in.position() + id + Long.BYTES);
      int text = in.getInt();
      if (text < 2 || text > in.remaining()) {
        return null;
      }
      in.position(in.position() + text);
    }
    return new RiderMissions(packed);
  }

  /** The packed form; not to be changed. */
  byte[] packed() {
    return packed;
  }

  /** Gives all of it. */
  void each(Taker taker) {
    ByteBuffer in = ByteBuffer.wrap(packed);
    while (in.hasRemaining()) {
      int length = in.getShort() & 0xffff;
      String id = new String(packed, in.position(), length, StandardCharsets.UTF_8);
      in.position(in.position() + length);
      long settledAt = in.getLong();
      int text = in.getInt();
      taker.take(id, packed, in.position(), text, settledAt);
      in.position(in.position() + text);
    }
  }

  /** As it is answered with those missions. */
  RenderedMissions rendered(CatalogSnapshot snapshot, String riderId) {
    Tail known = tail;
    ComposedBody head = known == null || known.shelf.get() != snapshot ? null : known.head.get();
    if (known == null || head == null) {
      head = snapshot.head(riderId);
      Fragment fragment = snapshot.tail(progress(snapshot, riderId));
      String tag = head.plus(fragment).tag();
      known = new Tail(new WeakReference<>(snapshot), new WeakReference<>(head), fragment, tag);
      tail = known;
    }
    return new RenderedMissions(head.plus(known.fragment), known.tag);
  }

  /** The end of an answer: the progress in what the rider is shown. */
  private byte[] progress(CatalogSnapshot snapshot, String riderId) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("],\"progress\":{");
    int begin = out.size();
    each(
        (id, bytes, offset, length, settledAt) -> {
          if (snapshot.shows(id, riderId)) {
            out.ascii(out.size() == begin ? "" : ",").string(id).put(':');
            write(bytes, offset, length, settledAt, out);
          }
        });
    out.ascii("}}");
    return out.copy();
  }

  /** Writes a progress with what settling has added to it. */
  static void write(byte[] json, int offset, int length, long settledAt, JsonBuffer out) {
    if (settledAt == 0) {
      out.raw(json, offset, length);
      return;
    }
    out.raw(json, offset, length - 1);
    out.ascii(length > 2 ? ",\"" : "\"").ascii(MissionBody.SETTLED_AT).ascii("\":");
    out.time(settledAt).put('}');
  }
}
