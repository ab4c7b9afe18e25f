package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.OutboxReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How soon a partner that was away is sent what waits for it, and how often it is asked before. */
@Tag("unit")
class PartnerRecoveryTest {
  private final Orders clock = new Orders(7);
  private final MemoryDocuments documents = new MemoryDocuments(clock);
  private final Map<String, WebhookOutcome> answers = new HashMap<>();
  private final Map<String, List<Long>> calls = new HashMap<>();
  private final Set<String> alwaysFails = new HashSet<>();
  private final RelayNode node = new RelayNode(documents, clock, "node", false, this::send);

  private WebhookOutcome send(WebhookCall call) {
    calls.computeIfAbsent(call.id(), _ -> new ArrayList<>()).add(clock.millis());
    return alwaysFails.contains(call.id())
        ? new WebhookOutcome(500, "HTTP 500", 0)
        : answers.getOrDefault(call.target().path(), new WebhookOutcome(204, "", 0));
  }

  private void answer(String path, int status) {
    answers.put(path, new WebhookOutcome(status, status == 0 ? "no answer" : "HTTP " + status, 0));
  }

  private List<Long> calls(Delivery delivery, int sequence) {
    return calls.getOrDefault(Webhook.id(delivery.id(), sequence), List.of());
  }

  /** However many wait, however long it was away: all are sent soon after it answers again. */
  @ParameterizedTest
  @CsvSource({
    "1, 20, 0, 0",
    "1, 60, 503, 0",
    "2, 600, 0, 0",
    "5, 60, 503, 0",
    "19, 3600, 500, 0",
    "60, 60, 503, 0",
    "60, 600, 429, 0",
    "500, 3600, 0, 0",
    "1, 60, 503, 3",
    "3, 600, 503, 3",
    "6, 120, 429, 3",
    "60, 3600, 503, 4"
  })
  void partnerThatWasAway_answersAgain_allIsToldWithinTenSeconds(
      int deliveries, int secondsAway, int status, int retryAfter) throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    answers.put("/s", new WebhookOutcome(status, "away", retryAfter * 1_000L));
    for (int i = 0; i < deliveries; i++) {
      clock.create(documents, "s", null);
      node.pass();
    }
    for (int i = 0; i < 2 * secondsAway; i++) {
      clock.pass(500);
      node.pass();
    }
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isFalse();
    answer("/s", 200);
    for (int i = 0; i < 40 && !documents.isEmpty(OutboxReader.SHOP); i++) {
      clock.pass(250);
      node.pass();
    }
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
    assertThat(documents.aside).isEmpty();
  }

  /** It is asked often enough to notice its return, and not more often. */
  @ParameterizedTest
  @CsvSource({"1, 40, 120", "2, 700, 1500", "100, 700, 2300"})
  void partnerThatIsAway_isAskedAtEachPause_orForOneDeliveryLessAndLess(
      int deliveries, int least, int most) throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    answer("/s", 0);
    for (int i = 0; i < deliveries; i++) {
      clock.create(documents, "s", null);
    }
    for (int i = 0; i < 3600; i++) {
      node.pass();
      clock.pass(1_000);
    }
    long made = calls.values().stream().mapToLong(List::size).sum();
    assertThat(made).isBetween((long) least, (long) most);
  }

  /** Some that always fail are not tried with each one that does not: their own pauses count. */
  @Test
  void deliveriesThatAlwaysFail_besideOthersThatDoNot_keepTheirPauses() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    List<Delivery> failing = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      failing.add(clock.create(documents, "s", null));
    }
    failing.forEach(one -> alwaysFails.add(Webhook.id(one.id(), 1)));
    answer("/s", 200);
    for (int i = 0; i < 900; i++) {
      Delivery _ = clock.create(documents, "s", null);
      node.pass();
      clock.pass(1_000);
    }
    for (Delivery one : failing) {
      assertThat(calls(one, 1)).hasSizeBetween(8, 13);
    }
  }
}
