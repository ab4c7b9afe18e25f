package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.OwnerOnly;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class PseudonymsTest {
  private static final byte[] SECRET = "a-secret-of-all-nodes".getBytes(StandardCharsets.UTF_8);

  @TempDir Path folder;

  /** As Python makes it: base64.b32encode(hmac.digest(secret, id, "sha256")[:16]). */
  @Test
  void of_isTheKeyedHash_inBase32() {
    Pseudonyms pseudonyms = new Pseudonyms(SECRET);
    assertThat(pseudonyms.of("rider-1")).isEqualTo("p-xgfdm3vmoat7lmnajy3htwplgm");
    assertThat(pseudonyms.of("라이더")).isEqualTo("p-fsf7prtdmbjrslnagx2v56bcd4");
  }

  @Test
  void of_anyId_hasAllBitsOfTheHash() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    Pseudonyms pseudonyms = new Pseudonyms(SECRET);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
    Set<String> all = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      String id = "r".repeat(random.nextInt(128)) + i;
      byte[] sealed = mac.doFinal(id.getBytes(StandardCharsets.UTF_8));
      BigInteger bits = new BigInteger(1, sealed).shiftRight(128).shiftLeft(2);
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < 26; c++) {
        text.insert(0, "abcdefghijklmnopqrstuvwxyz234567".charAt(bits.intValue() & 31));
        bits = bits.shiftRight(5);
      }
      assertThat(pseudonyms.of(id)).isEqualTo("p-" + text);
      all.add(pseudonyms.of(id));
    }
    assertThat(all).hasSize(2_000);
  }

  @Test
  void anotherSecret_hasOtherPseudonyms() {
    byte[] other = "a-secret-of-somebody-else".getBytes(StandardCharsets.UTF_8);
    assertThat(new Pseudonyms(other).of("rider-1"))
        .isNotEqualTo(new Pseudonyms(SECRET).of("rider-1"));
  }

  @Test
  void nodesOwnSecret_isMadeOnce_forItsOwnerAlone() throws IOException {
    String first = Pseudonyms.of("", folder, new SplittableRandom(7)).of("rider-1");
    assertThat(Pseudonyms.of("", folder, new SplittableRandom(8)).of("rider-1")).isEqualTo(first);
    assertThat(Files.getPosixFilePermissions(folder.resolve(Pseudonyms.FILE)))
        .isEqualTo(OwnerOnly.FILE.value());
  }

  @Test
  void givenSecret_isOfEveryNode_andMakesNoFile() throws IOException {
    String given = new String(SECRET, StandardCharsets.UTF_8);
    Pseudonyms pseudonyms = Pseudonyms.of(given, folder, new SplittableRandom(7));
    assertThat(pseudonyms.of("rider-1")).isEqualTo(new Pseudonyms(SECRET).of("rider-1"));
    assertThat(folder).isEmptyDirectory();
    assertThat(pseudonyms.toString()).doesNotContain(given);
  }

  @Test
  void damagedSecret_isNotReplaced() throws IOException {
    Pseudonyms.of("", folder, new SplittableRandom(7));
    Path file = folder.resolve(Pseudonyms.FILE);
    byte[] damaged = Files.readAllBytes(file);
    damaged[damaged.length / 2] ^= 1;
    Files.write(file, damaged);
    assertThatThrownBy(() -> Pseudonyms.of("", folder, new SplittableRandom(7)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is damaged");
    assertThat(file).hasBinaryContent(damaged);
  }
}
