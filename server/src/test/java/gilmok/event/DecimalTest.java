package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class DecimalTest {
  private final Decimal decimal = new Decimal();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "-0.0",
        "0e99",
        "1",
        "12345678",
        "0.12345678",
        "0.123456789",
        "1e22",
        "1e23",
        "9007199254740993",
        "37.785834000000001",
        "127.12345678901234567890",
        "4.9e-324",
        "1e-400",
        "1e400",
        "123456789012345678",
        "999999999999999999",
        "0.000000000000000000000000001",
        "8.500000000000000000",
        "0.30000000000000004",
        "1000000000000000000000",
        "5E-1",
        "5e+1"
      })
  void toDouble_anySpelling_sameAsJava(String text) {
    check(text);
  }

  @Test
  void toDouble_randomNumbers_sameAsJava() {
    Random random = new Random(11);
    for (int i = 0; i < 300_000; i++) {
      long mantissa = random.nextLong() >>> (1 + random.nextInt(63));
      int places = random.nextInt(28);
      BigDecimal number = new BigDecimal(BigInteger.valueOf(mantissa), places);
      check(number.toPlainString());
      check(Double.toString(random.nextInt(180) + random.nextDouble()));
    }
  }

  /** A decimal exactly between two doubles is rounded to the even one. */
  @Test
  void toDouble_halfway_sameAsJava() {
    Random random = new Random(12);
    for (int i = 0; i < 100_000; i++) {
      double value = 1 + random.nextInt(1 << random.nextInt(1, 24)) + random.nextInt(1 << 20);
      long steps = 1L << random.nextInt(53);
      BigDecimal half =
          new BigDecimal(value * steps)
              .add(new BigDecimal(Math.ulp(value * steps)).divide(BigDecimal.TWO));
      check(half.toPlainString());
      check(half.movePointLeft(random.nextInt(5)).toPlainString());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "-", "00", "01", "-01", ".5", "1.", "1.e5", "1e", "1e+", "1.5e-", "+1"})
  void scan_noNumber_isRefused(String text) {
    assertThat(scan(text)).isNegative();
  }

  @Test
  void whole_knowsWholeNumbers() {
    for (String whole :
        new String[] {
          "1767225600000",
          "1767225600000.000",
          "1.7672256e12",
          "17672256000000e-1",
          "1767225600000.00000000",
          "1767225600000.000000000000"
        }) {
      scan(whole);
      assertThat(decimal.isWhole()).as(whole).isTrue();
      assertThat(decimal.whole()).as(whole).isEqualTo(1_767_225_600_000L);
    }
    for (String broken : new String[] {"0.5", "1767225600000.0000000000000000000001", "1e-30"}) {
      scan(broken);
      assertThat(decimal.isWhole()).as(broken).isFalse();
    }
    scan("1e30");
    assertThat(decimal.whole()).isEqualTo(Long.MAX_VALUE);
  }

  private void check(String text) {
    int end = scan(text);
    double expected = Double.parseDouble(text);
    if (end != text.length() || Double.compare(decimal.toDouble(), expected) != 0) {
      assertThat(end).as(text).isEqualTo(text.length());
      assertThat(decimal.toDouble()).as(text).isEqualTo(expected);
    }
  }

  private int scan(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return decimal.scan(Arrays.copyOf(bytes, bytes.length + Decimal.REACH), 0);
  }
}
