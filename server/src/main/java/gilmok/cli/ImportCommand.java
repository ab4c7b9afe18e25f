package gilmok.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gilmok import}: brings what another system, or another server, has kept. */
@Command(
    name = "import",
    description = {
      "Bring what another system has kept, or \"gilmok export\" has written, from files of JSON"
          + " objects, one a line, or CSV (also .gz), or from a MongoDB collection. KIND is"
          + " deliveries, statement-entries, mission-progress, positions, or any other that export"
          + " writes; with \"all\", FILE is the folder of an export.",
      "",
      "Without --format the records are in our own form (docs/transfer.md); a CSV file names our"
          + " fields in its first row. What is there already stays as it is, so an import can be"
          + " repeated; one that was interrupted goes on where it was. What is not taken is written"
          + " to a file, with field and reason. Nobody is told of deliveries of the past.",
      "",
      "Exit code: 0 if the server has all records as they are in the source, else 1."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok import deliveries old.csv --format deliveries.yaml",
      "  gilmok import statement-entries --format pay.yaml \\",
      "      --from-mongo mongodb://127.0.0.1:27017/pay --collection payouts",
      "  gilmok import all ours --url http://127.0.0.1:8081"
    })
final class ImportCommand extends CliCommand implements Callable<Integer> {
  private static final int INTERRUPTED = 130;

  @Parameters(index = "0", paramLabel = "KIND", description = "What the records are.")
  private String kind = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "The files; - for standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "DECL",
      description =
          "How the records are declared: a file as docs/transfer.md shows, or for positions,"
              + " actions and logs the format of the app that sends them (docs/formats.md).")
  private @Nullable Path format;

  @Option(
      names = "--from-mongo",
      paramLabel = "URI",
      description = "Read a collection of this MongoDB, whose database the URI names.")
  private @Nullable String mongo;

  @Option(names = "--collection", paramLabel = "NAME", description = "The collection.")
  private @Nullable String collection;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Most records a second (default: as fast as the server takes them; while it is busy with"
              + " others it is left alone half of the time and more).")
  private int rate;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Where to write what is not taken (default: the file's name and .rejected.ndjson).")
  private @Nullable Path rejects;

  @Option(
      names = "--again",
      description = "Begin anew where an import was interrupted; what is there stays.")
  private boolean isAgain;

  @Option(
      names = "--patience",
      paramLabel = "SPAN",
      converter = DurationOption.class,
      defaultValue = "10m",
      description =
          "How long a batch is retried while the server is busy or away (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration patience = Duration.ZERO;

  @Mixin private Access access = new Access();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rate < 0) {
      throw wronglyAsked("--rate " + rate + " is below 0");
    }
    if ((mongo == null) != (collection == null)) {
      throw wronglyAsked("--from-mongo and --collection belong together");
    }
    if (mongo == null && files.isEmpty()) {
      throw wronglyAsked("Name a file, or a collection with --from-mongo and --collection");
    }
    if (mongo != null && !files.isEmpty()) {
      throw wronglyAsked("Name files or a collection, not both");
    }
    requireOwnRejects();
    String dataset = kind.equals("positions") ? "traces" : kind;
    boolean isWhole = true;
    try (ImportRun run =
        new ImportRun(access.target(), new ImportPace(rate), patience, isAgain, out(), err())) {
      for (Job job : jobs(dataset)) {
        try (ImportSource source = job.source()) {
          isWhole &= run.run(job.dataset, source, job.state, job.rejects, job.known);
        }
        if (run.isStopped()) {
          return INTERRUPTED;
        }
      }
    }
    return isWhole ? 0 : 1;
  }

  /** What is not taken must not be written over what is read. */
  private void requireOwnRejects() throws IOException {
    if (rejects == null) {
      return;
    }
    for (String file : files) {
      if (Files.exists(rejects)
          && Files.exists(Path.of(file))
          && Files.isSameFile(rejects, Path.of(file))) {
        throw wronglyAsked("--rejects " + rejects + " is read, too: name another file");
      }
    }
    Path folder = rejects.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw wronglyAsked("--rejects " + rejects + ": there is no folder " + folder);
    }
  }

  /**
   * One source to read.
   *
   * @param state the file of how far it is; null for standard input, which cannot be read again
   * @param known what a manifest says of it; null if there is none
   */
  private record Job(
      String dataset,
      String name,
      @Nullable Path state,
      Path rejects,
      ExportManifest.@Nullable Entry known,
      ImportSources sources) {
    ImportSource source() throws IOException {
      return sources.open(dataset, name);
    }
  }

  private List<Job> jobs(String dataset) {
    ImportSources sources = new ImportSources(format, mongo, collection);
    List<Job> jobs = new ArrayList<>();
    if (dataset.equals("all") && mongo == null) {
      files.forEach(folder -> addAll(Path.of(folder), sources, jobs));
    } else if (!ImportTargets.ALL.contains(dataset)) {
      throw wronglyAsked(
          kind
              + " is none of positions, "
              + String.join(", ", ImportTargets.ALL)
              + (mongo == null ? ", all" : "; all is of files"));
    } else if (mongo != null) {
      Path beside = rejects == null ? Path.of(collection + ".rejected.ndjson") : rejects;
      Path state = beside.resolveSibling(collection + ".import");
      jobs.add(new Job(dataset, mongo, state, beside, null, sources));
    } else {
      for (String file : files) {
        jobs.add(job(dataset, file, sources));
      }
    }
    return jobs;
  }

  private void addAll(Path folder, ImportSources sources, List<Job> jobs) {
    Path manifest = folder.resolve(ExportManifest.NAME);
    if (!Files.isRegularFile(manifest)) {
      throw new CommandFailure(folder + " has no " + ExportManifest.NAME + " of an export");
    }
    List<ExportManifest.Entry> entries = ExportManifest.read(manifest).entries();
    for (String name : ImportTargets.ALL) {
      for (ExportManifest.Entry entry : entries) {
        if (entry.dataset().equals(name)) {
          jobs.add(job(name, folder.resolve(entry.file()).toString(), sources));
        }
      }
    }
  }

  private Job job(String dataset, String file, ImportSources sources) {
    String usual = (file.equals("-") ? dataset : file) + ".rejected.ndjson";
    Path beside = rejects == null ? Path.of(usual) : rejects;
    boolean isOurs = format == null && !file.equals("-");
    Path state = file.equals("-") ? null : Path.of(file + ".import");
    return new Job(
        dataset, file, state, beside, isOurs ? ExportManifest.of(Path.of(file)) : null, sources);
  }
}
