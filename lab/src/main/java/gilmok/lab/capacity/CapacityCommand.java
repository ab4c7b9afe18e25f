package gilmok.lab.capacity;

import gilmok.lab.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab capacity}: measures the whole table and writes it as a page with a plot. Exits with 0
 * when all was reached, 1 when something was missed.
 */
@Command(
    name = "capacity",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures what the server is to reach, beside what it is compared with.")
public final class CapacityCommand implements Callable<Integer> {
  private static final String SERVER_ARGUMENTS = "--set log.retention=10s";

  @Option(
      names = "--only",
      split = ",",
      description = "some of: ${COMPLETION-CANDIDATES}; all unless given")
  private @Nullable Set<CapacityRun.Part> only;

  @Option(names = "--seconds", defaultValue = "20", description = "a measurement: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(names = "--warmup", defaultValue = "20", description = "a server: ${DEFAULT-VALUE}")
  private int warmup;

  @Option(names = "--webflux-warmup", defaultValue = "120", description = "${DEFAULT-VALUE}")
  private int webfluxWarmup;

  @Option(names = "--rounds", defaultValue = "3", description = "${DEFAULT-VALUE}")
  private int rounds;

  @Option(names = "--heap", defaultValue = "512m", description = "${DEFAULT-VALUE}")
  private String heap = "";

  @Option(
      names = "--server-args",
      defaultValue = SERVER_ARGUMENTS,
      description = "more arguments of serve, in one word: \"${DEFAULT-VALUE}\"")
  private String serverArguments = "";

  @Option(names = "--load-threads", defaultValue = "1", description = "${DEFAULT-VALUE}")
  private int loadThreads;

  @Option(names = "--server-jar", description = "server/target/gilmok-all.jar")
  private @Nullable Path serverJar;

  @Option(names = "--webflux-jar", description = "lab/baselines/webflux/target/webflux.jar")
  private @Nullable Path webfluxJar;

  @Option(names = "--port", defaultValue = "18200", description = "the first: ${DEFAULT-VALUE}")
  private int port;

  @Option(names = "--work", description = "where data folders go; else a temporary folder")
  private @Nullable Path work;

  @Option(names = "--out", description = "where the page goes; lab/results")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path labJar = ownJar();
    Path root = labJar.toAbsolutePath().resolve("../../..").normalize();
    Bench.Setup setup =
        new Bench.Setup(
            serverJar == null ? root.resolve("server/target/gilmok-all.jar") : serverJar,
            labJar,
            webfluxJar == null
                ? root.resolve("lab/baselines/webflux/target/webflux.jar")
                : webfluxJar,
            heap,
            List.of(serverArguments.trim().split("\\s+")),
            loadThreads,
            port);
    Set<CapacityRun.Part> parts = only == null ? EnumSet.allOf(CapacityRun.Part.class) : only;
    Path folder = ScratchFolder.create(work, "capacity-");
    String machine = Machine.describe();
    try {
      Bench bench = new Bench(setup, folder, System.err::println);
      CapacityRun.Times times =
          new CapacityRun.Times(seconds, warmup, webfluxWarmup, Math.max(1, rounds));
      List<Finding> findings = new CapacityRun(bench, times, parts, System.err::println).run();
      write(out == null ? root.resolve("lab/results") : out, machine, parts, findings);
      return findings.stream().allMatch(Finding::passed) ? 0 : 1;
    } finally {
      ScratchFolder.delete(folder);
    }
  }

  private static Path ownJar() throws IOException {
    Path jar = Path.of(System.getProperty("java.class.path"));
    if (!Files.isRegularFile(jar)) {
      throw new IOException("lab capacity runs from gilmok-lab-all.jar only");
    }
    return jar;
  }

  private void write(
      Path folder, String machine, Set<CapacityRun.Part> parts, List<Finding> findings)
      throws IOException {
    Files.createDirectories(folder);
    String stamp =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").format(LocalDateTime.now(ZoneOffset.UTC));
    String name = "capacity-" + stamp;
    String command =
        String.format(
            "lab capacity --only %s --seconds %d --warmup %d --webflux-warmup %d --rounds %d"
                + " --heap %s --server-args \"%s\"",
            String.join(",", parts.stream().map(CapacityRun.Part::name).toList()),
            seconds,
            warmup,
            webfluxWarmup,
            rounds,
            heap,
            serverArguments);
    String page = CapacityPage.render(machine, command, name + ".svg", findings);
    Files.writeString(folder.resolve(name + ".md"), page);
    Files.writeString(folder.resolve(name + ".svg"), BarChart.render(panels(findings)));
    System.out.println(page);
    System.out.println("written to " + folder.resolve(name + ".md"));
  }

  private static List<BarChart.Panel> panels(List<Finding> findings) {
    List<BarChart.Bar> rates = new ArrayList<>();
    List<BarChart.Bar> latencies = new ArrayList<>();
    for (Finding finding : findings) {
      Map<String, List<Measurement>> bySubject = new LinkedHashMap<>();
      for (Measurement round : finding.rounds()) {
        bySubject.computeIfAbsent(round.subject(), s -> new ArrayList<>()).add(round);
      }
      if (finding.what().startsWith("memory")) {
        continue;
      }
      bySubject.forEach(
          (subject, measured) -> {
            Measurement median = Measurement.median(measured);
            String label = shortened(finding.what()) + ": " + subject;
            double rate = median.requestsPerSecond();
            rates.add(new BarChart.Bar(label, rate, String.format("%,.0f/s", rate)));
            latencies.add(
                new BarChart.Bar(label, median.p99(), String.format("%.2f ms", median.p99())));
          });
    }
    return List.of(
        new BarChart.Panel("requests a second (median round)", rates),
        new BarChart.Panel("p99 in milliseconds (median round)", latencies));
  }

  private static String shortened(String words) {
    return words.length() <= 40 ? words : words.substring(0, 39) + "…";
  }
}
