package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;

/** Promise 7: a load of refusals creates not one throwable. Flight Recorder counts them. */
final class CheapRefusalIT extends DeliveryRig {
  private static final List<String> COUNTED =
      List.of("jdk.JavaExceptionThrow", "jdk.JavaErrorThrow");
  private static final int ROUNDS = 50;

  @Override
  String[] settings() {
    return new String[] {"http.event-loops=2"};
  }

  @Test
  void refusals_createNoThrowable() throws Exception {
    String id = created(order("1"));
    String shop = server.key("{\"name\":\"s\",\"scopes\":[\"read\",\"operate\"],\"shop\":\"x\"}");
    call("POST", "/v1/deliveries", order("2"), "Idempotency-Key", "k");
    refuseAll(id, shop); // Classes are loaded and linked, which throws and catches.
    List<Throwable> control = new ArrayList<>();
    Map<String, Integer> created = new TreeMap<>();
    try (Recording recording = new Recording()) {
      COUNTED.forEach(event -> recording.enable(event).withStackTrace().withoutThreshold());
      recording.start();
      for (int i = 0; i < ROUNDS; i++) {
        refuseAll(id, shop);
      }
      Thread.ofPlatform()
          .name("control")
          .start(() -> control.add(new IllegalStateException("counted")))
          .join();
      recording.stop();
      Path file = data.resolve("throwables.jfr");
      recording.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        // What the recorder throws at itself when it meets a kind of event for the first time.
        if (!String.valueOf(event.getString("message")).startsWith("jdk.jfr.")) {
          created.merge(where(event), 1, Integer::sum);
        }
      }
    }
    assertThat(created.remove("control java.lang.IllegalStateException")).isEqualTo(1);
    // The client is in this process, too, and what it does is not the server's.
    created
        .keySet()
        .removeIf(where -> where.startsWith("HttpClient-") || where.startsWith("main "));
    assertThat(created).isEmpty();
    assertThat(server.metric("gilmok_deliveries_steps_total{outcome=\"state\",step=\"complete\"}"))
        .isEqualTo(ROUNDS + 1);
  }

  private static String where(RecordedEvent event) {
    String thread =
        event.getThread() == null ? "?" : String.valueOf(event.getThread().getJavaName());
    RecordedClass thrown = event.getValue("thrownClass");
    return thread + " " + thrown.getName();
  }

  private void refuseAll(String id, String shop) throws Exception {
    assertThat(step(id, "complete", "").status()).isEqualTo(409);
    assertThat(step(id, "accept", "", "If-Match", "7").status()).isEqualTo(409);
    assertThat(step(id, "accept", "", "If-Match", "x").status()).isEqualTo(400);
    assertThat(step(id, "assign", "{\"riderId\":7}").status()).isEqualTo(400);
    assertThat(step(id, "accept", "{\"agencyId\":").status()).isEqualTo(400);
    assertThat(step(id.substring(0, 20) + "zzzzzz", "accept", "").status()).isEqualTo(404);
    assertThat(step("x", "accept", "").status()).isEqualTo(404);
    String crooked = "{\"start\":0,\"orders\":[],\"matrix\":[[0,1],[1]]}";
    assertThat(call("POST", "/v1/run-sheets", crooked).status()).isEqualTo(400);
    assertThat(callWith(shop, "POST", "/v1/deliveries/" + id + "/cancel", "").status())
        .isEqualTo(403);
    assertThat(callWith(shop, "GET", "/v1/deliveries/" + id, "").status()).isEqualTo(403);
    assertThat(callWith("gk_no_key", "GET", "/v1/deliveries/" + id, "").status()).isEqualTo(401);
    assertThat(call("POST", "/v1/deliveries", order("1")).status()).isEqualTo(409);
    assertThat(call("POST", "/v1/deliveries", order("3"), "Idempotency-Key", "k").status())
        .isEqualTo(422);
    assertThat(call("POST", "/v1/deliveries", "[{}]").status()).isEqualTo(200);
    assertThat(call("POST", "/v1/deliveries", "{\"fee\":\"x\"}").status()).isEqualTo(400);
    assertThat(call("GET", "/v1/deliveries?from=now", "").status()).isEqualTo(400);
    assertThat(call("GET", "/v1/deliveries/" + id.substring(0, 20) + "zzzzzz", "").status())
        .isEqualTo(404);
  }
}
