package gilmok.lab.partner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The simulated partner: what it accepts, which faults it finds, how it misbehaves. */
@Tag("server")
@Timeout(60)
class PartnerStandTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  @Test
  void webhooks_inOrder_makeWholeDeliveries() throws Exception {
    try (Caller told = new Caller(Conduct.GOOD)) {
      assertThat(told.send("d1", 1, "created")).isEqualTo(204);
      assertThat(told.send("d2", 1, "created")).isEqualTo(204);
      assertThat(told.send("d1", 2, "accepted")).isEqualTo(204);
      assertThat(told.send("d1", 2, "accepted")).isEqualTo(204);
      assertThat(told.send("d1", 3, "cancelled")).isEqualTo(204);
      told.assertCounts(5, 1, 0, 0, 1);
      assertThat(told.stand.book().count(PartnerCount.DELIVERIES)).isEqualTo(2);
      assertThat(told.stats())
          .contains("\"taken\":5")
          .contains("\"repeats\":1")
          .contains("\"whole\":1");
    }
  }

  @Test
  void webhooks_withAGapOrOutOfOrder_areCounted() throws Exception {
    try (Caller told = new Caller(Conduct.GOOD)) {
      told.send("d1", 1, "created");
      told.send("d1", 3, "completed");
      told.assertCounts(2, 0, 1, 0, 0);
      told.send("d1", 2, "accepted");
      told.assertCounts(3, 0, 1, 1, 1);
      told.send("d2", 2, "accepted");
      told.assertCounts(4, 0, 2, 1, 1);
    }
  }

  @Test
  void webhooks_wronglySignedOrOfAnotherTime_areRefused() throws Exception {
    try (Caller told = new Caller(Conduct.GOOD)) {
      long now = System.currentTimeMillis() / 1000;
      String body = body("d1", 1, "created");
      assertThat(told.post("d1:1", now, "v1,AAAA", body)).isEqualTo(401);
      assertThat(told.post("d1:1", now, sign("d1:1", now, body + " "), body)).isEqualTo(401);
      assertThat(told.post("d1:1", now - 301, sign("d1:1", now - 301, body), body)).isEqualTo(401);
      assertThat(told.post("d1:1", now, "v1,AAAA " + sign("d1:1", now, body), body)).isEqualTo(204);
      assertThat(told.post("d1:2", now, sign("d1:2", now, body), body)).isEqualTo(400);
      assertThat(told.stand.book().count(PartnerCount.UNSIGNED)).isEqualTo(3);
      assertThat(told.stand.book().count(PartnerCount.UNREADABLE)).isEqualTo(1);
    }
  }

  @Test
  void conduct_isAsTold() throws Exception {
    try (Caller told = new Caller(new Conduct(1, 0, 0, Duration.ZERO, Duration.ZERO))) {
      assertThat(told.send("d1", 1, "created")).isEqualTo(500);
      told.stand.behave(new Conduct(0, 1, 0, Duration.ZERO, Duration.ZERO));
      assertThatThrownBy(() -> told.send("d1", 1, "created")).isInstanceOf(IOException.class);
      told.stand.behave(new Conduct(0, 0, 1, Duration.ofMillis(50), Duration.ZERO));
      assertThat(told.send("d1", 1, "created")).isEqualTo(204);
      told.stand.behave(new Conduct(0, 0, 0, Duration.ZERO, Duration.ofMillis(20)));
      assertThat(told.send("d1", 2, "accepted")).isEqualTo(204);
      WebhookBook book = told.stand.book();
      assertThat(book.count(PartnerCount.FAILED)).isEqualTo(1);
      assertThat(book.count(PartnerCount.REFUSED)).isGreaterThanOrEqualTo(1);
      assertThat(book.count(PartnerCount.HUNG)).isEqualTo(1);
      assertThat(book.count(PartnerCount.TAKEN)).isEqualTo(2);
    }
  }

  private static String body(String id, int sequence, String type) {
    return "{\"type\":\"delivery."
        + type
        + "\",\"timestamp\":\"2026-11-21T09:00:00Z\",\"data\":{\"id\":\""
        + id
        + "\"},\"sequence\":"
        + sequence
        + "}";
  }

  private static String sign(String id, long seconds, String body) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(SECRET.substring(6)), "HmacSHA256"));
    String text = id + "." + seconds + "." + body;
    return "v1,"
        + Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** A simulated partner, and a client that sends it webhooks. */
  private static final class Caller implements AutoCloseable {
    private final PartnerStand stand;
    private final HttpClient client = HttpClient.newHttpClient();

    Caller(Conduct conduct) {
      stand = PartnerStand.start(0, SECRET, conduct, 1);
    }

    int send(String id, int sequence, String type) throws Exception {
      long now = System.currentTimeMillis() / 1000;
      String webhook = id + ":" + sequence;
      String body = body(id, sequence, type);
      return post(webhook, now, sign(webhook, now, body), body);
    }

    int post(String webhook, long seconds, String signature, String body) throws Exception {
      HttpRequest request =
          HttpRequest.newBuilder(stand.url().resolve("/hook"))
              .header("webhook-id", webhook)
              .header("webhook-timestamp", Long.toString(seconds))
              .header("webhook-signature", signature)
              .POST(BodyPublishers.ofString(body))
              .build();
      return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    String stats() throws Exception {
      HttpRequest request = HttpRequest.newBuilder(stand.url().resolve("/stats")).build();
      return client.send(request, BodyHandlers.ofString()).body();
    }

    void assertCounts(long taken, long repeats, long gaps, long disordered, long whole) {
      WebhookBook book = stand.book();
      assertThat(
              new long[] {
                book.count(PartnerCount.TAKEN),
                book.count(PartnerCount.REPEATS),
                book.count(PartnerCount.GAPS),
                book.count(PartnerCount.DISORDERED),
                book.count(PartnerCount.WHOLE)
              })
          .containsExactly(taken, repeats, gaps, disordered, whole);
    }

    @Override
    public void close() {
      client.close();
      stand.close();
    }
  }
}
