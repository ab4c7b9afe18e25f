package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Promise 7, a refusal is cheap: when documents cannot be written in time, refusals create no
 * throwable.
 */
@Tag("process")
final class CheapDocumentsIT extends DeliveryRig {
  private static final int TIMEOUT_MILLIS = 400;
  private static final int LOAD = 60;

  @Override
  String[] settings() {
    return new String[] {
      "http.event-loops=2", "documents.timeout=" + TIMEOUT_MILLIS + " ms", "documents.queue-max=4"
    };
  }

  @Test
  void documentsHeldUp_createNoThrowable() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < LOAD; i++) {
      ids.add(created(order("o" + i)));
    }
    String file = "jdbc:sqlite:" + data.resolve("documents.db");
    try (Connection other = DriverManager.getConnection(file);
        Statement statement = other.createStatement()) {
      holdUp(statement, ids); // Loading and linking classes creates throwables.
      assertThat(Throwables.during(data, _ -> false, () -> holdUp(statement, ids))).isEmpty();
    }
    assertThat(server.metric("gilmok_documents_busy_total{cause=\"too-slow\"}")).isPositive();
    assertThat(server.metric("gilmok_documents_busy_total{cause=\"queue-full\"}")).isPositive();
    Program.await(() -> step(ids.getFirst(), "decline", "").status() == 200);
  }

  /**
   * Another connection holds SQLite's write lock until each request of the load is answered 503.
   */
  private void holdUp(Statement other, List<String> ids) throws Exception {
    other.execute("BEGIN IMMEDIATE");
    try {
      List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
      for (String id : ids) {
        HttpRequest request =
            HttpRequest.newBuilder(server.uri("/v1/deliveries/" + id + "/accept"))
                .header("X-Api-Key", server.adminKey())
                .header("If-Match", "1")
                .POST(BodyPublishers.noBody())
                .build();
        asked.add(client.sendAsync(request, BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> answer : asked) {
        assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(503);
      }
    } finally {
      other.execute("ROLLBACK");
    }
  }
}
