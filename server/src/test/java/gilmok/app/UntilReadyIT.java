package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
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
    assertThat(ended.out()).contains("Gilmok is ready: http://127.0.0.1:");
    assertThat(ended.said()).isEmpty();
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
  }
}
