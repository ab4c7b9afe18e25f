package gilmok.cli;

import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.Upload;
import gilmok.collect.format.Format;
import gilmok.collect.format.FormatDecoder;
import gilmok.collect.format.FormatFiles;
import gilmok.collect.format.ValueSource;
import gilmok.collect.json.RecordRule;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gilmok formats}: checks declared formats, without a server. */
@Command(
    name = "formats",
    description = "Check the declared formats of apps of your own (docs/formats.md).",
    footer = {
      "",
      "Examples:",
      "  gilmok formats check formats/rider-app.yaml",
      "  gilmok formats check formats/rider-app.yaml --sample body.json"
    })
final class FormatsCommand extends CliCommand implements Runnable {
  @Override
  public void run() {
    throw verbMissing();
  }

  @Command(
      name = "check",
      description = {
        "Say whether a declaration is valid, and what records a sample of what the app sends would"
            + " become, one JSON object a line; or what does not fit, and why. Nothing is sent.",
        "",
        "Exit code: 0 if all fits, 1 if a record of the sample does not, 2 if the declaration is"
            + " wrong."
      },
      footer = {
        "",
        "Examples:",
        "  gilmok formats check formats/rider-app.yaml --sample body.json",
        "  gilmok formats check formats/old.yaml --request '/agents/7/track?v=2' \\",
        "      --header X-Device=a1 --sample points.csv"
      })
  int check(
      @Parameters(paramLabel = "FILE", description = "The declaration.") Path file,
      @Option(
              names = "--sample",
              paramLabel = "BODY",
              description = "A file with a body as the app sends it.")
          @Nullable Path sample,
      @Option(
              names = "--request",
              paramLabel = "PATH",
              description = "The path and query that the app asks (default: the declared path).")
          @Nullable String request,
      @Option(
              names = "--header",
              paramLabel = "NAME=VALUE",
              description = "A header that the app sends. It can be repeated.")
          @Nullable List<String> headers)
      throws IOException {
    List<String> problems = new ArrayList<>();
    Format format = FormatFiles.read(file, problems);
    if (format == null) {
      problems.forEach(problem -> err().println("gilmok: " + file + ": " + problem));
      return 2;
    }
    out()
        .println(
            file
                + " is valid: "
                + format.method()
                + " "
                + format.path()
                + ", "
                + format.stream()
                + ", answered "
                + format.answer().status());
    boolean isForm = format.shape().content() == Format.Content.FORM;
    if (sample == null && (request == null || !isForm)) {
      return 0;
    }
    Beside beside = Beside.of(format, request == null ? format.path() : request, headers);
    byte[] body = sample == null ? beside.query.getBytes(StandardCharsets.UTF_8) : read(sample);
    return show(format, beside, body);
  }

  private byte[] read(Path sample) throws IOException {
    if (!Files.isRegularFile(sample) || !Files.isReadable(sample)) {
      throw new CommandFailure("--sample " + sample + " cannot be read");
    }
    return Files.readAllBytes(sample);
  }

  private int show(Format format, Beside beside, byte[] body) {
    FormatDecoder decoder = new FormatDecoder(format);
    DialectEvent event = new DialectEvent();
    Events events = new Events();
    event.upload(events, device -> device);
    decoder.begin(beside::value, RecordRule.NONE);
    decoder.decode(new Upload(body, 0, body.length, null, null, System.currentTimeMillis()), event);
    EventView view = new EventView();
    PrintWriter out = out();
    for (int i = 0; i < events.count(); i++) {
      JsonBuffer json = new JsonBuffer();
      view.wrap(events.bytes(), events.offset(i), events.length(i)).writeJson(json);
      out.println(json);
    }
    for (int i = 0; i < events.rejectCount(); i++) {
      String field = events.rejectField(i);
      err()
          .println(
              "gilmok: record "
                  + events.rejectIndex(i)
                  + ": "
                  + (field.isEmpty() ? "" : field + ": ")
                  + events.rejectReason(i)
                  + "; it would be quarantined: "
                  + cut(body, events.rejectStart(i), events.rejectEnd(i)));
    }
    out.println(
        String.format(
            Locale.ROOT, "%,d records, %,d that do not fit", events.count(), events.rejectCount()));
    return events.rejectCount() == 0 ? 0 : 1;
  }

  private static String cut(byte[] body, int start, int end) {
    int most = 120;
    String text = new String(body, start, Math.min(most, end - start), StandardCharsets.UTF_8);
    return text.replaceAll("\\s+", " ") + (end - start > most ? "…" : "");
  }

  /** What stands beside the sample: the path's segments, the query, the headers. */
  private record Beside(
      Map<String, String> segments,
      Map<String, String> parameters,
      Map<String, String> headers,
      String query) {
    static Beside of(Format format, String request, @Nullable List<String> headers) {
      URI uri = URI.create(request.replace("{", "%7B").replace("}", "%7D"));
      String[] declared = format.path().split("/");
      String[] asked = uri.getPath().split("/");
      if (declared.length != asked.length) {
        throw new CommandFailure("--request " + request + " is not a " + format.path());
      }
      Map<String, String> segments = new HashMap<>();
      for (int i = 0; i < asked.length; i++) {
        if (declared[i].startsWith("{")) {
          segments.put(declared[i].substring(1, declared[i].length() - 1), asked[i]);
        }
      }
      Map<String, String> parameters = new HashMap<>();
      String query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
      for (String one : query.split("&")) {
        int equals = one.indexOf('=');
        if (equals > 0) {
          parameters.putIfAbsent(
              URLDecoder.decode(one.substring(0, equals), StandardCharsets.UTF_8),
              URLDecoder.decode(one.substring(equals + 1), StandardCharsets.UTF_8));
        }
      }
      Map<String, String> sent = new HashMap<>();
      for (String one : headers == null ? List.<String>of() : headers) {
        int equals = one.indexOf('=');
        if (equals < 1) {
          throw new CommandFailure("--header " + one + " is not NAME=VALUE");
        }
        sent.put(one.substring(0, equals).toLowerCase(Locale.ROOT), one.substring(equals + 1));
      }
      return new Beside(segments, parameters, sent, query);
    }

    @Nullable String value(ValueSource source) {
      return switch (source) {
        case ValueSource.Header(String name) -> headers.get(name.toLowerCase(Locale.ROOT));
        case ValueSource.Query(String name) -> parameters.get(name);
        case ValueSource.Segment(String name) -> segments.get(name);
        default -> null;
      };
    }
  }
}
