package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code serve --until-ready}, and what is printed and logged at the start. */
@Tag("process")
final class UntilReadyIT {
  @TempDir Path data;

  @Test
  void untilReady_startsSaysWhereItRunsAndStops() throws Exception {
    List<String> arguments = Program.serving(data);
    arguments.add("--only=collect");
    arguments.add("--until-ready");

    Ended ended = Program.run(arguments.toArray(String[]::new));

    assertThat(ended.code()).as(ended.err()).isZero();
    assertThat(ended.out().lines())
        .first()
        .asString()
        .startsWith("Gilmok listens on http://127.0.0.1:");
    assertThat(ended.out())
        .containsPattern("map +http://127.0.0.1:\\d+/\n")
        .containsPattern("API +http://127.0.0.1:\\d+/docs\n")
        .contains("key    in " + data.resolve("admin.key"))
        .contains("data   " + data)
        .contains("Gilmok is ready: http://127.0.0.1:");
    assertThat(ended.said()).isEmpty();
    assertThat(ended.err())
        .as("settings that differ from the defaults, and no others")
        .contains("INFO gilmok only = collect")
        .doesNotContain("http.requests-max");
    assertThat(ended.err())
        .containsPattern(
            "INFO gilmok Gilmok \\S+, node \\w+; Java 25\\S*, \\w+, heap 256 MiB.*;"
                + " processors \\d+.*; AOT cache: none")
        .contains("INFO gilmok stopped");
  }

  @Test
  void untilReady_cannotStart_fails() throws Exception {
    List<String> arguments = Program.serving(data);
    arguments.add("--only=collect");
    arguments.addAll(List.of("--until-ready", "--set=http.host=192.0.2.1"));

    Ended ended = Program.run(arguments.toArray(String[]::new));

    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.out()).doesNotContain("is ready");
    assertThat(ended.err().lines().toList().getLast()).startsWith("gilmok: ");
  }

  @Test
  void printSettings_showsEachWithItsValue_hidesSecrets_andStartsNothing() throws Exception {
    Ended printed =
        Program.run(
            "serve",
            "--print-settings",
            "--data=" + data.resolve("none"),
            "--set=log.retention=48 h",
            "--set=admin-key=a-key-with-many-different-letters");

    assertThat(printed.code()).as(printed.err()).isZero();
    assertThat(printed.out().lines())
        .contains("log.retention = 48 h", "http.port = 8080", "admin-key = ********");
    assertThat(printed.out()).doesNotContain("many-different");
    assertThat(data.resolve("none")).doesNotExist();

    assertThat(Program.run("serve", "--print-settings", "--set=log.retention=x").code())
        .isEqualTo(2);
  }

  @Test
  void checkConfig_saysWhatDiffers_orEverythingThatIsWrong() throws Exception {
    Path good =
        Files.writeString(data.resolve("good.yaml"), "log:\n  retention: 168 h\nonly: sinks\n");
    Ended valid = Program.run("check-config", good.toString());
    assertThat(valid.code()).as(valid.err()).isZero();
    assertThat(valid.out().lines()).containsExactly(good + " is valid and sets", "  only = sinks");

    Path bad = Files.writeString(data.resolve("bad.yaml"), "log:\n  retentoin: 7 d\nonly: moon\n");
    Ended wrong = Program.run("check-config", bad.toString());
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.said())
        .hasSize(2)
        .anyMatch(line -> line.contains("log.retentoin") && line.contains("log.retention?"))
        .anyMatch(line -> line.contains("moon"));

    Ended none = Program.run("check-config", data.resolve("none.yaml").toString());
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.said())
        .singleElement()
        .asString()
        .endsWith("none.yaml cannot be read: there is no such file");
  }
}
