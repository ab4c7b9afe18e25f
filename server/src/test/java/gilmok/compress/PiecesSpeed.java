package gilmok.compress;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.Deflater;

/**
 * Measures an invented answer of 40 missions in each coding, whole and in fragments: its bytes, and
 * the µs of processor that it takes, in the fastest of five rounds after a warm-up. A program, not
 * a test: {@code main(file)} also writes the whole answer to that file, for other compressors.
 */
final class PiecesSpeed {
  private static final int ROUNDS = 5;
  private static final long ROUND_NANOS = 300_000_000L;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static long sink;

  private PiecesSpeed() {}

  public static void main(String[] args) throws IOException {
    MadeUpMissions missions = new MadeUpMissions(1);
    byte[] shared = missions.shared(38);
    List<byte[]> personal =
        List.of(missions.personal(38, List.of("r1")), missions.personal(39, List.of("r1", "r2")));
    byte[] tail = missions.tail(40, 25);
    byte[] whole = whole(List.of(shared, personal.get(0), personal.get(1), tail));
    if (args.length > 0) {
      Files.write(Path.of(args[0]), whole);
    }
    System.out.printf("whole %d, shared %d, tail %d%n", whole.length, shared.length, tail.length);
    for (int level : new int[] {1, 6, 9}) {
      print("gzip " + level + " of the whole", () -> deflate(whole, level) + 18);
    }
    for (int level : new int[] {1, 3, 9, 12, 15, 19}) {
      print("zstd " + level + " of the whole", () -> Zstd.compress(whole, level).length);
    }
    for (int level = 1; level <= 9; level++) {
      int one = level;
      try (BodyCompressor compressor = new BodyCompressor()) {
        print("shared, gzip, level " + level, () -> compressor.blocks(one, shared).length);
        print("shared, zstd, level " + level, () -> compressor.frame(one, shared).length);
      }
    }
    try (SmallFragmentCompressor quick = new SmallFragmentCompressor(1, 1);
        SmallFragmentCompressor small = new SmallFragmentCompressor(6, 1)) {
      for (SmallFragmentCompressor smallFragmentCompressor : List.of(quick, small)) {
        String name = smallFragmentCompressor == quick ? "level 1" : "level 6";
        print(
            "tail, gzip, " + name,
            () -> Fragment.later(tail, smallFragmentCompressor).deflated().length);
        print(
            "tail, zstd, " + name,
            () -> Fragment.later(tail, smallFragmentCompressor).zstd().length);
        Fragment last = Fragment.later(tail, smallFragmentCompressor);
        Fragment[] own =
            personal.stream()
                .map(bytes -> Fragment.of(bytes, 6))
                .toArray(length -> new Fragment[length]);
        ComposedBody begin = ComposedBody.of(Fragment.of(shared, 9), own[0], own[1]);
        print("pieces, gzip, tail of " + name, () -> length(begin.plus(last).gzip()));
        print("pieces, zstd, tail of " + name, () -> length(begin.plus(last).zstd()));
        print(
            "with the tail's compression, gzip",
            () -> length(begin.plus(Fragment.later(tail, smallFragmentCompressor)).gzip()));
        print(
            "with the tail's compression, zstd",
            () -> length(begin.plus(Fragment.later(tail, smallFragmentCompressor)).zstd()));
      }
      print("a tail's CRC and hash", () -> Fragment.later(tail, quick).hash().length());
    }
    try (Bound bound = new Bound(shared)) {
      print("tail, gzip 1, with what is before it", () -> bound.deflate(tail, 1));
      print("tail, gzip 6, with what is before it", () -> bound.deflate(tail, 6));
      print("a mission, gzip 6, with what is before it", () -> bound.deflate(personal.get(0), 6));
    }
    try (SmallFragmentCompressor small = new SmallFragmentCompressor(6, 1)) {
      print("a mission, gzip 6", () -> Fragment.later(personal.get(0), small).deflated().length);
      print("a mission, zstd, level 6", () -> Fragment.later(personal.get(0), small).zstd().length);
    }
    System.out.println(sink == 0 ? "nothing" : "");
  }

  /**
   * Compresses a fragment with references into the 32 KiB before it, so it can follow only these.
   */
  private static final class Bound implements AutoCloseable {
    private final Deflater[] deflaters = new Deflater[10];
    private final byte[] before;
    private final byte[] buffer = new byte[8 * 1024];

    Bound(byte[] all) {
      before = Arrays.copyOfRange(all, all.length - (1 << 15), all.length);
      for (int level : new int[] {1, 6}) {
        deflaters[level] = new Deflater(level, true);
      }
    }

    int deflate(byte[] plain, int level) {
      Deflater deflater = deflaters[level];
      deflater.reset();
      deflater.setDictionary(before);
      deflater.setInput(plain);
      return deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
    }

    @Override
    public void close() {
      deflaters[1].end();
      deflaters[6].end();
    }
  }

  private static int deflate(byte[] plain, int level) {
    Deflater deflater = new Deflater(level, true);
    byte[] out = new byte[plain.length];
    deflater.setInput(plain);
    deflater.finish();
    int length = deflater.deflate(out);
    deflater.end();
    return length;
  }

  private static byte[] whole(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  private static int length(List<byte[]> parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    return length;
  }

  private static void print(String what, Supplier<Integer> way) {
    double best = Double.MAX_VALUE;
    int bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long runs = 0;
      long began = THREADS.getCurrentThreadCpuTime();
      long took;
      do {
        for (int i = 0; i < 10; i++) {
          bytes = way.get();
          sink += bytes;
        }
        runs += 10;
        took = THREADS.getCurrentThreadCpuTime() - began;
      } while (took < ROUND_NANOS);
      best = Math.min(best, took / 1e3 / runs);
    }
    System.out.printf("%-45s %7d B %10.2f µs%n", what, bytes, best);
  }
}
