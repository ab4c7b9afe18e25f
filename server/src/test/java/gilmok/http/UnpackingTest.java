package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import com.sun.management.ThreadMXBean;
import gilmok.compress.ContentCoding;
import gilmok.compress.Decompressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compressed request bodies: what they decompress to, and what decompression bombs cost. */
@Tag("server")
final class UnpackingTest {
  private static final int BOMB_BYTES = 200 << 20;
  private static final int MAX = Edge.BODY_BYTES_MAX;

  private final Decompressor decompressor = new Decompressor();

  private static byte[] gzip(byte[]... members) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (byte[] member : members) {
      try (OutputStream out = new GZIPOutputStream(packed)) {
        out.write(member);
      }
    }
    return packed.toByteArray();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private byte[] unpacked(ContentCoding coding, byte[] packed) {
    byte[] shifted = join(new byte[3], packed, new byte[5]);
    int length = decompressor.unpack(coding, shifted, 3, packed.length, MAX);
    assertThat(length).as(decompressor.reason()).isNotNegative();
    return Arrays.copyOf(decompressor.bytes(), length);
  }

  private int unpack(ContentCoding coding, byte[] packed) {
    return decompressor.unpack(coding, packed, 0, packed.length, MAX);
  }

  @Test
  void gzip_membersOfAllKinds_areUnpacked() throws Exception {
    byte[] random = new byte[1_000_000];
    new Random(3).nextBytes(random);
    assertThat(unpacked(ContentCoding.GZIP, gzip(random))).isEqualTo(random);
    assertThat(unpacked(ContentCoding.GZIP, gzip(text("one"), text(""), text("two"))))
        .isEqualTo(text("onetwo"));
    assertThat(unpacked(ContentCoding.GZIP, gzip(new byte[MAX]))).hasSize(MAX);
    byte[] plain = gzip(text("named"));
    byte[] header = {0x1f, (byte) 0x8b, 8, 4 | 8 | 16 | 2, 0, 0, 0, 0, 0, 0};
    byte[] fields = {2, 0, 9, 9, 'n', 'a', 0, 'c', 0, 1, 2};
    byte[] named = join(header, fields, Arrays.copyOfRange(plain, 10, plain.length));
    assertThat(unpacked(ContentCoding.GZIP, named)).isEqualTo(text("named"));
  }

  @Test
  void zstd_framesOfAllKinds_areUnpacked() throws Exception {
    byte[] random = new byte[1_000_000];
    new Random(4).nextBytes(random);
    assertThat(unpacked(ContentCoding.ZSTD, Zstd.compress(random))).isEqualTo(random);
    assertThat(unpacked(ContentCoding.ZSTD, Zstd.compress(new byte[MAX]))).hasSize(MAX);
    ByteArrayOutputStream unsized = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStream(unsized)) {
      out.write(new byte[3_000_000]);
    }
    assertThat(unpacked(ContentCoding.ZSTD, unsized.toByteArray())).isEqualTo(new byte[3_000_000]);
    byte[] two = join(Zstd.compress(text("one")), Zstd.compress(text("two")));
    assertThat(unpacked(ContentCoding.ZSTD, two)).isEqualTo(text("onetwo"));
  }

  @Test
  void packed_cutAnywhere_isBroken() throws Exception {
    byte[] plain = new byte[5_000];
    new Random(5).nextBytes(plain);
    byte[] gzip = gzip(plain);
    byte[] zstd = Zstd.compress(plain);
    for (int cut = 1; cut < gzip.length; cut += 7) {
      assertThat(unpack(ContentCoding.GZIP, Arrays.copyOf(gzip, cut)))
          .isEqualTo(Decompressor.BROKEN);
    }
    for (int cut = 1; cut < zstd.length; cut += 7) {
      assertThat(unpack(ContentCoding.ZSTD, Arrays.copyOf(zstd, cut)))
          .isEqualTo(Decompressor.BROKEN);
    }
  }

  @Test
  void packed_anyByteChanged_isTheSameOrRefused() throws Exception {
    byte[] plain = "{\"riderId\":\"a\",\"lat\":37.5}".repeat(50).getBytes(StandardCharsets.UTF_8);
    byte[] packed = gzip(plain);
    Random random = new Random(6);
    for (int i = 0; i < 5_000; i++) {
      byte[] changed = packed.clone();
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
      int length = unpack(ContentCoding.GZIP, changed);
      if (length >= 0) {
        assertThat(Arrays.copyOf(decompressor.bytes(), length)).isEqualTo(plain);
      }
    }
    for (int i = 0; i < 5_000; i++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      unpack(ContentCoding.GZIP, noise);
      unpack(ContentCoding.ZSTD, noise);
      unpack(ContentCoding.ZSTD, join(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}, noise));
    }
  }

  @Test
  void gzip_checksumOrLengthOrRest_isBroken() throws Exception {
    byte[] packed = gzip(text("hello"));
    byte[] checksum = packed.clone();
    checksum[packed.length - 8] ^= 1;
    byte[] length = packed.clone();
    length[packed.length - 1] ^= 1;
    assertThat(unpack(ContentCoding.GZIP, checksum)).isEqualTo(Decompressor.BROKEN);
    assertThat(unpack(ContentCoding.GZIP, length)).isEqualTo(Decompressor.BROKEN);
    assertThat(unpack(ContentCoding.GZIP, join(packed, text("rest"))))
        .isEqualTo(Decompressor.BROKEN);
    byte[][] many = new byte[2_000][0];
    assertThat(unpack(ContentCoding.GZIP, gzip(many))).isEqualTo(Decompressor.BROKEN);
  }

  @Test
  void packed_oneByteOver_isOver() throws Exception {
    assertThat(unpack(ContentCoding.GZIP, gzip(new byte[MAX + 1]))).isEqualTo(Decompressor.OVER);
    assertThat(unpack(ContentCoding.GZIP, gzip(new byte[MAX], new byte[1])))
        .isEqualTo(Decompressor.OVER);
    assertThat(unpack(ContentCoding.ZSTD, Zstd.compress(new byte[MAX + 1])))
        .isEqualTo(Decompressor.OVER);
    byte[] two = join(Zstd.compress(new byte[MAX]), Zstd.compress(new byte[1]));
    assertThat(unpack(ContentCoding.ZSTD, two)).isEqualTo(Decompressor.OVER);
  }

  @Test
  void bomb_overTheWire_costsNoMemory() throws Exception {
    byte[] zeros = new byte[1 << 20];
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    ByteArrayOutputStream zstd = new ByteArrayOutputStream();
    try (OutputStream toGzip = new GZIPOutputStream(gzip);
        OutputStream toZstd = new ZstdOutputStream(zstd)) {
      for (int i = 0; i < BOMB_BYTES; i += zeros.length) {
        toGzip.write(zeros);
        toZstd.write(zeros);
      }
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Edge edge = new Edge();
        Wire wire = edge.wire()) {
      byte[] hello = gzip(text("hello"));
      assertThat(wire.post("/echo", hello, "Content-Encoding: x-gzip").read().text())
          .isEqualTo("hello");
      long loop = edge.loopThreads.keySet().iterator().next().threadId();
      long before = threads.getThreadAllocatedBytes(loop);
      for (int i = 0; i < 10; i++) {
        wire.post("/echo", gzip.toByteArray(), "Content-Encoding: gzip");
        assertThat(wire.read().status()).isEqualTo(413);
        wire.post("/echo", zstd.toByteArray(), "Content-Encoding: zstd");
        assertThat(wire.read().status()).isEqualTo(413);
      }
      long allocated = threads.getThreadAllocatedBytes(loop) - before;
      // Allows for ten compressed bodies of 200 KB, each read and joined, and one array of 4 MiB.
      assertThat(allocated).isLessThan(30L << 20);
      Wire.Answer broken = wire.post("/echo", text("x"), "Content-Encoding: GZIP").read();
      assertThat(broken.status()).isEqualTo(400);
      assertThat(broken.text()).contains("\"field\":\"body\",\"reason\":\"not gzip\"");
      assertThat(edge.isEmpty()).isTrue();
    }
  }
}
