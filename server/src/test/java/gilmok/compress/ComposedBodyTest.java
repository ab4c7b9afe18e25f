package gilmok.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ComposedBodyTest {
  private static final int WINDOW_MOST = 8 << 20;

  private final MadeUpMissions missions = new MadeUpMissions(3);

  @Test
  void nothing_isAnEmptyAnswerInEachCoding() throws DataFormatException {
    Fragment empty = Fragment.of(new byte[0], 6);
    for (ComposedBody none :
        List.of(ComposedBody.of(), ComposedBody.of(empty), ComposedBody.of(empty, empty))) {
      assertThat(none.identity()).isEmpty();
      assertThat(Decoded.gzip(none.gzip())).isEmpty();
      assertThat(Decoded.isOneMember(none.gzip())).isTrue();
      assertThat(Decoded.together(none.zstd())).isNotEmpty();
      assertThat(Decoded.zstd(none.zstd())).isEmpty();
      assertThat(none.bytes()).isZero();
    }
  }

  @Test
  void emptyPieces_areLeftOut() {
    Fragment one = Fragment.of(new byte[] {'x'}, 1);
    Fragment empty = Fragment.of(new byte[0], 1);
    ComposedBody body = ComposedBody.of(empty, one, empty);
    assertThat(body.gzip()).hasSize(3);
    assertThat(body.zstd()).hasSize(1);
    assertThat(body.identity()).hasSize(1);
    assertThat(Decoded.gzip(body.gzip())).containsExactly('x');
    assertThat(Decoded.zstd(body.zstd())).containsExactly('x');
  }

  @Test
  void largeAndIncompressible_comesBack() throws DataFormatException {
    byte[] noise = new byte[1 << 20];
    new Random(1).nextBytes(noise);
    byte[] large = new byte[5 << 20];
    byte[] text = missions.shared(40);
    for (int at = 0; at < large.length; at += text.length) {
      System.arraycopy(text, 0, large, at, Math.min(text.length, large.length - at));
    }
    for (int level : new int[] {1, 6}) {
      ComposedBody body = ComposedBody.of(Fragment.of(noise, level), Fragment.of(large, level));
      byte[] expected = Decoded.together(List.of(noise, large));
      assertThat(Decoded.gzip(body.gzip())).isEqualTo(expected);
      assertThat(Decoded.isOneMember(body.gzip())).isTrue();
      assertThat(Decoded.zstd(body.zstd())).isEqualTo(expected);
    }
  }

  @Test
  void join_copiesNoPiece() {
    Fragment shared = Fragment.of(missions.shared(3), 6);
    Fragment tail = Fragment.of(missions.tail(3, 2), 1);
    ComposedBody body = ComposedBody.of(shared).plus(tail);
    assertThat(body.gzip().get(1)).isSameAs(shared.deflated());
    assertThat(body.gzip().get(2)).isSameAs(tail.deflated());
    assertThat(body.zstd().get(0)).isSameAs(shared.zstd());
    assertThat(body.identity().get(1)).isSameAs(tail.plain());
  }

  @Test
  void plus_leavesTheBeginningAsItWas() {
    ComposedBody begin = ComposedBody.of(Fragment.of("a".getBytes(StandardCharsets.UTF_8), 1));
    String tag = begin.tag();
    ComposedBody more = begin.plus(Fragment.of("b".getBytes(StandardCharsets.UTF_8), 1));
    assertThat(Decoded.gzip(more.gzip())).containsExactly('a', 'b');
    assertThat(Decoded.gzip(begin.gzip())).containsExactly('a');
    assertThat(begin.tag()).isEqualTo(tag);
    assertThat(more.tag()).startsWith(tag).hasSize(24).matches("[\\w-]+");
  }

  @Test
  void hash_isTheBeginningOfSha256() throws NoSuchAlgorithmException {
    byte[] plain = missions.tail(40, 20);
    byte[] all = MessageDigest.getInstance("SHA-256").digest(plain);
    String expected = Base64.getUrlEncoder().encodeToString(Arrays.copyOf(all, 9));
    assertThat(Fragment.of(plain, 1).hash()).isEqualTo(expected).hasSize(12);
    plain[7] ^= 1;
    assertThat(Fragment.of(plain, 1).hash()).isNotEqualTo(expected);
  }

  @Test
  void deflated_isWhatAFullFlushWrites() {
    byte[] plain = missions.shared(5);
    Deflater deflater = new Deflater(6, true);
    deflater.setInput(plain);
    byte[] out = new byte[plain.length];
    int length = deflater.deflate(out, 0, out.length, Deflater.FULL_FLUSH);
    deflater.end();
    assertThat(Fragment.of(plain, 6).deflated()).isEqualTo(Arrays.copyOf(out, length));
    assertThat(Arrays.copyOfRange(out, length - 4, length)).containsExactly(0, 0, -1, -1);
  }

  @Test
  void zstd_hasTheContentsSizeAndAWindowThatAnAnswerMayHave() {
    byte[] large = new byte[WINDOW_MOST + 100];
    for (byte[] plain : List.of(missions.tail(40, 20), missions.shared(40), large)) {
      for (int level : new int[] {1, 9}) {
        byte[] frame = Fragment.of(plain, level).zstd();
        assertThat(Zstd.getFrameContentSize(frame)).isEqualTo(plain.length);
        int descriptor = frame[4];
        assertThat(descriptor & 0x04).as("a checksum").isZero();
        boolean isSingleSegment = (descriptor & 0x20) != 0;
        int exponent = (frame[5] & 0xff) >> 3;
        long base = 1L << (10 + exponent);
        long window = isSingleSegment ? plain.length : base + base / 8 * (frame[5] & 7);
        assertThat(window).isLessThanOrEqualTo(WINDOW_MOST);
      }
    }
  }

  @Test
  void inPieces_isLittleMoreThanTheWhole() {
    byte[] shared = missions.shared(38);
    byte[] own = missions.personal(38, List.of("r1"));
    byte[] tail = missions.tail(40, 25);
    try (SmallFragmentCompressor smallFragmentCompressor = new SmallFragmentCompressor(1, 1)) {
      ComposedBody body =
          ComposedBody.of(
              Fragment.of(shared, 9),
              Fragment.later(own, smallFragmentCompressor),
              Fragment.later(tail, smallFragmentCompressor));
      int inPieces = Decoded.together(body.gzip()).length;
      int whole = deflated(Decoded.together(body.identity()), 6);
      assertThat(inPieces).isLessThan(whole * 115 / 100);
      assertThat(whole * 100L / body.bytes()).as("gzip's part").isBetween(25L, 38L);
    }
  }

  @Test
  void level_thatIsNone_isABug() {
    for (int level : new int[] {0, 10, -1}) {
      assertThatThrownBy(() -> Fragment.of(new byte[1], level))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new SmallFragmentCompressor(level, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static int deflated(byte[] plain, int level) {
    Deflater deflater = new Deflater(level, true);
    deflater.setInput(plain);
    deflater.finish();
    int length = deflater.deflate(new byte[plain.length]);
    deflater.end();
    return length;
  }
}
