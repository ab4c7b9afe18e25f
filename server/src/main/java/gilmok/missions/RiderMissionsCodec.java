package gilmok.missions;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import gilmok.cache.Codec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What nodes share of a rider: a byte that says how the rest is packed, then that. Progress in many
 * missions has the same names over and over, so it packs to a third. Thread-safe.
 */
final class RiderMissionsCodec implements Codec<RiderMissions> {
  private static final byte PLAIN = 1;
  private static final byte ZSTD = 2;
  private static final int LEVEL = 3;

  /** As much as a rider's progress can be. */
  private static final long BYTES_MAX =
      (long) MissionStore.MISSIONS_MAX * (MissionService.PROGRESS_BYTES_MAX + 512);

  /** Objects around the bytes, and what is rendered of them. */
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

  /** Twice for what is rendered: the tail as it is, and compressed. */
  @Override
  public int weigh(RiderMissions value) {
    return OVERHEAD_BYTES + 3 * value.packed().length;
  }
}
