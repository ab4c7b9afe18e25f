package gilmok.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The commands that a page of Markdown shows in its blocks of {@code sh}, in their order. */
final class ShellPage {
  private static final String OPENS = "```sh";
  private static final String CLOSES = "```";

  /** What a comment must begin with to be the answer of the command above it. */
  private static final Pattern ANSWER = Pattern.compile("# ([{\\[].*|[\\w+/]{43}=)");

  private ShellPage() {}

  /**
   * One command, as a reader pastes it.
   *
   * @param line the line of the page where it begins, from 1
   * @param text one line or several
   * @param answer what it must print, where {@code …} stands for anything; empty for whatever it
   *     does print
   */
  record Command(int line, String text, String answer) {
    /** Whether it is the server, which runs until it is stopped, in a terminal of its own. */
    boolean isServer() {
      return text.matches("\\./gilmok (serve|demo)\\b.*");
    }

    /** Whether it is a partner, which does the same in another. */
    boolean isPartner() {
      return text.matches("(python3 partner\\.py|\\./gilmok lab partner)\\b.*");
    }

    /** Whether the page says to stop the server first, as nobody else may use its folder. */
    boolean needsFolderAlone() {
      return text.startsWith("./gilmok log salvage");
    }

    /** Matches what it must print somewhere. */
    Pattern expected() {
      return Pattern.compile(
          Pattern.compile("…")
              .splitAsStream(answer)
              .map(Pattern::quote)
              .collect(Collectors.joining(".*", "", answer.endsWith("…") ? ".*" : "")),
          Pattern.DOTALL);
    }
  }

  /** Reads a page. */
  static List<Command> commands(Path page) throws IOException, InterruptedException {
    List<String> lines = Files.readAllLines(page);
    List<Command> all = new ArrayList<>();
    boolean isInside = false;
    String begun = "";
    int begin = 0;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!isInside || line.equals(CLOSES)) {
        isInside = !isInside && line.equals(OPENS);
      } else if (!begun.isEmpty() || !(line.isBlank() || line.startsWith("#"))) {
        begin = begun.isEmpty() ? i + 1 : begin;
        begun += line + "\n";
        if (isWhole(begun)) {
          all.add(new Command(begin, begun.strip(), answer(lines, i + 1)));
          begun = "";
        }
      }
    }
    return all;
  }

  private static String answer(List<String> lines, int next) {
    var answer = ANSWER.matcher(next < lines.size() ? lines.get(next) : "");
    return answer.matches() ? answer.group(1) : "";
  }

  /** Whether the shell would run it, and not wait for another line. */
  private static boolean isWhole(String text) throws IOException, InterruptedException {
    if (text.endsWith("\\\n")) {
      return false;
    }
    Process bash = new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
    try (var in = bash.outputWriter()) {
      in.write(text);
    }
    // A here-document without its end is a warning alone.
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return bash.waitFor(10, TimeUnit.SECONDS) && bash.exitValue() == 0 && said.isEmpty();
  }
}
