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
 * A rider's progress in all missions, encoded as one array of bytes; and its last rendering, which
 * is made again when the missions have changed. Thread-safe.
 *
 * <p>Encoding: for each mission two bytes with the length of its id in UTF-8, the id, eight bytes
 * with the time of settling, four with the length of the progress, the progress as JSON.
 */
final class RiderMissions {
  private static final int FRAME_BYTES = Short.BYTES + Long.BYTES + Integer.BYTES;

  private final byte[] packed;
  private volatile @Nullable Tail tail;

  /**
   * The last rendering. Its references to the snapshot are weak: each change of a mission makes a
   * new snapshot, and a rider who does not come back must not keep an old one in memory.
   *
   * @param head the beginning of the answer, from the snapshot
   */
  private record Tail(
      WeakReference<CatalogSnapshot> shelf,
      WeakReference<ComposedBody> head,
      Fragment fragment,
      String tag) {}

  /**
   * @param packed the encoded progress; not copied, and must not be changed afterwards
   */
  private RiderMissions(byte[] packed) {
    this.packed = packed;
  }

  /** Receives one mission's progress. */
  interface Taker {
    /**
     * @param settledAt epoch ms; 0 when it was not settled
     */
    void take(String missionId, byte[] bytes, int offset, int length, long settledAt);
  }

  /** Encodes the progress in that order. */
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

  /** Wraps encoded progress, not copied; null when the bytes are not a valid encoding. */
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

  /** The encoded form; must not be changed. */
  byte[] packed() {
    return packed;
  }

  /** Passes the progress in each mission to {@code taker}. */
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

  /** The answer for the rider with the missions of that snapshot. */
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

  /** The end of an answer: the progress in the missions that the rider is shown. */
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

  /** Writes a progress as JSON, with the time of settling if there is one. */
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
