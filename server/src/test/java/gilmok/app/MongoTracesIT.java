package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoWire;
import java.io.IOException;
import java.util.Queue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What MongoDB is told of the trace that a command is part of. */
@Tag("engine")
final class MongoTracesIT extends DeliveryRig {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String COMMENT = "traceparent='" + TRACE + "'";

  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  private static MongoWire wire;

  @BeforeAll
  static void choose() throws Exception {
    wire = MongoWire.to(DATABASE.server());
  }

  @AfterAll
  static void drop() throws IOException {
    if (wire != null) {
      wire.close();
    }
  }

  @Override
  String[] settings() {
    return DATABASE.settings(wire);
  }

  @Test
  void command_hasTheTraceOfItsRequest() throws Exception {
    Queue<String> heard = wire.listen();
    String id = created(order("1"));
    assertThat(step(id, "accept", "").status()).isEqualTo(200);
    assertThat(heard).noneMatch(text -> text.contains("traceparent"));

    assertHeard(heard, "update", "POST", "/v1/deliveries", order("2"), 201);
    assertHeard(heard, "findAndModify", "POST", "/v1/deliveries/" + id + "/cancel", "", 200);
    assertHeard(heard, "find", "GET", "/v1/deliveries/" + id, "", 200);
    assertHeard(heard, "find", "GET", "/v1/deliveries?shopId=shop-1", "", 200);
    String statement = "/v1/riders/r-1/statement?from=2026-11-01&to=2026-11-02";
    assertHeard(heard, "find", "GET", statement, "", 200);

    heard.clear();
    assertThat(delivery(id).path("id").asString()).isEqualTo(id);
    assertThat(heard).noneMatch(text -> text.contains(COMMENT));
  }

  private void assertHeard(
      Queue<String> heard, String command, String method, String path, String body, int status)
      throws Exception {
    heard.clear();
    assertThat(call(method, path, body, "traceparent", TRACE).status()).isEqualTo(status);
    assertThat(heard).anyMatch(text -> text.contains(command) && text.contains(COMMENT));
  }
}
