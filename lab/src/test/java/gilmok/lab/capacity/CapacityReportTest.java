package gilmok.lab.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Tag("unit")
class CapacityReportTest {
  @TempDir private Path folder;

  @Test
  void json_readAgain_isTheSame() {
    CapacityReport report = report(1_000, 10, 11, 12);

    assertThat(CapacityReport.read(report.json())).isEqualTo(report);
    assertThat(report.isGood()).isTrue();
  }

  @Test
  void isGood_somethingAcknowledgedIsMissing_isNot() {
    CapacityReport report = report(1_000, 10, 11, 12);

    assertThat(with(report, new CapacityReport.Account(10, 9, 0, 0)).isGood()).isFalse();
    assertThat(with(report, new CapacityReport.Account(10, 11, 1, 0)).isGood()).isTrue();
    assertThat(with(report, new CapacityReport.Account(10, 10, 0, 1)).isGood()).isFalse();
  }

  @Test
  void page_isOneFileWithoutOthers_andSaysWhatEndsIt() {
    String page = CapacityPage.render(report(1_000, 10, 11, 12));

    assertThat(page)
        .contains("<b>1,000 positions a second</b> with p99 11.0 ms (10.0 to 12.0 in 3 repeats")
        .contains("What ends it: <b>the disk</b>")
        .contains("&lt;b&gt; &amp; more") // a fact is no markup
        .contains("<polyline")
        .contains("200 %");
    assertThat(page.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http", "src=", "href=", "@import");
  }

  @Test
  void text_isAFewLines() {
    assertThat(CapacityText.of(report(1_000, 10, 11, 12)).lines())
        .contains(
            "limit    1,000 positions/s with p99 10.0 to 12.0 ms (1,100/s did not hold)",
            "ends by  the disk: full",
            "at 200 % 0.90 of the limit accepted; health longest 12 ms, 0 failed; p99 kept again"
                + " after 1 s")
        .noneMatch(line -> line.startsWith("VOID"));
  }

  @Test
  void compare_onlyWhatIsBeyondTheSpread_counts() {
    CapacityReport before = report(1_000, 10, 11, 12);

    List<CompareRunsCommand.Figure> same =
        CompareRunsCommand.figures(before, report(1_000, 11, 12, 13));
    assertThat(same).noneMatch(CompareRunsCommand.Figure::isBeyondSpread);

    List<CompareRunsCommand.Figure> worse =
        CompareRunsCommand.figures(before, report(700, 20, 22, 24));
    assertThat(worse.stream().filter(CompareRunsCommand.Figure::isWorse))
        .extracting(CompareRunsCommand.Figure::name)
        .contains("highest rate, /s", "p99 at the highest rate, ms");
    assertThat(worse.getFirst().line()).contains("-30.0 %  WORSE");

    List<CompareRunsCommand.Figure> better =
        CompareRunsCommand.figures(before, report(2_000, 1, 2, 3));
    assertThat(better).noneMatch(CompareRunsCommand.Figure::isWorse);
    assertThat(better.getFirst().line()).contains("+100.0 %  better");
  }

  @Test
  void compareRuns_files_exitCodeSaysWhetherAnythingGotWorse() throws Exception {
    Path a = write("a.json", report(1_000, 10, 11, 12));
    Path b = write("b.json", report(700, 20, 22, 24));

    assertThat(new CommandLine(new CompareRunsCommand()).execute(a.toString(), a.toString()))
        .isZero();
    assertThat(new CommandLine(new CompareRunsCommand()).execute(a.toString(), b.toString()))
        .isEqualTo(1);
    Path none = Files.writeString(folder.resolve("none.json"), "{}x");
    assertThat(new CommandLine(new CompareRunsCommand()).execute(a.toString(), none.toString()))
        .isEqualTo(2);
  }

  private Path write(String name, CapacityReport report) throws Exception {
    return Files.writeString(folder.resolve(name), report.json());
  }

  private static CapacityReport with(CapacityReport report, CapacityReport.Account account) {
    return new CapacityReport(
        report.environment(),
        report.limit(),
        report.steps(),
        report.hold(),
        report.overloads(),
        account,
        report.peers(),
        report.series());
  }

  private static CapacityReport report(double units, double... p99s) {
    List<LoadStep> repeats =
        DoubleStream.of(p99s).mapToObj(p99 -> MadeSteps.step(units, p99, "")).toList();
    SequencedMap<String, List<Double>> series = new LinkedHashMap<>();
    series.put("seconds", List.of(1.0, 2.0));
    series.put("p99 ms", List.of(5.0, 6.0));
    return new CapacityReport(
        new CapacityReport.Environment(
            "collect", "positions", "data", MadeSteps.GOALS, Map.of("machine", "<b> & more")),
        new CapacityReport.Limit(
            units,
            1.1 * units,
            0.7 * units,
            repeats,
            List.of(new Suspects.Suspect(Suspects.Resource.DISK, 1.2, "full")),
            ""),
        repeats,
        new CapacityReport.Hold(
            repeats.getFirst(), 1, Map.of("p99 ms", 5.0), Map.of("p99 ms", 5.0), 0.1, List.of()),
        List.of(
            new CapacityReport.Overload(
                2, repeats.getFirst(), 0.9, new HealthWatch.Health(50, 0, 12), 1)),
        new CapacityReport.Account(10, 10, 0, 0),
        List.of(new CapacityReport.Peer("bare", 1_250, repeats)),
        series);
  }
}
