package gilmok.lab.cost;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.options.Span;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command, and the page that shows what it says. */
@Tag("unit")
class CostCommandTest {
  private static final String COMMAND = "./gilmok lab cost";

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... words) {
    out.getBuffer().setLength(0);
    return new CommandLine(new CostCommand())
        .registerConverter(Span.class, Span::read)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(words);
  }

  /** Each table of the page is what the command above it prints. */
  @Test
  void page_hasWhatTheCommandSays() throws Exception {
    List<String> lines = Files.readAllLines(Path.of("../docs/growing.md"));
    int commands = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(COMMAND)) {
        commands++;
        String[] words = lines.get(i).substring(COMMAND.length()).strip().split(" +");
        assertThat(run(words)).as(err.toString()).isZero();
        assertThat(tables(lines.subList(i, lines.size())))
            .as(lines.get(i))
            .isEqualTo(out.toString().lines().filter(line -> line.startsWith("|")).toList());
      }
    }
    assertThat(commands).isGreaterThanOrEqualTo(3);
  }

  /** The rows until the next command or chapter. */
  private static List<String> tables(List<String> lines) {
    List<String> rows = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (line.startsWith(COMMAND) || line.startsWith("#")) {
        break;
      }
      if (line.startsWith("|")) {
        rows.add(line);
      }
    }
    return rows;
  }

  /** What the page says of the figures' sources is where it says. */
  @Test
  void facts_areThoseOfTheirPages() throws Exception {
    assertThat(page("lab/capacity/collecting.md")).contains("stored position takes 37-45 bytes");
    assertThat(page("lab/capacity/away.md"))
        .contains("rate 8,000/s", "rate 1,000/s", "735 to 753 MB", "775 to 779 MB");
    assertThat(page("lab/capacity/sinks.md")).contains("15.8 times less than one line a record");
    assertThat(page("docs/sinks.md")).contains("are 240 KB and become 41 KB");
  }

  private static String page(String name) throws Exception {
    return Files.readString(Path.of("..", name)).replaceAll("\\s+", " ");
  }

  @Test
  void ownPricesAndFacts_count() {
    assertThat(run("--price", "gateway-million=3.5", "--price", "redis-hour=0")).isZero();
    assertThat(out.toString()).contains("| gateway | 0 | 3,780.00 |").contains("| Redis | 0 | 0 |");
    assertThat(run("--fact", "rate-of-one=500")).isZero();
    assertThat(out.toString()).contains("| nodes | 3: 2 for the rate, 1 to spare |");
  }

  @Test
  void capacity_ofARun_counts() throws Exception {
    Path file = folder.resolve("run.json");
    Files.writeString(
        file, "{\"environment\":{\"unit\":\"positions\"},\"limit\":{\"safe\":400.0}}");
    assertThat(run("--capacity", file.toString())).isZero();
    assertThat(out.toString())
        .contains("| a node of 2 processors takes | 400 requests/s: 2,000 riders at 5 s, 4,000")
        .contains("| nodes | 4: 3 for the rate, 1 to spare |");
    Files.writeString(
        file, "{\"environment\":{\"unit\":\"transitions\"},\"limit\":{\"safe\":400.0}}");
    assertThat(run("--capacity", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no safe rate of positions");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--price gold=3",
        "--price log-bytes=3",
        "--fact machine-hour=3",
        "--fact log-bytes=0",
        "--price redis-hour=-1",
        "--riders 0",
        "--every 0s",
        "--hours 25",
        "--days 0",
        "--batch 501",
        "--spare -1"
      })
  void nonsense_isRefused(String words) {
    assertThat(run(words.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(words.split(" ")[0] + ": ");
  }

  @Test
  void help_hasEachAssumptionAndItsDefault() {
    String help = new CommandLine(new CostCommand()).getUsageMessage();
    assertThat(Arrays.asList(Assumption.values()))
        .allSatisfy(
            one ->
                assertThat(help)
                    .containsPattern(
                        "(?m)^  " + one.label() + " +" + Assumptions.text(one.value()) + " "));
  }
}
