package gilmok.diagnose;

import gilmok.auth.Scope;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.ReplyStream;
import gilmok.http.Route;
import gilmok.http.StreamOutput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/diagnose}: everything that the server knows about itself, as a ZIP archive. One
 * at a time; a second one is refused as {@code busy}.
 */
public final class DiagnoseRoutes {
  private static final Logger LOG = System.getLogger("gilmok.diagnose");
  private static final int SECONDS_USUAL = 30;
  private static final int SECONDS_MAX = 300;
  private static final int PIECE_BYTES = 64 << 10;

  private final List<DiagnosisPart> parts;
  private final JvmParts jvm;
  private final Offload offload;

  /**
   * The route.
   *
   * @param parts the server's own files, which come first
   * @param data the data folder, where the JVM makes its files
   */
  public DiagnoseRoutes(List<DiagnosisPart> parts, Path data, Offloads offloads) {
    this.parts = List.copyOf(parts);
    jvm = new JvmParts(data);
    offload = offloads.of("diagnose", "no diagnosis can be made", 1, null);
  }

  /** The one route. */
  public List<Route> routes() {
    return List.of(
        new Route(
                "POST",
                "/v1/diagnose",
                Scope.ADMIN,
                OwnershipRule.UNBOUND_ONLY,
                Priority.ALWAYS,
                0,
                this::diagnose)
            .queriedBy("seconds", "heap"));
  }

  private void diagnose(Exchange exchange) {
    Integer seconds = seconds(exchange.query("seconds"));
    String heap = exchange.query("heap");
    if (seconds == null) {
      exchange.refuse(Refusal.INVALID, "seconds", "not a whole number from 0 to " + SECONDS_MAX);
      return;
    }
    if (heap != null && !heap.equals("true") && !heap.equals("false")) {
      exchange.refuse(Refusal.INVALID, "heap", "must be true or false");
      return;
    }
    boolean hasHeap = "true".equals(heap);
    String key = exchange.principal().keyId();
    List<DiagnosisPart> all = new ArrayList<>(parts);
    all.add(MachineParts.part());
    all.addAll(jvm.parts(Duration.ofSeconds(seconds), hasHeap));
    offload.stream(
        exchange,
        "application/zip",
        reply -> {
          LOG.log(
              Level.INFO,
              "a diagnosis is made for the key {0}: {1} s of recording, {2} heap",
              key,
              seconds,
              hasHeap ? "the" : "no");
          return write(new Diagnosis(all), reply);
        });
  }

  private static @Nullable Integer seconds(@Nullable String text) {
    if (text == null) {
      return SECONDS_USUAL;
    }
    int seconds = text.matches("\\d{1,3}") ? Integer.parseInt(text) : SECONDS_MAX + 1;
    return seconds <= SECONDS_MAX ? seconds : null;
  }

  private static boolean write(Diagnosis diagnosis, ReplyStream reply)
      throws IOException, InterruptedException {
    try (OutputStream out = new BufferedOutputStream(new StreamOutput(reply), PIECE_BYTES)) {
      diagnosis.write(out);
      return true;
    } catch (StreamOutput.ClientGoneException _) {
      return false;
    }
  }
}
