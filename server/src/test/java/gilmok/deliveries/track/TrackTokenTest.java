package gilmok.deliveries.track;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryId;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TrackTokenTest {
  private static final byte[] SECRET = "a secret of the tests".getBytes(StandardCharsets.UTF_8);
  private static final String ID = DeliveryId.next(1_790_000_000_000L, new SplittableRandom(1));
  private static final TrackToken TOKEN = new TrackToken(ID, 1_790_086_400_000L);

  @Test
  void of_whatWasSigned_isTheSame() {
    assertThat(TrackToken.of(TOKEN.signed(SECRET), SECRET)).isEqualTo(TOKEN);
    assertThat(TOKEN.signed(SECRET)).matches("[0-9a-z]{26}\\.[0-9a-z]+\\.[A-Za-z0-9_-]{22}");
  }

  @Test
  void of_anyCharacterChanged_isNone() {
    String token = TOKEN.signed(SECRET);
    for (int i = 0; i < token.length(); i++) {
      char other = token.charAt(i) == '7' ? '8' : '7';
      String forged = token.substring(0, i) + other + token.substring(i + 1);
      assertThat(TrackToken.of(forged, SECRET)).as(forged).isNull();
    }
    for (int length = 0; length < token.length(); length++) {
      assertThat(TrackToken.of(token.substring(0, length), SECRET)).isNull();
    }
    assertThat(TrackToken.of(token + "A", SECRET)).isNull();
    assertThat(TrackToken.of("x".repeat(10_000), SECRET)).isNull();
  }

  @Test
  void of_anothersSecret_isNone() {
    byte[] other = "another secret, of others".getBytes(StandardCharsets.UTF_8);
    assertThat(TrackToken.of(TOKEN.signed(other), SECRET)).isNull();
  }
}
