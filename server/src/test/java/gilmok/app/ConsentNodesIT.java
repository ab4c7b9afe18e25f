package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.documents.MongoWire;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Consents that nodes share: a node knows within a second what another was told. */
@Tag("engine")
final class ConsentNodesIT extends PhoneRig {
  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  @TempDir Path other;

  @Override
  String[] settings() {
    return DATABASE.settings("privacy.pseudonym-secret=the-same-on-all-nodes");
  }

  private RunningServer second(MongoWire wire) throws Exception {
    List<String> all = new ArrayList<>(List.of(DATABASE.settings(wire)));
    all.add("privacy.pseudonym-secret=the-same-on-all-nodes");
    return RunningServer.startKnowing(server.adminKey(), other, all.toArray(String[]::new));
  }

  private int accepted(RunningServer node, String rider, long at) throws Exception {
    String position = "{\"riderId\":\"%s\",\"at\":%d,\"lat\":37,\"lon\":127}".formatted(rider, at);
    Reply reply = node.post("/v1/traces", position);
    assertThat(reply.status()).as(reply.body()).isEqualTo(202);
    return reply.json().get("accepted").asInt();
  }

  @Test
  void otherNode_knowsWithinASecond_andAfterAStartWithoutTheDatabase() throws Exception {
    long now = System.currentTimeMillis();
    try (MongoWire wire = MongoWire.to(DATABASE.server())) {
      try (RunningServer second = second(wire)) {
        assertThat(accepted(second, "far", now)).isEqualTo(1);
        String off = "{\"state\":\"off-duty\"}";
        Reply put = server.send(server.adminKey(), "PUT", "/v1/riders/far/consent", JSON, off);
        assertThat(put.status()).isEqualTo(200);
        long told = System.nanoTime();
        while (second.get("/v1/riders/far/position").status() == 200) {
          assertThat(System.nanoTime() - told).isLessThan(30_000_000_000L);
        }
        while (accepted(second, "far", ++now) > 0) {
          assertThat(System.nanoTime() - told).isLessThan(30_000_000_000L);
        }
      }
      wire.cut();
      try (RunningServer again = second(wire)) {
        assertThat(accepted(again, "far", now + 1)).isZero();
        assertThat(accepted(again, "near", now + 1)).isEqualTo(1);
      }
    }
  }
}
