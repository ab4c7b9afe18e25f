package gilmok.pieces;

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
import org.junit.jupiter.api.Test;

class JoinedTest {
  private static final int WINDOW_MOST = 8 << 20;

  private final MadeUpMissions missions = new MadeUpMissions(3);

  @Test
  void nothing_isAnEmptyAnswerInEachCoding() throws DataFormatException {
    Piece empty = Piece.of(new byte[0], 6);
    for (Joined none : List.of(Joined.of(), Joined.of(empty), Joined.of(empty, empty))) {
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
    Piece one = Piece.of(new byte[] {'x'}, 1);
    Piece empty = Piece.of(new byte[0], 1);
    Joined joined = Joined.of(empty, one, empty);
    assertThat(joined.gzip()).hasSize(3);
    assertThat(joined.zstd()).hasSize(1);
    assertThat(joined.identity()).hasSize(1);
    assertThat(Decoded.gzip(joined.gzip())).containsExactly('x');
    assertThat(Decoded.zstd(joined.zstd())).containsExactly('x');
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
      Joined joined = Joined.of(Piece.of(noise, level), Piece.of(large, level));
      byte[] expected = Decoded.together(List.of(noise, large));
      assertThat(Decoded.gzip(joined.gzip())).isEqualTo(expected);
      assertThat(Decoded.isOneMember(joined.gzip())).isTrue();
      assertThat(Decoded.zstd(joined.zstd())).isEqualTo(expected);
    }
  }

  @Test
  void join_copiesNoPiece() {
    Piece shared = Piece.of(missions.shared(3), 6);
    Piece tail = Piece.of(missions.tail(3, 2), 1);
    Joined joined = Joined.of(shared).plus(tail);
    assertThat(joined.gzip().get(1)).isSameAs(shared.deflated());
    assertThat(joined.gzip().get(2)).isSameAs(tail.deflated());
    assertThat(joined.zstd().get(0)).isSameAs(shared.zstd());
    assertThat(joined.identity().get(1)).isSameAs(tail.plain());
  }

  @Test
  void plus_leavesTheBeginningAsItWas() {
    Joined begin = Joined.of(Piece.of("a".getBytes(StandardCharsets.UTF_8), 1));
    String tag = begin.tag();
    Joined more = begin.plus(Piece.of("b".getBytes(StandardCharsets.UTF_8), 1));
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
    assertThat(Piece.of(plain, 1).hash()).isEqualTo(expected).hasSize(12);
    plain[7] ^= 1;
    assertThat(Piece.of(plain, 1).hash()).isNotEqualTo(expected);
  }

  @Test
  void deflated_isWhatAFullFlushWrites() {
    byte[] plain = missions.shared(5);
    Deflater deflater = new Deflater(6, true);
    deflater.setInput(plain);
    byte[] out = new byte[plain.length];
    int length = deflater.deflate(out, 0, out.length, Deflater.FULL_FLUSH);
    deflater.end();
    assertThat(Piece.of(plain, 6).deflated()).isEqualTo(Arrays.copyOf(out, length));
    assertThat(Arrays.copyOfRange(out, length - 4, length)).containsExactly(0, 0, -1, -1);
  }

  @Test
  void zstd_hasTheContentsSizeAndAWindowThatAnAnswerMayHave() {
    byte[] large = new byte[WINDOW_MOST + 100];
    for (byte[] plain : List.of(missions.tail(40, 20), missions.shared(40), large)) {
      for (int level : new int[] {1, 9}) {
        byte[] frame = Piece.of(plain, level).zstd();
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
    try (Tails tails = new Tails(1, 1)) {
      Joined joined = Joined.of(Piece.of(shared, 9), tails.of(own), tails.of(tail));
      int inPieces = Decoded.together(joined.gzip()).length;
      int whole = deflated(Decoded.together(joined.identity()), 6);
      assertThat(inPieces).isLessThan(whole * 115 / 100);
      assertThat(whole * 100L / joined.bytes()).as("gzip's part").isBetween(25L, 38L);
    }
  }

  @Test
  void level_thatIsNone_isABug() {
    for (int level : new int[] {0, 10, -1}) {
      assertThatThrownBy(() -> Piece.of(new byte[1], level))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new Tails(level, 1)).isInstanceOf(IllegalArgumentException.class);
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
