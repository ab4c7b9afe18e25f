package gilmok.lab.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class JournalChartTest {
  @Test
  void render_twoMinutes_scalesToTheHighest() {
    String svg =
        JournalChart.render(
            List.of(
                "minute,transitions_per_s,p50_ms,p99_ms,p999_ms,errors",
                "1,500.0,1.0,5.0,10.0,0",
                "2,1000.0,1.0,20.0,40.0,3"));

    assertThat(svg)
        .startsWith("<svg ")
        .contains("points=\"60.0,85.0 710.0,30.0 \"") // half of the highest, then the highest
        .contains(">1,000</text>")
        .contains(">40</text>")
        .contains(">3.00</text>")
        .contains("minute 2");
  }

  @Test
  void render_columnsThatNameTheirPanel_drawsThese() {
    String svg =
        JournalChart.render(
            List.of("hour,p99 (ms): phones,files: open,files: kept", "0.5,1,2,3", "24,9,8,7"));

    assertThat(svg)
        .contains(
            ">p99 (ms)</text>",
            ">phones</text>",
            ">files</text>",
            ">open</text>",
            ">kept</text>",
            "hour 24")
        .doesNotContain("transitions");
  }
}
