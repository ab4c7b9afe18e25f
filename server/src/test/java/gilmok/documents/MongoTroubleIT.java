package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.Repository;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An outage of MongoDB is reported in time and cheaply, and ends when the database answers again.
 */
@Tag("engine")
final class MongoTroubleIT {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final Meters meters = new Meters();
  private MongoWire wire;

  @BeforeEach
  void open() throws Exception {
    wire = MongoWire.to(MongoServer.any());
  }

  @AfterEach
  void close() throws Exception {
    wire.close();
    meters.close();
  }

  @Test
  void hanging_isAnOutageAndIsFoundAgain() throws Exception {
    try (MongoDocuments documents = documents("", Map.of())) {
      documents.ping();
      wire.hold();
      assertThatThrownBy(documents::ping).isInstanceOf(MongoOutage.class).hasNoCause();
      assertThatThrownBy(documents::ping)
          .isInstanceOf(IOException.class)
          .satisfies(thrown -> assertThat(thrown.getStackTrace()).isEmpty());
      wire.release();
      pingsAgain(documents);
    }
  }

  @Test
  void gone_isAnOutageAndIsFoundAgain() throws Exception {
    try (MongoDocuments documents = documents("", Map.of())) {
      documents.ping();
      wire.cut();
      assertThatThrownBy(documents::ping).isInstanceOf(MongoOutage.class);
      wire.mend();
      pingsAgain(documents);
    }
  }

  @Test
  void neverThere_isAnOutage() throws Exception {
    wire.cut();
    try (MongoDocuments documents = documents("", Map.of())) {
      assertThatThrownBy(documents::ping).isInstanceOf(MongoOutage.class);
    }
  }

  @Test
  void allUnderWay_theNextIsRefusedWithoutAskingAndWithoutAnException() throws Exception {
    Map<String, String> one =
        Map.of(
            "documents.mongo-connections-max", "1",
            "documents.mongo-connections-min", "0",
            "documents.mongo-waiting-max", "1",
            "documents.mongo-acquire-timeout", "50 ms");
    try (MongoDocuments documents = documents("", one)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch answers = new CountDownLatch(1);
      CompletableFuture<Boolean> slow = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  slow.complete(
                      documents.ask(
                          () -> {
                            asked.countDown();
                            return awaited(answers);
                          }));
                } catch (IOException | InterruptedException e) {
                  slow.completeExceptionally(e);
                }
              });
      assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(documents::ping).isSameAs(MongoOutage.BUSY);
      assertThatThrownBy(documents::ping).isSameAs(MongoOutage.BUSY);
      answers.countDown();
      assertThat(slow.get(10, TimeUnit.SECONDS)).isTrue();
      pingsAgain(documents);
      assertThat(scrape()).contains("gilmok_documents_mongo_refused_total 2.0");
    }
  }

  @Test
  void wrongPassword_isToldWithoutUserAndPassword() throws Exception {
    try (MongoDocuments documents = documents("someuser:some%20secret@", Map.of())) {
      assertThatThrownBy(documents::ping)
          .isInstanceOf(MongoOutage.class)
          .satisfies(
              thrown ->
                  assertThat(thrown.toString())
                      .doesNotContain("someuser", "some%20secret", "some secret"));
      assertThat(scrape()).doesNotContain("someuser", "some%20secret", "some secret");
    }
  }

  @Test
  void closed_isAnOutage() throws Exception {
    MongoDocuments documents = documents("", Map.of());
    documents.ping();
    documents.close();
    assertThatThrownBy(documents::ping).isInstanceOf(MongoOutage.class);
  }

  @Test
  void meters_areThoseOfTheContract() throws Exception {
    try (MongoDocuments documents = documents("", Map.of())) {
      documents.ping();
      assertThat(scrape())
          .containsPattern(
              "gilmok_documents_mongo_command_seconds_count"
                  + "\\{collection=\"none\",command=\"other\",server=\"[^\"]+:\\d+\"} 1")
          .contains("gilmok_documents_mongo_connections_max 64.0");
    }
    String page = Files.readString(Repository.root().resolve("docs/metrics.md"));
    assertThat(scrape().lines().filter(line -> line.startsWith("# TYPE gilmok_documents")))
        .hasSizeGreaterThan(7)
        .allSatisfy(
            line -> {
              String name = line.split(" ")[2];
              assertThat(page).containsAnyOf("`" + name + "`", "`" + name.replaceAll("_max$", "`"));
            });
  }

  /** The documents behind the wire, with short timeouts. */
  private MongoDocuments documents(String user, Map<String, String> more) throws Exception {
    Map<String, String> all = new HashMap<>();
    all.put(
        "documents.mongo-uri",
        "mongodb://" + user + "127.0.0.1:" + wire.port() + "/?directConnection=true");
    all.put("documents.mongo-timeout", "500 ms");
    all.put("documents.mongo-connect-timeout", "500 ms");
    all.putAll(more);
    return new MongoDocuments(MongoServer.any().config("gilmok_test_trouble", all), meters);
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void pingsAgain(MongoDocuments documents) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        documents.ping();
        return;
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw new AssertionError("not found again", e);
        }
        LockSupport.parkNanos(5_000_000);
      }
    }
  }

  private String scrape() {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }
}
