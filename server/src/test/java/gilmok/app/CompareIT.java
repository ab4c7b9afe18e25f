package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.cli.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server has collected, against another system's export. */
@Tag("server")
final class CompareIT extends PhoneRig {
  private static final Path FORMATS = Repository.root().resolve("docs/formats");
  private static final String HEAD = "rider,time,lat,lon,kmh\n";

  @TempDir Path other;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Override
  @BeforeEach
  void start() throws Exception {
    server = RunningServer.start(data, "collect.formats=" + FORMATS);
    key = server.key("{\"name\":\"phones\",\"scopes\":[\"collect\"]}");
    send(point("r-1", 0, "37.5") + point("r-1", 1, "37.5") + point("r-2", 0, "37.6"));
  }

  private void send(String lines) throws Exception {
    assertThat(server.send(key, "POST", "/upload/points.csv", "text/csv", HEAD + lines).status())
        .isEqualTo(200);
  }

  private static String point(String rider, int second, String lat) {
    return "%s,2026-07-26 17:00:%02d,%s,127,36\n".formatted(rider, second, lat);
  }

  private int compare(String export, String... more) throws Exception {
    Path file = Files.writeString(other.resolve("export.csv"), export);
    String[] arguments = new String[6 + more.length];
    String[] usual = {
      "compare",
      file.toString(),
      "--format",
      FORMATS.resolve("points-csv.yaml").toString(),
      "--data",
      data.toString()
    };
    System.arraycopy(usual, 0, arguments, 0, usual.length);
    System.arraycopy(more, 0, arguments, usual.length, more.length);
    return Commands.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  @Test
  void compare_same_isSaid() throws Exception {
    int code =
        compare(
            HEAD
                + point("r-1", 0, "37.500001")
                + "\n"
                + point("r-1", 1, "37.5")
                + point("r-2", 0, "37.6"));
    assertThat(code).as(out.toString() + err).isZero();
    assertThat(out.toString().replaceAll(" +", " ")).contains("same 3").contains("missing 0");
  }

  @Test
  void compare_missingExtraDiffering_areCountedAndShown() throws Exception {
    int code =
        compare(
            HEAD
                + point("r-1", 0, "37.5")
                + "\n"
                + point("r-9", 0, "37.5")
                + point("r-2", 0, "37.7")
                + point("r-2", 0, "37.7")
                + "r-3,never,1,2,3\n");
    assertThat(code).isEqualTo(1);
    assertThat(out.toString().replaceAll(" +", " "))
        .contains("theirs 3")
        .contains("ours 3")
        .contains("same 1")
        .contains("missing 1 ")
        .contains("extra 1 ")
        .contains("differing 1")
        .contains("repeated 1 ")
        .contains("unreadable 1 ")
        .contains("missing, line 4: r-9,2026-07-26 17:00:00,37.5,127,36")
        .contains("differing, line 5: r-2,")
        .contains("extra: {\"riderId\":\"r-1\",\"at\":\"2026-07-26T08:00:01Z\"");
    assertThat(err.toString()).contains("line 7: /time: not a time");
  }

  @Test
  void compare_aTimeAlone() throws Exception {
    int code =
        compare(
            HEAD + point("r-1", 0, "37.5") + point("r-2", 0, "37.6") + point("r-8", 5, "1"),
            "--to",
            "2026-07-26T08:00:01Z");
    assertThat(code).as(out.toString() + err).isZero();
  }

  @Test
  void compare_wrongFiles_areNamed() throws Exception {
    Path wrong = Files.writeString(other.resolve("wrong.yaml"), "path: /x\n");
    assertThat(
            Commands.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                new String[] {"compare", "none.csv", "--format", wrong.toString()}))
        .isEqualTo(2);
    assertThat(err.toString()).contains("wrong.yaml: fields: is missing");
  }

  @Test
  void compare_whatCannotBeCompared_isNoSuccess() throws Exception {
    assertThat(compare(HEAD)).as("nothing").isEqualTo(1);
    assertThat(err.toString()).contains("nothing was compared");
    assertThat(
            compare(
                HEAD
                    + point("r-1", 0, "37.5")
                    + point("r-1", 0, "37.9")
                    + point("r-1", 1, "37.5")
                    + point("r-2", 0, "37.6")))
        .as("one rider in two places at once")
        .isEqualTo(1);
    assertThat(out.toString().replaceAll(" +", " ")).contains("conflicting 1 ");
    assertThat(compare(HEAD + point("r-1", 0, "37.5"), "--metres", "-5")).isEqualTo(2);
    assertThat(compare(HEAD, "--from", "2026-07-27T00:00:00Z", "--to", "2026-07-26T00:00:00Z"))
        .isEqualTo(2);
    Files.write(other.resolve("export.csv"), new byte[] {(byte) 0xc3, 0x28, '\n'});
    assertThat(
            Commands.run(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                new String[] {
                  "compare",
                  other.resolve("export.csv").toString(),
                  "--format",
                  FORMATS.resolve("points-csv.yaml").toString(),
                  "--data",
                  data.toString()
                }))
        .isEqualTo(1);
    assertThat(err.toString()).contains("the file is not UTF-8").doesNotContain("\tat ");
  }
}
