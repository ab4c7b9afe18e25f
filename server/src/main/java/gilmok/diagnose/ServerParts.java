package gilmok.diagnose;

import gilmok.event.JsonBuffer;
import gilmok.log.Log;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What the server itself knows: version, settings, readiness, metrics and its log. Stateless. */
public final class ServerParts {
  private ServerParts() {}

  /**
   * The files of this server.
   *
   * @param settings the settings in force, secrets masked
   */
  public static List<DiagnosisPart> of(
      String version,
      Supplier<Map<String, String>> settings,
      Readiness readiness,
      Meters meters,
      Log log) {
    return List.of(
        new DiagnosisPart("version.txt", out -> text(out, version + "\n")),
        new DiagnosisPart("settings.txt", out -> settings(out, settings.get())),
        new DiagnosisPart("readiness.txt", out -> readiness(out, readiness)),
        new DiagnosisPart("metrics.txt", out -> out.write(meters.scrape())),
        new DiagnosisPart("log.json", out -> out.write(log(log))));
  }

  private static void text(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void settings(OutputStream out, Map<String, String> all) throws IOException {
    for (Map.Entry<String, String> one : all.entrySet()) {
      text(out, one.getKey() + "=" + one.getValue() + "\n");
    }
  }

  private static void readiness(OutputStream out, Readiness readiness) throws IOException {
    text(out, readiness.ready() ? "ready\n" : "not ready\n");
    for (Map.Entry<String, Readiness.Lack> one : readiness.missing().entrySet()) {
      text(out, one.getKey() + ": " + one.getValue().reason() + "\n");
    }
  }

  private static byte[] log(Log log) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"node\":").string(log.node().toString());
    out.ascii(",\"oldestSequence\":").number(log.oldestSequence());
    out.ascii(",\"durableSequence\":").number(log.durable());
    out.ascii(",\"segments\":").number(log.segments());
    out.ascii(",\"bytes\":").number(log.bytes());
    out.ascii(",\"bytesMax\":").number(log.bytesMax());
    out.ascii(",\"queueBytes\":").number(log.queueBytes());
    out.ascii(",\"failed\":").ascii(Boolean.toString(log.isFailed()));
    out.ascii(",\"shortOfRoom\":").ascii(Boolean.toString(log.isShortOfRoom()));
    out.ascii(",\"cursors\":")
        .list(
            log.cursors(),
            (name, to) -> {
              to.ascii("{\"name\":").string(name);
              to.ascii(",\"sequence\":").number(log.sequenceOf(name)).put('}');
            });
    return out.put('}').copy();
  }
}
