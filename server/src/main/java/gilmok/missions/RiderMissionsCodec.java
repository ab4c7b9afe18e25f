package gilmok.missions;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import gilmok.cache.Codec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a rider's missions for the shared tier: one byte for the compression, then the content,
 * compressed if that is smaller. Progress in many missions repeats the same names, so it compresses
 * to a third. Thread-safe.
 */
final class RiderMissionsCodec implements Codec<RiderMissions> {
  private static final byte PLAIN = 1;
  private static final byte ZSTD = 2;
  private static final int LEVEL = 3;

  /** The largest size of a rider's progress. */
  private static final long BYTES_MAX =
      (long) MissionStore.MISSIONS_MAX * (MissionService.PROGRESS_BYTES_MAX + 512);

  /** The objects around the bytes and the rendering. */
  private static final int OVERHEAD_BYTES = 400;

  @Override
  public byte[] encode(RiderMissions value) {
    byte[] packed = value.packed();
    byte[] smaller = Zstd.compress(packed, LEVEL);
    return smaller.length < packed.length ? marked(ZSTD, smaller) : marked(PLAIN, packed);
  }

  private static byte[] marked(byte how, byte[] rest) {
    byte[] bytes = new byte[rest.length + 1];
    bytes[0] = how;
    System.arraycopy(rest, 0, bytes, 1, rest.length);
    return bytes;
  }

  @Override
  public @Nullable RiderMissions decode(byte[] bytes) {
    if (bytes.length == 0 || (bytes[0] != PLAIN && bytes[0] != ZSTD)) {
      return null;
    }
    byte[] rest = Arrays.copyOfRange(bytes, 1, bytes.length);
    byte[] packed = bytes[0] == PLAIN ? rest : unpacked(rest);
    return packed == null ? null : RiderMissions.ofPacked(packed);
  }

  private static byte @Nullable [] unpacked(byte[] frame) {
    long size = frame.length == 0 ? -1 : Zstd.getFrameContentSize(frame);
    if (size < 0 || size > BYTES_MAX) {
      return null;
    }
    byte[] packed = new byte[(int) size];
    try {
      return Zstd.decompress(packed, frame) == size ? packed : null;
    } catch (ZstdException damaged) {
      return null;
    }
  }

  /** The bytes three times: once as they are, twice for the rendered tail, plain and compressed. */
  @Override
  public int weigh(RiderMissions value) {
    return OVERHEAD_BYTES + 3 * value.packed().length;
  }
}
