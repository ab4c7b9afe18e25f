package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoWire;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Promise 7 while MongoDB hangs: a request that gets no connection creates no throwable. The driver
 * creates some when the few calls under way time out, so their timeout is longer than the test.
 */
@Tag("engine")
final class CheapMongoIT extends DeliveryRig {
  private static final int LOAD = 60;
  private static final int CONNECTIONS = 8;

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
    return DATABASE.settings(
        wire,
        "http.event-loops=2",
        "documents.mongo-connections-min=" + CONNECTIONS,
        "documents.mongo-connections-max=" + CONNECTIONS,
        "documents.mongo-acquire-timeout=500 ms",
        "documents.mongo-timeout=1 min",
        "documents.mongo-connect-timeout=1 min");
  }

  @Test
  void refusedWhileMongoHangs_createNoThrowable() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < LOAD; i++) {
      ids.add(created(order("o" + i)));
    }
    hang(ids); // Loading and linking classes creates throwables.
    Map<String, Integer> made = Throwables.during(data, _ -> false, () -> hang(ids));
    assertThat(made).isEmpty();
    assertThat(server.metric("gilmok_documents_mongo_refused_total")).isGreaterThan(LOAD);
  }

  /**
   * Holds back the database's answers until all but the few requests with a connection are refused.
   */
  private void hang(List<String> ids) throws Exception {
    wire.hold();
    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    try {
      for (String id : ids) {
        HttpRequest request =
            HttpRequest.newBuilder(server.uri("/v1/deliveries/" + id + "/complete"))
                .header("X-Api-Key", server.adminKey())
                .POST(BodyPublishers.noBody())
                .build();
        asked.add(client.sendAsync(request, BodyHandlers.ofString()));
      }
      Program.await(
          () -> asked.stream().filter(CompletableFuture::isDone).count() >= LOAD - CONNECTIONS);
    } finally {
      wire.release();
    }
    int refused = 0;
    for (CompletableFuture<HttpResponse<String>> answer : asked) {
      int status = answer.get().statusCode();
      assertThat(status).isIn(409, 503);
      refused += status == 503 ? 1 : 0;
    }
    assertThat(refused).isGreaterThanOrEqualTo(LOAD - CONNECTIONS);
  }
}
