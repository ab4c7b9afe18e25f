package gilmok.compress;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
final class AcceptEncodingTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "none                              | IDENTITY",
        "''                                | IDENTITY",
        "'gzip'                            | GZIP",
        "'gzip, deflate'                   | GZIP",
        "'gzip, deflate, br'               | GZIP",
        "'gzip, deflate, br, zstd'         | ZSTD",
        "'zstd'                            | ZSTD",
        "'x-gzip'                          | GZIP",
        "'GZip'                            | GZIP",
        "'ZSTD;Q=0.1'                      | ZSTD",
        "'br'                              | IDENTITY",
        "'identity'                        | IDENTITY",
        "'*'                               | ZSTD",
        "'*;q=0'                           | IDENTITY",
        "'gzip;q=0'                        | IDENTITY",
        "'gzip;q=0, zstd;q=0, *'           | IDENTITY",
        "'zstd;q=0, *'                     | GZIP",
        "'gzip;q=0.5, *;q=0'               | GZIP",
        "'gzip;q=1.0, zstd;q=0.9'          | GZIP",
        "'gzip;q=0.9, zstd;q=0.901'        | ZSTD",
        "'gzip;q=0.5, zstd;q=0.500'        | ZSTD",
        "'gzip;q=0.5, identity'            | IDENTITY",
        "'gzip;q=0.5, identity;q=0.5'      | GZIP",
        "'gzip, identity;q=0.5, *;q=0'     | GZIP",
        "'identity;q=0'                    | IDENTITY",
        "'identity;q=0, *'                 | ZSTD",
        "' , gzip ,, '                     | GZIP",
        "'gzip \t; \tq=0.8 \t, br'         | GZIP",
        "'gzip, gzip;q=0'                  | IDENTITY",
        "'deflate, gzip;q=1.0, *;q=0.5'    | GZIP",
        "'compress;q=0.5, gzip;q=1.0'      | GZIP",
        "'gzip deflate'                    | IDENTITY",
        "'gzip;q=2'                        | IDENTITY",
        "'gzip;q=1.001'                    | IDENTITY",
        "'gzip;q=0.0001'                   | IDENTITY",
        "'gzip;q=.5'                       | IDENTITY",
        "'gzip;q=-1'                       | IDENTITY",
        "'gzip;q='                         | IDENTITY",
        "'gzip;q'                          | IDENTITY",
        "'gzip;'                           | IDENTITY",
        "';q=1'                            | IDENTITY",
        "'gzip;q=0,5'                      | IDENTITY",
        "'gzip;level=9'                    | IDENTITY",
        "'gzip;q=1;q=0'                    | IDENTITY",
        "'zstd, gzip;q=x'                  | IDENTITY",
        "'gzip;q=1.'                       | GZIP",
        "'gzip;q=0.'                       | IDENTITY",
        "'gzip/2'                          | IDENTITY",
      })
  void best(String header, ContentCoding coding) {
    assertThat(AcceptEncoding.best(header)).isEqualTo(coding);
  }

  @Test
  void best_allocatesNothing() {
    String[] usual = {"gzip, deflate, br, zstd", "gzip", "gzip, deflate", "*", "identity;q=0.5"};
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int packed = count(usual);
    long before = threads.getCurrentThreadAllocatedBytes();
    packed += count(usual);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
    assertThat(packed).isEqualTo(2 * 4 * 20_000);
  }

  private static int count(String[] headers) {
    int packed = 0;
    for (int i = 0; i < 20_000; i++) {
      for (String header : headers) {
        packed += AcceptEncoding.best(header) == ContentCoding.IDENTITY ? 0 : 1;
      }
    }
    return packed;
  }

  private static final List<String> PARTS =
      List.of(
          "gzip",
          "x-gzip",
          "zstd",
          "br",
          "identity",
          "*",
          "GZIP",
          "a b",
          ";",
          ",",
          ", ",
          " ",
          "\t",
          ";q=",
          "; q=0",
          ";Q=1",
          ";q=0.",
          ";q=0.5",
          ";q=0.50",
          ";q=0.123",
          ";q=1.000",
          ";q=1.1",
          "0",
          "1",
          "9",
          ".",
          "=",
          "q",
          "é",
          "\"",
          "");

  @Test
  void anything_isReadAsThePlainReadingHasIt() {
    Random random = new Random(20261122);
    Map<ContentCoding, Integer> met = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      StringBuilder header = new StringBuilder();
      for (int parts = random.nextInt(8); parts >= 0; parts--) {
        header.append(PARTS.get(random.nextInt(PARTS.size())));
        if (random.nextInt(3) == 0) {
          header.append(", ");
        }
      }
      ContentCoding wanted = plainly(header.toString());
      assertThat(AcceptEncoding.best(header.toString())).as(header.toString()).isEqualTo(wanted);
      met.merge(wanted, 1, Integer::sum);
    }
    assertThat(met.values()).allSatisfy(count -> assertThat(count).isGreaterThan(2_000)).hasSize(3);
  }

  private static final Pattern ELEMENT =
      Pattern.compile(
          "([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[ \t]*;[ "
              + "\t]*[qQ]=(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?))?");

  /** The oracle: the same rules, written plainly, without regard to cost. */
  private static ContentCoding plainly(String header) {
    Map<String, Double> weights = new HashMap<>();
    for (String element : header.split(",", -1)) {
      String trimmed = element.replaceAll("^[ \t]+|[ \t]+$", "");
      Matcher matcher = ELEMENT.matcher(trimmed);
      if (trimmed.isEmpty()) {
        continue;
      }
      if (!matcher.matches()) {
        return ContentCoding.IDENTITY;
      }
      String name = matcher.group(1).toLowerCase(Locale.ROOT);
      double weight = matcher.group(2) == null ? 1 : Double.parseDouble(matcher.group(2));
      weights.merge(name.equals("x-gzip") ? "gzip" : name, weight, Math::min);
    }
    double others = weights.getOrDefault("*", 0.0);
    double zstd = weights.getOrDefault("zstd", others);
    double gzip = weights.getOrDefault("gzip", others);
    double packed = Math.max(zstd, gzip);
    if (packed == 0 || weights.getOrDefault("identity", 0.0) > packed) {
      return ContentCoding.IDENTITY;
    }
    return zstd == packed ? ContentCoding.ZSTD : ContentCoding.GZIP;
  }
}
