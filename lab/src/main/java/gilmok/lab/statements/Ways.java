package gilmok.lab.statements;

import gilmok.lab.Subject;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares this server's way from documents to sums with those of the original story, on the same
 * bytes: runs the JMH benchmarks of the baseline as a process of its own, and reads their results.
 * Not thread-safe.
 *
 * @param more arguments of JMH, as {@code -wi 3 -i 3}
 */
record Ways(Baseline baseline, Path work, List<Integer> sizes, List<String> more) {
  private static final Duration END_WAIT = Duration.ofMinutes(60);
  private static final int JUDGED = 2_000;
  private static final double TO_DEFAULT = 15;
  private static final double TO_DIRECT = 1.5;

  private static final String DEFAULT = "defaultConverter";
  private static final String DIRECT = "directMapping";
  private static final String OURS = "ours";

  /** The benchmarks with the names shown to readers, in that order. */
  private static final List<List<String>> NAMES =
      List.of(
          List.of(DEFAULT, "Spring Data's default converter"),
          List.of("defaultConverterRecord", "the same, a Java record"),
          List.of("jackson", "Jackson, from the document"),
          List.of("jacksonText", "Jackson, from the document's JSON"),
          List.of("handWrittenConverter", "a converter written by hand"),
          List.of(DIRECT, "direct mapping"),
          List.of("directMappingRecord", "the same, a Java record"),
          List.of("micronautSerde", "code that Micronaut generates at build time"),
          List.of("recordCodec", "the driver's codec of records"),
          List.of("rawByHand", "from the bytes, by hand"),
          List.of("oursByReader", "the driver's reader, by hand"),
          List.of(OURS, "**ours**"),
          List.of("oursProjected", "ours, of documents with the fields asked for only"));

  Chapter run() throws IOException, InterruptedException {
    Path found = work.resolve("jmh.json");
    List<String> arguments = new ArrayList<>(List.of("-rf", "json", "-rff", found.toString()));
    arguments.addAll(
        List.of(
            "-p", "documents=" + String.join(",", sizes.stream().map(String::valueOf).toList())));
    arguments.addAll(more);
    List<String> command = baseline.java(List.of(), "org.openjdk.jmh.Main", arguments);
    Path output = work.resolve("jmh.out");
    try (Subject jmh = Subject.start("jmh", command, Map.of(), 1, output)) {
      if (jmh.awaitEnd(END_WAIT) != 0 || !Files.exists(found)) {
        throw new IOException("JMH failed:\n" + jmh.lastOutput());
      }
    }
    return chapter(read(Files.readString(found)));
  }

  /**
   * Parses statements a second, by benchmark and number of documents.
   *
   * @param json the output of JMH
   */
  static Map<String, Map<Integer, Double>> read(String json) {
    Map<String, Map<Integer, Double>> scores = new TreeMap<>();
    for (JsonNode run : JsonMapper.shared().readTree(json)) {
      String name = run.path("benchmark").asString();
      scores
          .computeIfAbsent(name.substring(name.lastIndexOf('.') + 1), _ -> new TreeMap<>())
          .put(
              Integer.valueOf(run.path("params").path("documents").asString()),
              run.path("primaryMetric").path("score").asDouble());
    }
    return scores;
  }

  /** The table and the plot of the results. */
  static Chapter chapter(Map<String, Map<Integer, Double>> scores) {
    List<Integer> columns =
        scores.values().stream().flatMap(of -> of.keySet().stream()).distinct().sorted().toList();
    List<String> head = new ArrayList<>(List.of("statements/s"));
    columns.forEach(size -> head.add(size + " documents"));
    head.add("times the default, at " + columns.getLast());
    List<List<String>> rows = new ArrayList<>();
    List<BarChart.Bar> bars = new ArrayList<>();
    for (List<String> name : NAMES) {
      Map<Integer, Double> row = scores.get(name.get(0));
      if (row == null) {
        continue;
      }
      List<String> cells = new ArrayList<>(List.of(name.get(1)));
      columns.forEach(size -> cells.add(number(row.getOrDefault(size, Double.NaN))));
      cells.add(number(ratio(scores, name.get(0), DEFAULT, columns.getLast())));
      rows.add(cells);
      double last = row.getOrDefault(columns.getLast(), 0.0);
      bars.add(new BarChart.Bar(name.get(1).replace("*", ""), last, number(last) + "/s"));
    }
    return new Chapter(
        "ways",
        "From documents to sums",
        String.join(" | ", head),
        rows,
        List.of(
            verdict(scores, "ours to the default converter", DEFAULT, TO_DEFAULT),
            verdict(scores, "ours to direct mapping", DIRECT, TO_DIRECT)),
        List.of(
            "One thread; each way from the same BSON bytes to the same sums by day.",
            "\"ours\" reads whole documents as the others do; the last row is what the server asks"
                + " a database for."),
        List.of(
            new BarChart.Panel(
                "statements a second, " + columns.getLast() + " documents each", bars)));
  }

  private static Chapter.Verdict verdict(
      Map<String, Map<Integer, Double>> scores, String what, String to, double reach) {
    double ratio = ratio(scores, OURS, to, JUDGED);
    return new Chapter.Verdict(
        what + ", " + JUDGED + " documents",
        "at least " + reach + " times",
        Double.isNaN(ratio) ? "not measured" : number(ratio) + " times",
        ratio >= reach);
  }

  private static double ratio(
      Map<String, Map<Integer, Double>> scores, String of, String to, int size) {
    return scores.getOrDefault(of, Map.of()).getOrDefault(size, Double.NaN)
        / scores.getOrDefault(to, Map.of()).getOrDefault(size, Double.NaN);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
  }

  /**
   * The build of the baseline.
   *
   * @param folder {@code lab/baselines/statements}
   * @param serverJar the jar of this build's server, without its dependencies
   */
  record Baseline(Path folder, Path serverJar) {
    /** A Java command with the baseline's class path, in which this build comes last. */
    List<String> java(List<String> options, String main, List<String> arguments)
        throws IOException {
      if (!Files.isDirectory(folder.resolve("target/lib"))) {
        throw new IOException("not built: mvn -q -f lab/baselines/statements package");
      }
      String classPath =
          String.join(
              File.pathSeparator,
              folder.resolve("target/classes").toString(),
              folder.resolve("target/lib") + "/*",
              serverJar.toString());
      return Subject.java(options, List.of("-cp", classPath, main), arguments);
    }
  }
}
