package gilmok.cli;

import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.Upload;
import gilmok.collect.format.Format;
import gilmok.collect.format.FormatDecoder;
import gilmok.collect.format.FormatFiles;
import gilmok.collect.json.RecordRule;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.storage.FileDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gilmok compare}: what a data folder has against an export of another system. */
@Command(
    name = "compare",
    description = {
      "Compare what was collected here with an export of another system: what is missing here, what"
          + " only we have, what differs. The export is a declared format (docs/formats.md) of the"
          + " content lines or csv. Records are the same if rider and time are, and an action's"
          + " type; they differ in their place, delivery or message. A server may be running on the"
          + " folder.",
      "",
      "Exit code: 0 if all of theirs could be read and compared, nothing is missing and nothing"
          + " differs; else 1."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok compare export.ndjson --format theirs.yaml \\",
      "      --from 2026-11-26T00:00:00Z --to 2026-11-27T00:00:00Z"
    })
final class CompareCommand extends CliCommand implements Callable<Integer> {
  private static final int BATCH_LINES = 1_000;
  private static final int SHOWN_MAX = 20;

  @Parameters(paramLabel = "EXPORT", description = "The other system's records.")
  private Path export = Path.of("");

  @Option(
      names = "--format",
      required = true,
      paramLabel = "FILE",
      description = "The declaration of the export's format.")
  private Path declared = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "The data folder (default: ./${DEFAULT-VALUE}).")
  private Path data = Path.of("data");

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Only records of that time or later.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Only records before that time.")
  private @Nullable String to;

  @Option(
      names = "--metres",
      paramLabel = "M",
      defaultValue = "1",
      description = "So far apart two places are still the same (default: ${DEFAULT-VALUE}).")
  private double metres;

  private long fromMillis = Long.MIN_VALUE;
  private long toMillis = Long.MAX_VALUE;
  private long unreadable;

  @Override
  public Integer call() throws IOException {
    fromMillis = from == null ? fromMillis : millis("--from", from);
    toMillis = to == null ? toMillis : millis("--to", to);
    if (fromMillis >= toMillis) {
      throw wronglyAsked("--from is not before --to");
    }
    if (!(metres >= 0)) {
      throw wronglyAsked("--metres " + metres + " is no distance");
    }
    List<String> problems = new ArrayList<>();
    Format format = FormatFiles.read(declared, problems);
    if (format == null) {
      problems.forEach(problem -> err().println("gilmok: " + declared + ": " + problem));
      return 2;
    }
    Set<Format.Content> byLine = Set.of(Format.Content.LINES, Format.Content.CSV);
    if (!byLine.contains(format.shape().content())) {
      throw new CommandFailure(declared + ": an export needs the content lines or csv");
    }
    CompareTable table = new CompareTable();
    readTheirs(format, table);
    Counts counts = readOurs(format, table);
    return show(table, counts);
  }

  private static long millis(String option, String time) {
    try {
      return Instant.parse(time).toEpochMilli();
    } catch (DateTimeException wrong) {
      throw new CommandFailure(option + " " + time + " is no time, as 2026-11-26T00:00:00Z is");
    }
  }

  private boolean isWanted(EventView event) {
    return event.at() >= fromMillis && event.at() < toMillis;
  }

  private void readTheirs(Format format, CompareTable table) throws IOException {
    FormatDecoder decoder = new FormatDecoder(format);
    boolean hasHead =
        format.shape().content() == Format.Content.CSV && format.shape().columns().isEmpty();
    try (TextFile file = TextFile.open(export.toString(), "records, as lines or CSV");
        ReadProgress progress = new ReadProgress(err())) {
      BufferedReader reader = file.reader();
      String head = hasHead ? reader.readLine() + "\n" : "";
      int number = hasHead ? 1 : 0;
      StringBuilder batch = new StringBuilder(head);
      List<Integer> numbers = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        number++;
        if (!line.isBlank()) {
          batch.append(line).append('\n');
          numbers.add(number);
        }
        if (numbers.size() == BATCH_LINES) {
          addAll(decoder, batch, numbers, table);
          numbers.clear();
          batch.setLength(head.length());
          progress.read(number);
        }
      }
      addAll(decoder, batch, numbers, table);
    } catch (IOException broken) {
      throw TextFile.explained(broken);
    }
  }

  /** Adds lines, whose numbers in the export those are. */
  private void addAll(
      FormatDecoder decoder, StringBuilder batch, List<Integer> numbers, CompareTable table) {
    if (numbers.isEmpty()) {
      return;
    }
    Events events = new Events();
    DialectEvent out = new DialectEvent();
    out.upload(events, device -> device);
    byte[] bytes = batch.toString().getBytes(StandardCharsets.UTF_8);
    decoder.begin(_ -> null, RecordRule.NONE);
    decoder.decode(new Upload(bytes, 0, bytes.length, null, null, 0), out);
    EventView view = new EventView();
    for (int i = 0; i < events.count(); i++) {
      view.wrap(events.bytes(), events.offset(i), events.length(i));
      if (isWanted(view) && !table.add(view, numbers.get(events.index(i)))) {
        throw new CommandFailure(
            "more than %,d records: give --from and --to".formatted(CompareTable.RECORDS_MAX));
      }
    }
    for (int i = 0; i < events.rejectCount(); i++) {
      if (unreadable++ < SHOWN_MAX) {
        String field = events.rejectField(i);
        err()
            .println(
                "gilmok: line "
                    + numbers.get(events.rejectIndex(i))
                    + ": "
                    + (field.isEmpty() ? "" : field + ": ")
                    + events.rejectReason(i));
      }
    }
  }

  /** What was found in our log. */
  private static final class Counts {
    private long ours;
    private long extra;
    private final List<String> shown = new ArrayList<>();
  }

  private Counts readOurs(Format format, CompareTable table) throws IOException {
    Path log = data.resolve("log");
    if (!Files.isDirectory(log)) {
      throw new CommandFailure(data + " is no data folder (it has no log); name one with --data");
    }
    Stream stream =
        switch (format.kind()) {
          case POSITION -> Stream.TRACES;
          case ACTION -> Stream.ACTIONS;
          default -> Stream.LOGS;
        };
    Counts counts = new Counts();
    EventView view = new EventView();
    try (LogReader reader = LogReader.beside(new FileDisk(), log, 1);
        ReadProgress progress = new ReadProgress(err())) {
      while (reader.next()) {
        if (reader.stream() == stream) {
          view.wrap(reader.bytes(), reader.offset(), reader.length());
          if (isWanted(view)) {
            counts.ours++;
            if (table.find(view, metres) == CompareTable.Match.NONE) {
              extra(view, counts);
            }
          }
        }
        progress.read(reader.sequence());
      }
    }
    return counts;
  }

  private static void extra(EventView view, Counts counts) {
    if (counts.extra++ < SHOWN_MAX) {
      JsonBuffer json = new JsonBuffer();
      view.writeJson(json);
      counts.shown.add(json.toString());
    }
  }

  private int show(CompareTable table, Counts counts) throws IOException {
    PrintWriter out = out();
    long missing = table.missing();
    long differing = table.differing();
    out.println("theirs      %,12d".formatted(table.size()));
    out.println("ours        %,12d".formatted(counts.ours));
    out.println("same        %,12d".formatted(table.same()));
    out.println("missing     %,12d  theirs alone".formatted(missing));
    out.println("extra       %,12d  ours alone".formatted(counts.extra));
    out.println("differing   %,12d".formatted(differing));
    out.println(
        "repeated    %,12d  theirs, with the rider and time of one before"
            .formatted(table.repeats()));
    out.println(
        "conflicting %,12d  of these, with another place or delivery than the first"
            .formatted(table.conflicts()));
    out.println(
        "unreadable  %,12d  lines of theirs that do not fit the format".formatted(unreadable));
    showLines("missing", table.lines(true, SHOWN_MAX));
    showLines("differing", table.lines(false, SHOWN_MAX));
    counts.shown.forEach(one -> out.println("extra: " + one));
    if (table.size() == 0) {
      err().println("gilmok: the export has no record of that time: nothing was compared");
    }
    boolean isAlike = missing == 0 && differing == 0 && table.conflicts() == 0;
    return isAlike && unreadable == 0 && table.size() > 0 ? 0 : 1;
  }

  private void showLines(String what, int[] lines) throws IOException {
    if (lines.length == 0) {
      return;
    }
    int last = lines[lines.length - 1];
    try (TextFile file = TextFile.open(export.toString(), "records, as lines or CSV")) {
      BufferedReader reader = file.reader();
      for (int line = 1; line <= last; line++) {
        String text = reader.readLine();
        if (Arrays.binarySearch(lines, line) >= 0) {
          out().println(what + ", line " + line + ": " + text);
        }
      }
    }
  }
}
