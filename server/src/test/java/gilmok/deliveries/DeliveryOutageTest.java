package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store that is away or slow: requests are refused in time, collecting goes on, nothing is lost.
 */
@Tag("server")
final class DeliveryOutageTest {
  @TempDir Path folder;
  private OutageRig rig;

  @BeforeEach
  void start() throws Exception {
    rig = new OutageRig(folder);
  }

  @AfterEach
  void stop() throws Exception {
    rig.close();
  }

  @Test
  void storeAway_is503_untilItIsBack() throws Exception {
    String id = rig.assigned("1");
    rig.store.isAway = true;
    for (int i = 0; i < 20; i++) {
      HttpResponse<String> reply = rig.send("POST", "/v1/deliveries/" + id + "/pickup", "");
      assertThat(reply.statusCode()).isEqualTo(503);
      assertThat(reply.body()).contains("/docs/errors#busy");
      assertThat(reply.headers().firstValue("retry-after")).isPresent();
    }
    assertThat(rig.send("GET", "/v1/deliveries/" + id, "").statusCode()).isEqualTo(503);
    assertThat(rig.metric("gilmok_deliveries_store_failures_total")).isEqualTo(21);
    rig.store.isAway = false;
    assertThat(rig.send("POST", "/v1/deliveries/" + id + "/pickup", "").statusCode())
        .isEqualTo(200);
  }

  @Test
  void storeAway_actionsAreCollected_andMoveTheirDeliveriesLater_inOrder() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ids.add(rig.assigned("" + i));
    }
    rig.store.isAway = true;
    for (String type : List.of("pickup", "complete")) {
      for (String id : ids) {
        String action =
            "{\"riderId\":\"r-1\",\"at\":%d,\"type\":\"%s\",\"deliveryId\":\"%s\"}"
                .formatted(System.currentTimeMillis(), type, id);
        assertThat(rig.send("POST", "/v1/actions", action).statusCode()).isEqualTo(202);
      }
    }
    OutageRig.await(() -> rig.metric("gilmok_deliveries_store_failures_total") > 0);
    rig.store.isAway = false;
    OutageRig.await(() -> rig.metric("gilmok_deliveries_actions_total{outcome=\"moved\"}") == 20);
    for (String id : ids) {
      assertThat(rig.send("GET", "/v1/deliveries/" + id, "").body())
          .contains("\"status\":\"COMPLETED\",\"version\":5");
    }
    assertThat(rig.metric("gilmok_deliveries_actions_total{outcome=\"late\"}")).isZero();
  }

  @Test
  void overTheBound_isBusyAtOnce_andReadsLeaveRoomForMoves() throws Exception {
    String id = rig.assigned("1");
    String path = "/v1/deliveries/" + id;
    rig.store.hold = new CountDownLatch(1);
    List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
    for (int i = 0; i < OutageRig.AT_WORK_MAX / 2; i++) {
      held.add(rig.begin("GET", path, ""));
      awaitAtWork(held.size());
    }
    assertThat(rig.send("GET", path, "").statusCode()).isEqualTo(503);
    for (int i = 0; i < OutageRig.AT_WORK_MAX / 2; i++) {
      held.add(rig.begin("POST", path + "/assign", "{\"riderId\":\"r-2\"}"));
      awaitAtWork(held.size());
    }
    HttpResponse<String> over = rig.send("POST", path + "/pickup", "");
    assertThat(over.statusCode()).isEqualTo(503);
    assertThat(over.headers().firstValue("retry-after")).isPresent();
    rig.store.hold.countDown();
    for (CompletableFuture<HttpResponse<String>> one : held) {
      assertThat(one.get().statusCode()).isEqualTo(200);
    }
    awaitAtWork(0);
  }

  private void awaitAtWork(int requests) throws Exception {
    OutageRig.await(() -> rig.metric("gilmok_deliveries_in_flight") == requests);
  }
}
