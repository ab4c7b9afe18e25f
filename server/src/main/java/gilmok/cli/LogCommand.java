package gilmok.cli;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.log.LogReader;
import gilmok.log.LostRange;
import gilmok.log.Salvage;
import gilmok.log.Stream;
import gilmok.storage.FileDisk;
import gilmok.storage.UnusableFolderException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gilmok log}: inspects a data folder's log, even while a server runs on it. */
@Command(
    name = "log",
    description = "Inspect a data folder's log. A server may be running on it.",
    footer = {
      "",
      "Examples:",
      "  gilmok log ls",
      "  gilmok log show --stream quarantine",
      "  gilmok log verify"
    })
final class LogCommand extends CliCommand implements Callable<Integer> {
  private static final int CHUNK_CHARS = 1 << 16;
  private static final Pattern SEGMENT_NAME = Pattern.compile("0\\d{19}\\.log");

  @Override
  public Integer call() {
    throw verbMissing();
  }

  /** The folder of the log. */
  static final class Folder {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        defaultValue = "data",
        description = "The data folder (default: ./${DEFAULT-VALUE}).")
    Path data = Path.of("data");

    Path log() {
      Path log = data.resolve("log");
      if (!Files.isDirectory(log)) {
        throw new CommandFailure(data + " is no data folder (it has no log); name one with --data");
      }
      return log;
    }

    LogReader reader(long from) throws IOException {
      return LogReader.beside(new FileDisk(), log(), from);
    }
  }

  @Command(
      name = "ls",
      description = "List the segments: first sequence, records, bytes, time of the first record.",
      footer = {"", "Examples:", "  gilmok log ls"})
  void ls(@Mixin Folder folder) throws IOException {
    List<Segment> segments = segments(folder.log());
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("FILE", "FIRST", "RECORDS", "BYTES", "RECEIVED FROM"));
    for (int i = 0; i < segments.size(); i++) {
      Segment segment = segments.get(i);
      boolean last = i == segments.size() - 1;
      long end = last ? Long.MAX_VALUE : end(folder, segments.get(i + 1).first());
      rows.add(row(folder, segment, end));
    }
    Table.lines(rows).forEach(out()::println);
  }

  /** The options that say which records are shown. */
  static final class Chosen {
    @Option(
        names = "--from",
        paramLabel = "N",
        defaultValue = "1",
        description = "The first sequence (default: the log's first).")
    long from;

    @Option(
        names = "--to",
        paramLabel = "N",
        defaultValue = "9223372036854775807",
        description = "The last sequence (default: the log's last).")
    long to;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "9223372036854775807",
        description = "The maximum of records (default: all).")
    long limit;

    @Option(
        names = "--stream",
        split = ",",
        paramLabel = "STREAM",
        description = "Only these streams: traces, actions, logs, deliveries, quarantine, audit.")
    @Nullable List<String> streams;
  }

  @Command(
      name = "show",
      description = "Show records, one JSON object a line, which \"gilmok replay\" takes.",
      footer = {
        "",
        "Examples:",
        "  gilmok log show --stream traces,actions --from 1 --to 1000",
        "  gilmok log show --stream traces --limit 100 | gilmok replay -"
      })
  void show(@Mixin Chosen chosen, @Mixin Folder folder) throws IOException {
    show("show", chosen, folder);
  }

  @Command(name = "cat", hidden = true, description = "Show records, as show does.")
  void cat(@Mixin Chosen chosen, @Mixin Folder folder) throws IOException {
    show("cat", chosen, folder);
  }

  private void show(String verb, Chosen chosen, Folder folder) throws IOException {
    List<String> streams = chosen.streams;
    checkStreams(verb, streams);
    PrintWriter out = out();
    long left = chosen.limit;
    StringBuilder chunk = new StringBuilder(CHUNK_CHARS * 2);
    JsonBuffer json = new JsonBuffer();
    EventView view = new EventView();
    try (LogReader reader = folder.reader(chosen.from)) {
      while (left > 0
          && LogVerification.next(reader)
          && reader.sequence() <= chosen.to
          && !out.checkError()) {
        if (streams == null || streams.contains(reader.stream().label())) {
          write(reader, view, json);
          chunk.append(new String(json.bytes(), 0, json.size(), StandardCharsets.UTF_8));
          chunk.append('\n');
          left--;
        }
        if (chunk.length() >= CHUNK_CHARS) {
          out.print(chunk);
          chunk.setLength(0);
        }
      }
    } finally {
      out.print(chunk);
      out.flush();
    }
  }

  @Command(
      name = "verify",
      description = {
        "Check every record's checksum, and say whether all are sound; if one is damaged, file and"
            + " offset.",
        "",
        "Exit code: 0 if all are sound, else 1."
      },
      footer = {"", "Examples:", "  gilmok log verify --data data"})
  void verify(@Mixin Folder folder) throws IOException {
    try (ReadProgress progress = new ReadProgress(err())) {
      LogVerification.of(folder.log(), progress::read).lines().forEach(out()::println);
    }
  }

  @Command(
      name = "salvage",
      description = {
        "Copy the sound records of a damaged data folder into a new one, which can be served."
            + " Records keep their ids; missing ones are printed and counted as lost. The damaged"
            + " folder is only read. Stop its server first.",
        "",
        "Exit code: 0 if no record is missing, else 1."
      },
      footer = {"", "Examples:", "  gilmok log salvage --data data --to data-sound"})
  int salvage(
      @Option(
              names = "--to",
              paramLabel = "NEWDIR",
              required = true,
              description = "The new data folder, which must not exist yet.")
          Path target,
      @Mixin Folder folder)
      throws IOException {
    folder.log();
    Salvage.Result result;
    try {
      result = Salvage.run(folder.data, target, new SecureRandom());
    } catch (UnusableFolderException unusable) {
      throw new CommandFailure(Objects.requireNonNull(unusable.getMessage()));
    }
    SalvageReport.lines(result, target).forEach(out()::println);
    return result.isComplete() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /**
   * The end of a segment's sequences, exclusive: the first of those that are lost before the next
   * segment, else that next segment's first.
   */
  private static long end(Folder folder, long next) throws IOException {
    try (LogReader reader = folder.reader(next)) {
      LostRange lost =
          LogVerification.next(reader) && reader.sequence() == next ? reader.lostBefore() : null;
      return lost == null ? next : lost.from();
    }
  }

  private List<String> row(Folder folder, Segment segment, long end) throws IOException {
    String received = "-";
    long records = end == Long.MAX_VALUE ? 0 : end - segment.first();
    try (LogReader reader = folder.reader(segment.first())) {
      while (LogVerification.next(reader) && reader.sequence() < end) {
        if (received.equals("-")) {
          received = Instant.ofEpochMilli(reader.receivedAtMillis()).toString();
        }
        if (end != Long.MAX_VALUE) {
          break;
        }
        records++;
      }
    }
    return List.of(
        segment.name(),
        Long.toString(segment.first()),
        Long.toString(records),
        Long.toString(segment.bytes()),
        received);
  }

  private void checkStreams(String verb, @Nullable List<String> streams) {
    List<String> known = Arrays.stream(Stream.values()).map(Stream::label).toList();
    for (String stream : streams == null ? List.<String>of() : streams) {
      if (!known.contains(stream)) {
        throw wronglyAsked(verb, "--stream " + stream + " is none of " + String.join(", ", known));
      }
    }
  }

  /** A segment file in the log's folder, named for its first sequence. */
  private record Segment(String name, long first, long bytes) {
    static Segment of(Path file) {
      String name = file.getFileName().toString();
      // A segment that a running server deletes at this moment counts as empty.
      long bytes = file.toFile().length();
      return new Segment(name, Long.parseLong(name.substring(0, 20)), bytes);
    }
  }

  /** The segments of a log, the oldest first. */
  private static List<Segment> segments(Path log) throws IOException {
    try (java.util.stream.Stream<Path> files = Files.list(log)) {
      return files
          .filter(file -> SEGMENT_NAME.matcher(file.getFileName().toString()).matches())
          .map(Segment::of)
          .sorted(Comparator.comparingLong(Segment::first))
          .toList();
    }
  }

  /** Writes the reader's present record as it was sent, without a line end. */
  private static void write(LogReader reader, EventView view, JsonBuffer json) {
    LogVerification.check(reader, view);
    json.clear();
    json.ascii("{\"sequence\":").number(reader.sequence());
    json.ascii(",\"recordId\":\"" + reader.node() + ":").number(reader.sequence());
    json.ascii("\",\"stream\":\"" + reader.stream().label());
    json.ascii("\",\"receivedAt\":").time(reader.receivedAtMillis());
    json.ascii(",\"record\":");
    view.writeJson(json);
    if (view.isAheadOf(reader.receivedAtMillis())) {
      // Beside the record, so that the record can be replayed unchanged.
      json.ascii(",\"flags\":[\"clock\"]");
    }
    json.put('}');
  }
}
