package gilmok.phones;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.zxing.common.BitMatrix;
import com.google.zxing.qrcode.decoder.Decoder;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Drawn QR codes are read back with ZXing, a decoder that is not ours. */
@Tag("unit")
class QrTest {
  private static final Pattern RUN = Pattern.compile("M(\\d+) (\\d+)h(\\d+)v1h-(\\d+)z");
  private static final String KEY = "gk_abcdefghijkl_" + "s".repeat(52);

  @ParameterizedTest
  @EnumSource
  void ofEveryApp_svgAndLines_areReadBack(PhoneApp app) throws Exception {
    String text =
        Guides.of(app, new PhoneSetup("https://fleet.example.com", "rider-7", KEY)).code();
    Qr qr = new Qr(text);
    assertThat(read(ofSvg(qr))).isEqualTo(text);
    assertThat(read(ofLines(qr))).isEqualTo(text);
    assertThat(qr.lines()).allMatch(line -> glyphs(line).length() == qr.columns());
  }

  @ParameterizedTest
  @EnumSource
  void ofTheLongestSetup_fitsInACode(PhoneApp app) throws Exception {
    PhoneSetup longest =
        new PhoneSetup(
            "https://fleet.example.com/" + "a".repeat(230), "김".repeat(128), "~".repeat(128));
    assertThat(PhoneSetup.fault(longest.url(), longest.riderId(), longest.key())).isNull();
    String text = Guides.of(app, longest).code();
    assertThat(read(ofSvg(new Qr(text)))).isEqualTo(text);
  }

  @Test
  void lines_haveALightMarginAndEndTheirColours() {
    List<String> lines = new Qr("https://fleet.example.com").lines();
    assertThat(glyphs(lines.getFirst())).matches("█+");
    assertThat(lines).allMatch(line -> line.endsWith("\u001b[0m"));
  }

  @Test
  void svg_bringsNeitherStylesNorScripts() {
    assertThat(new Qr("https://fleet.example.com").svg())
        .startsWith("<svg ")
        .endsWith("</svg>")
        .doesNotContain("style", "script", "href");
  }

  private static boolean[][] ofSvg(Qr qr) {
    String svg = qr.svg();
    boolean[][] dark = new boolean[qr.size()][qr.size()];
    Matcher run = RUN.matcher(svg.substring(svg.indexOf("fill=\"#000\"")));
    while (run.find()) {
      assertThat(run.group(3)).isEqualTo(run.group(4));
      int y = Integer.parseInt(run.group(2)) - Qr.MARGIN;
      int x = Integer.parseInt(run.group(1)) - Qr.MARGIN;
      for (int i = 0; i < Integer.parseInt(run.group(3)); i++) {
        dark[y][x + i] = true;
      }
    }
    return dark;
  }

  private static boolean[][] ofLines(Qr qr) {
    List<String> lines = qr.lines();
    boolean[][] dark = new boolean[qr.size()][qr.size()];
    for (int y = 0; y < qr.size(); y++) {
      for (int x = 0; x < qr.size(); x++) {
        int row = y + Qr.MARGIN;
        char glyph = glyphs(lines.get(row / 2)).charAt(x + Qr.MARGIN);
        dark[y][x] = (row % 2 == 0 ? "▄ " : "▀ ").indexOf(glyph) >= 0;
      }
    }
    return dark;
  }

  private static String glyphs(String line) {
    return line.replaceAll("\u001b\\[[0-9;]*m", "");
  }

  private static String read(boolean[][] dark) throws Exception {
    BitMatrix matrix = BitMatrix.parse(dark);
    return new Decoder().decode(matrix).getText();
  }
}
