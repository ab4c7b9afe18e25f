package gilmok.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The bytes of a {@link PowerLossDisk}'s file: as seen, as on disk, and the writes between the two.
 * Not thread-safe: guarded by the disk's lock.
 */
final class PowerLossFile {
  private static final int SECTOR_BYTES = 512;

  private byte[] seen = new byte[0];
  private int length;
  private byte[] onDisk = new byte[0];
  private final List<Write> unforced = new ArrayList<>();
  private int coveredByLateForce;

  int length() {
    return length;
  }

  void write(int position, byte[] bytes, int count) {
    byte[] part = Arrays.copyOf(bytes, count);
    seen = put(seen, position, part, 0, count);
    length = seen.length;
    unforced.add(new Write(position, part));
  }

  int read(ByteBuffer target, int position) {
    if (position >= length) {
      return -1;
    }
    int count = Math.min(target.remaining(), length - position);
    target.put(seen, position, count);
    return count;
  }

  void force(boolean late) {
    int covered = late ? coveredByLateForce : unforced.size();
    for (Write write : unforced.subList(0, covered)) {
      onDisk = put(onDisk, write.position, write.bytes, 0, write.bytes.length);
    }
    unforced.subList(0, covered).clear();
    coveredByLateForce = unforced.size();
  }

  /** Marks the pages clean. The file's new length is not lost, because a journal keeps it. */
  void failForce(double keepSector, Random random) {
    int lengthSeen = length;
    keepSome(keepSector, random);
    onDisk = Arrays.copyOf(onDisk, Math.max(onDisk.length, lengthSeen));
  }

  void losePower(double keepSector, Random random) {
    int lengthSeen = length;
    keepSome(keepSector, random);
    if (onDisk.length < lengthSeen && random.nextBoolean()) {
      onDisk = Arrays.copyOf(onDisk, lengthSeen);
    }
    seen = onDisk.clone();
    length = seen.length;
  }

  /** Lets some of what was not forced reach the disk, and forgets the rest. */
  private void keepSome(double keepSector, Random random) {
    for (Write write : unforced) {
      int end = write.position + write.bytes.length;
      for (int at = write.position; at < end; ) {
        int next = Math.min(end, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
        if (random.nextDouble() < keepSector) {
          onDisk = put(onDisk, at, write.bytes, at - write.position, next - at);
        }
        at = next;
      }
    }
    unforced.clear();
    coveredByLateForce = 0;
  }

  boolean shows(int position, byte[] bytes) {
    return position + bytes.length <= length
        && Arrays.equals(seen, position, position + bytes.length, bytes, 0, bytes.length);
  }

  private static byte[] put(byte[] target, int position, byte[] source, int offset, int count) {
    byte[] result = target;
    if (position + count > target.length) {
      result = Arrays.copyOf(target, position + count);
    }
    System.arraycopy(source, offset, result, position, count);
    return result;
  }

  private static final class Write {
    final int position;
    final byte[] bytes;

    Write(int position, byte[] bytes) {
      this.position = position;
      this.bytes = bytes;
    }
  }
}
