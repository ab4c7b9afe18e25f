import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Prints the end of {@code ./gilmok test} from Surefire's reports: how many tests ran, the ten
 * slowest, and for each failure what was expected, what came, and the command that repeats it; the
 * same for each test that failed and then passed, where failed tests are tried twice.
 *
 * <p>Arguments: when the run began, in epoch milliseconds; then the folders of reports.
 */
final class TestReport {
  private static final int SLOWEST = 10;
  private static final int FAILURES_SHOWN = 10;
  private static final int LINES_SHOWN = 20;
  private static final int LINE_MAX = 300;

  /** The option that {@code gilmok.Seeds} prints for a random case. */
  private static final Pattern SEED = Pattern.compile("-Dgilmok[.]seed=\\d+");

  private record Result(
      String type,
      String method,
      double seconds,
      Element failure,
      Element firstFailure,
      boolean isLeftOut) {
    String name() {
      return type + (method.isEmpty() ? "" : "#" + method);
    }
  }

  private TestReport() {}

  public static void main(String[] arguments) throws Exception {
    long began = Long.parseLong(arguments[0]);
    List<Result> results = new ArrayList<>();
    for (int i = 1; i < arguments.length; i++) {
      for (Path report : reports(Path.of(arguments[i]), began)) {
        read(report, results);
      }
    }
    if (results.isEmpty()) {
      System.out.println("\nno tests ran");
      return;
    }
    List<Result> failed = results.stream().filter(result -> result.failure() != null).toList();
    List<Result> flaky = results.stream().filter(result -> result.firstFailure() != null).toList();
    long leftOut = results.stream().filter(Result::isLeftOut).count();
    double seconds = results.stream().mapToDouble(Result::seconds).sum();
    System.out.printf(
        "%n%,d tests, %d failed, %d flaky, %d left out; %.0f s one by one. The slowest:%n",
        results.size() - leftOut, failed.size(), flaky.size(), leftOut, seconds);
    results.stream()
        .sorted(Comparator.comparingDouble(Result::seconds).reversed())
        .limit(SLOWEST)
        .forEach(one -> System.out.printf("%8.1f s  %s%n", one.seconds(), one.name()));
    flaky.stream().limit(FAILURES_SHOWN).forEach(one -> print("FLAKY", one, one.firstFailure()));
    failed.stream().limit(FAILURES_SHOWN).forEach(one -> print("FAILED", one, one.failure()));
    if (failed.size() > FAILURES_SHOWN) {
      System.out.printf(
          "%nand %d more, in */target/surefire-reports%n", failed.size() - FAILURES_SHOWN);
    }
  }

  private static List<Path> reports(Path folder, long began) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().matches("TEST-.*[.]xml"))
          .filter(file -> file.toFile().lastModified() >= began)
          .sorted()
          .toList();
    }
  }

  private static void read(Path report, List<Result> results) throws Exception {
    NodeList cases =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      Element failure = first(test, "failure");
      Element flaky = first(test, "flakyFailure");
      String type = test.getAttribute("classname");
      results.add(
          new Result(
              type.substring(type.lastIndexOf('.') + 1),
              test.getAttribute("name").replaceAll("[({\\[ ].*", ""),
              Double.parseDouble(test.getAttribute("time").replace(",", "")),
              failure == null ? first(test, "error") : failure,
              flaky == null ? first(test, "flakyError") : flaky,
              first(test, "skipped") != null));
    }
  }

  private static Element first(Element test, String tag) {
    return (Element) test.getElementsByTagName(tag).item(0);
  }

  /**
   * Prints all messages down to the first cause, where in our own code that was, and the command.
   */
  private static void print(String how, Result failed, Element failure) {
    Element stack = first(failure, "stackTrace"); // beside what the test printed
    String trace = (stack == null ? failure : stack).getTextContent().strip();
    System.out.printf("%n%s %s%n", how, failed.name());
    trace
        .lines()
        .filter(line -> !line.startsWith("\tat ") && !line.startsWith("\t... "))
        .limit(LINES_SHOWN)
        .forEach(TestReport::indented);
    String innermost = trace.substring(Math.max(0, trace.lastIndexOf("Caused by: ")));
    innermost
        .lines()
        .filter(line -> line.startsWith("\tat gilmok."))
        .limit(2)
        .map(String::strip)
        .forEach(TestReport::indented);
    Matcher seed = SEED.matcher(trace);
    System.out.printf(
        "  again: ./gilmok test '-Dtest=%s'%s%n",
        failed.name(), seed.find() ? " " + seed.group() : "");
  }

  private static void indented(String line) {
    System.out.println(
        "  " + (line.length() > LINE_MAX ? line.substring(0, LINE_MAX) + "…" : line));
  }
}
