package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryJson;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.Step;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The content that is signed, and the secrets that sign it. */
@Tag("unit")
class WebhookSignatureTest {
  @Test
  void header_ofTheSpecificationsLibraries_isTheSame() {
    byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
    String id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    assertThat(WebhookSignature.header(id, 1614265330, body, List.of(Orders.SECRET)))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    assertThat(
            WebhookSignature.header(
                id, 1614265330, body, List.of(Orders.OTHER_SECRET, Orders.SECRET)))
        .matches("v1,\\S{44} v1,g0hM9SsE\\+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, none",
        "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=, none",
        "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA, none",
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, must begin with whsec_",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS, 'must have 24 to 64 bytes, not 23'",
        "whsec_, 'must have 24 to 64 bytes, not 0'",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_, must be whsec_ and base64 of 24 to 64 bytes",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwM, must be whsec_ and base64 of 24 to 64 bytes",
        "whsec_AAAA=AAA, must be whsec_ and base64 of 24 to 64 bytes",
        "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==, must be whsec_ and base64 of 24 to 64"
            + " bytes",
      })
  void fault_saysWhatIsWrong(String secret, String fault) {
    assertThat(WebhookSecret.fault(secret)).isEqualTo(fault);
  }

  @Test
  void fault_ofLengths() {
    for (int bytes : new int[] {24, 25, 26, 63, 64}) {
      assertThat(WebhookSecret.fault(secret(bytes))).isNull();
      assertThat(WebhookSecret.bytes(secret(bytes))).hasSize(bytes);
    }
    assertThat(WebhookSecret.fault(secret(23))).isNotNull();
    assertThat(WebhookSecret.fault(secret(65))).isNotNull();
  }

  @Test
  void webhook_isTheDeliveryAsItWas_underOneIdForEver() throws Exception {
    Orders orders = new Orders(1);
    MemoryDocuments store = new MemoryDocuments(orders);
    Delivery delivery = orders.create(store, "s", null);
    orders.pass(1_500);
    Delivery now = orders.move(store, delivery, Step.ACCEPT);
    Webhook first = Webhook.of(now, now.events().getFirst());
    assertThat(first.id()).isEqualTo(delivery.id() + ":1");
    JsonNode json = JsonMapper.shared().readTree(first.body());
    assertThat(json.path("type").asString()).isEqualTo("delivery.created");
    assertThat(json.path("timestamp").asString()).isEqualTo("2025-12-29T09:20:00Z");
    assertThat(json.path("sequence").asInt()).isEqualTo(1);
    assertThat(json.path("data").path("status").asString()).isEqualTo("NEW");
    Webhook second = Webhook.of(now, now.events().getLast());
    JsonBuffer data = new JsonBuffer();
    DeliveryJson.write(now, data);
    assertThat(new String(second.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"type\":\"delivery.accepted\",\"timestamp\":\"2025-12-29T09:20:01.500Z\","
                + "\"data\":"
                + data
                + ",\"sequence\":2}");
    orders.pass(1_000);
    Delivery later = orders.move(store, now, Step.DECLINE);
    assertThat(Webhook.of(later, later.events().get(1)).body()).isEqualTo(second.body());
  }

  @Test
  void secrets_theFormerSignsOnlyForAWhile() {
    Partner partner =
        new Partner(
            "s",
            OutboxReader.SHOP,
            "https://example.com",
            List.of(Orders.OTHER_SECRET, Orders.SECRET),
            List.of("*"),
            Orders.BEGIN);
    Duration overlap = Duration.ofHours(24);
    assertThat(Webhook.secrets(partner, overlap, Orders.BEGIN)).hasSize(2);
    assertThat(Webhook.secrets(partner, overlap, Orders.BEGIN + overlap.toMillis() - 1)).hasSize(2);
    assertThat(Webhook.secrets(partner, overlap, Orders.BEGIN + overlap.toMillis()))
        .containsExactly(Orders.OTHER_SECRET);
  }

  private static String secret(int bytes) {
    return "whsec_" + Base64.getEncoder().encodeToString(new byte[bytes]);
  }
}
