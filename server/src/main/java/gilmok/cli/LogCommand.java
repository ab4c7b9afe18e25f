package gilmok.cli;

import gilmok.event.DamagedEvent;
import gilmok.log.DamagedLogException;
import gilmok.log.FileDisk;
import gilmok.log.LogReader;
import gilmok.log.SegmentInfo;
import gilmok.log.Stream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gilmok log}: looks into a data folder's log, also beside a running server. */
@Command(
    name = "log",
    description = "Look into a data folder's log, also beside a running server.",
    synopsisSubcommandLabel = "ls|cat|verify",
    footer = {
      "",
      "Examples:",
      "  gilmok log ls",
      "  gilmok log cat --from 1000 --limit 10",
      "  gilmok log cat --stream quarantine",
      "  gilmok log verify --data /var/lib/gilmok"
    })
final class LogCommand implements Runnable {
  private static final int DAMAGED = 1;

  @Spec @Nullable CommandSpec spec;
  @Mixin Help help = new Help();

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "Say ls, cat or verify");
  }

  /** Which folder. */
  static final class Where {
    @Option(
        names = "--data",
        paramLabel = "DIR",
        defaultValue = "data",
        description = "The server's data folder (default: ./${DEFAULT-VALUE}).")
    Path data = Path.of("data");

    Path log() {
      Path folder = data.resolve("log");
      if (!Files.isDirectory(folder)) {
        throw new Failure(
            "there is no log in " + data + ": name the server's data folder with --data");
      }
      return folder;
    }
  }

  @Command(
      name = "ls",
      description = "List the segments: which sequences, since when, how large.",
      footer = {"", "Example:", "  gilmok log ls"})
  void ls(@Mixin Help asked, @Mixin Where where) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SEGMENT", "FIRST", "LAST", "SINCE", "BYTES", "NODE"));
    for (SegmentInfo info : SegmentInfo.list(new FileDisk(), where.log())) {
      rows.add(
          List.of(
              info.fileName(),
              Long.toString(info.firstSequence()),
              info.lastSequence() == 0 ? "-" : Long.toString(info.lastSequence()),
              info.startMillis() == 0 ? "-" : Instant.ofEpochMilli(info.startMillis()).toString(),
              Long.toString(info.bytes()),
              info.node().toString()));
    }
    Table.lines(rows).forEach(out()::println);
  }

  @Command(
      name = "cat",
      description = "Print records, one JSON object a line.",
      footer = {
        "",
        "Examples:",
        "  gilmok log cat --from 1000 --limit 10",
        "  gilmok log cat --stream quarantine"
      })
  void cat(
      @Mixin Help asked,
      @Mixin Where where,
      @Option(
              names = "--from",
              paramLabel = "N",
              defaultValue = "1",
              description = "The first sequence (default: the oldest there is).")
          long from,
      @Option(names = "--limit", paramLabel = "N", description = "At most so many.")
          @Nullable Long limit,
      @Option(
              names = "--stream",
              paramLabel = "NAME",
              description = "Only traces, actions, logs, deliveries or quarantine.")
          @Nullable String stream)
      throws IOException {
    Stream only = stream == null ? null : stream(stream);
    long left = limit == null ? Long.MAX_VALUE : limit;
    RecordLines lines = new RecordLines(new FileOutputStream(FileDescriptor.out));
    try (LogReader reader = LogReader.beside(new FileDisk(), where.log(), from)) {
      while (left > 0 && reader.next()) {
        if (only == null || reader.stream() == only) {
          lines.write(reader);
          left--;
        }
      }
      lines.flush();
    } catch (DamagedLogException | DamagedEvent damaged) {
      lines.flush();
      throw new Failure(String.valueOf(damaged.getMessage()));
    } catch (IOException closed) {
      // Whoever read the lines, such as head, has had enough of them.
      if (!"Broken pipe".equals(closed.getMessage())) {
        throw closed;
      }
    }
  }

  @Command(
      name = "verify",
      description = "Read everything and check it; exit 1 names what is damaged.",
      footer = {"", "Example:", "  gilmok log verify"})
  int verify(@Mixin Help asked, @Mixin Where where) throws IOException {
    long[] counts = new long[Stream.QUARANTINE.code() + 1];
    long first = 0;
    long last = 0;
    long total = 0;
    RecordCheck check = new RecordCheck();
    ReadProgress progress = new ReadProgress(err());
    try (LogReader reader = LogReader.beside(new FileDisk(), where.log(), 1)) {
      while (reader.next()) {
        check.look(reader);
        counts[reader.stream().code()]++;
        first = first == 0 ? reader.sequence() : first;
        last = reader.sequence();
        total++;
        progress.read(total);
      }
    } catch (DamagedLogException | DamagedEvent damaged) {
      progress.end();
      err().println("gilmok: after sequence " + last + ": " + damaged.getMessage());
      return DAMAGED;
    }
    progress.end();
    out().println(total + " records, sequences " + first + " to " + last + ", all sound");
    for (Stream stream : Stream.values()) {
      out().printf("  %-12s %,d%n", stream.label(), counts[stream.code()]);
    }
    return 0;
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  private PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }

  private static Stream stream(String name) {
    return Arrays.stream(Stream.values())
        .filter(one -> one.label().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new Failure(
                    "no stream is called "
                        + name
                        + "; there are traces, actions, logs, deliveries and quarantine"));
  }
}
