package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A receipt of another node's record: on one MongoDB, any node says where it is. */
@Tag("engine")
final class ReceiptNodesIT extends DeliveryRig {
  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  @TempDir Path other;

  @Override
  String[] settings() {
    return DATABASE.settings();
  }

  @Test
  void aReceipt_isFoundFromAnyNode() throws Exception {
    Files.copy(data.resolve("admin.key"), other.resolve("admin.key")); // one key for the fleet
    String id;
    try (RunningServer second = RunningServer.start(other, settings())) {
      id = collected(second);
      Reply unknown = call("GET", "/v1/receipts/" + id, "");
      assertThat(unknown.status()).isEqualTo(421);
      assertThat(unknown.at("/type")).endsWith("#other-node");
      assertThat(unknown.at("/field")).isEqualTo("id");
      String node = id.substring(0, id.indexOf(':'));
      assertThat(unknown.at("/reason")).contains(node, "node.url");
    }
    String[] told = {settings()[0], settings()[1], "node.url=http://127.0.0.1:1/"};
    try (RunningServer second = RunningServer.start(other, told)) {
      Program.await(() -> call("GET", "/v1/receipts/" + id, "").status() == 307);
      Reply there = call("GET", "/v1/receipts/" + id, "");
      URI location = URI.create(there.header("Location"));
      assertThat(location).isEqualTo(URI.create("http://127.0.0.1:1/v1/receipts/" + id));
      URI real = second.uri(location.getPath());
      Reply receipt = callAt(real, server.adminKey(), "GET", "");
      assertThat(receipt.status()).as(receipt.body()).isEqualTo(200);
      assertThat(receipt.at("/recordId")).isEqualTo(id);
    }
    assertThat(call("GET", "/v1/receipts/" + collected(server), "").status()).isEqualTo(200);
    assertThat(call("GET", "/v1/receipts/none", "").status()).isEqualTo(404);
    Reply gone = call("GET", "/v1/receipts/abcdefghijkl:1", "");
    assertThat(gone.status()).as("a node that never was").isEqualTo(421);
  }

  /** Collects a position at a node; returns the record's id. */
  private static String collected(RunningServer node) throws Exception {
    String trace =
        "{\"riderId\":\"r-1\",\"at\":%d,\"lat\":37.5,\"lon\":127}"
            .formatted(System.currentTimeMillis());
    RunningServer.Reply reply = node.post("/v1/traces", trace);
    assertThat(reply.status()).as(reply.body()).isEqualTo(202);
    return reply.json().at("/receipt/node").asString() + ":" + reply.json().at("/receipt/first");
  }
}
