package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.WebhookState.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is shown of partners' webhooks, and done with them, whatever keeps them. */
abstract class PartnerWebhooksContract extends OutboxCase {
  private static final Partner SHOP = partner(OutboxReader.SHOP, Day.SHOP, "*");

  @Test
  void setAside_isListedAndTheNextIsDue() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT));
    outbox.failed(first.id(), OutboxReader.SHOP, 3, day.millis() + 3_600_000, "refused", null);
    outbox.setAside(first.id(), OutboxReader.SHOP, 1, "gone", null);
    assertThat(due(OutboxReader.SHOP)).containsExactly(new Due(moved, OutboxReader.SHOP, 1, 0, 0));
    assertThat(webhooks(State.SET_ASIDE))
        .as("without an attempt of its own, it has those that were noted before")
        .containsExactly(state(first, 1, "created", State.SET_ASIDE, 3, "gone", day.millis()));
    outbox.setAside(first.id(), OutboxReader.SHOP, 1, "once more", null);
    assertThat(webhooks(State.SET_ASIDE)).extracting(WebhookState::error).containsExactly("gone");
    assertThat(webhooks(State.TOLD)).isEmpty();
    told(first, OutboxReader.SHOP, 2);
    outbox.setAside(first.id(), OutboxReader.SHOP, 2, "told already", null);
    assertThat(webhooks(State.SET_ASIDE)).hasSize(1);
    assertThat(due(OutboxReader.SHOP)).isEmpty();
  }

  @Test
  void webhooks_oneCannotBeRead_isMarked_andTheOthersAreThere() throws Exception {
    Delivery damaged = day.created(store, day.delivery());
    day.pass(1_000);
    day.created(store, day.delivery());
    rig.damage(damaged.id());
    assertThat(webhooks(null)).hasSize(2);
    WebhookState marked = webhooks(State.WAITING).getLast();
    assertThat(marked.deliveryId()).isEqualTo(damaged.id());
    assertThat(marked.error()).startsWith("unreadable: ");
  }

  @Test
  void webhooks_ofEachState_withTheirAttempts() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.pass(1_000);
    Delivery second = day.created(store, day.delivery());
    day.created(store, day.delivery("shop-2", null));
    day.moved(
        store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER), day.move(Step.PICK_UP));
    WebhookAttempt failed = new WebhookAttempt(1, day.millis(), 503, 7, "status 503");
    outbox.failed(first.id(), OutboxReader.SHOP, 1, day.millis() + 10, "status 503", failed);
    WebhookAttempt sent = new WebhookAttempt(1, day.millis() + 10, 200, 12, null);
    outbox.delivered(first.id(), OutboxReader.SHOP, sent);
    day.pass(1_000);
    WebhookAttempt gone = new WebhookAttempt(2, day.millis(), 410, 3, "gone\nfor good");
    outbox.setAside(first.id(), OutboxReader.SHOP, 2, "gone", gone);
    long asideAt = day.millis();
    WebhookAttempt none = new WebhookAttempt(3, day.millis(), 0, 5_000, "no answer");
    outbox.failed(first.id(), OutboxReader.SHOP, 1, day.millis() + 700, "no answer", none);
    WebhookState newest =
        state(second, 1, "created", State.WAITING, 0, null, second.createdAtMillis());
    long next = asideAt + 700;
    WebhookState follows = state(first, 4, "picked_up", State.WAITING, 0, null, next);
    WebhookState waits = state(first, 3, "assigned", State.WAITING, 1, "no answer", next, none);
    // In one of the stores a history is made of lines.
    List<WebhookState> asides = webhooks(State.SET_ASIDE);
    assertThat(asides).hasSize(1);
    WebhookAttempt kept = asides.getFirst().history().getFirst();
    assertThat(kept.error()).matches("gone[ \n]for good");
    WebhookState aside = state(first, 2, "accepted", State.SET_ASIDE, 1, "gone", asideAt, kept);
    WebhookState told =
        state(first, 1, "created", State.TOLD, 1, null, sent.endMillis(), failed, sent);
    assertThat(webhooks(null)).containsExactly(newest, follows, waits, aside, told);
    assertThat(webhooks(State.WAITING)).containsExactly(newest, follows, waits);
    assertThat(asides).containsExactly(aside);
    assertThat(webhooks(State.TOLD)).containsExactly(told);
    assertThat(
            outbox
                .webhooks()
                .page(partner(OutboxReader.AGENCY, Day.AGENCY, "*"), null, null, 1_000)
                .states())
        .hasSize(5);
    assertThat(
            outbox
                .webhooks()
                .page(partner(OutboxReader.SHOP, "shop-3", "*"), null, null, 1_000)
                .states())
        .isEmpty();
  }

  /** Found bug: what was skipped, as nobody subscribes to it, was listed as sent. */
  @Test
  void webhooks_whatIsNotWanted_isNeitherToldNorWaits() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    told(first, OutboxReader.SHOP, 2); // without an attempt: skipped
    assertThat(webhooks(State.TOLD)).isEmpty();
    Partner picky = partner(OutboxReader.SHOP, Day.SHOP, "delivery.picked_up");
    assertThat(outbox.webhooks().page(picky, null, null, 1_000).states()).isEmpty();
    assertThat(webhooks(null)).extracting(WebhookState::sequence).containsExactly(3);
  }

  @Test
  void redelivered_aDeadLetterThatIsAccepted_isOpenNoLonger_andTheOthersAre() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT));
    outbox.setAside(first.id(), OutboxReader.SHOP, 1, "gone", null);
    outbox.setAside(first.id(), OutboxReader.SHOP, 2, "gone", null);
    WebhookAttempt failed = new WebhookAttempt(1, day.millis(), 500, 4, "status 500");
    outbox.webhooks().redelivered(first.id(), OutboxReader.SHOP, failed);
    assertThat(webhooks(State.SET_ASIDE)).extracting(WebhookState::sequence).containsExactly(2, 1);
    assertThat(webhooks(State.SET_ASIDE).getLast().history()).containsExactly(failed);
    WebhookAttempt sent = new WebhookAttempt(1, day.millis() + 9, 204, 4, null);
    outbox.webhooks().redelivered(first.id(), OutboxReader.SHOP, sent);
    assertThat(webhooks(State.SET_ASIDE)).extracting(WebhookState::sequence).containsExactly(2);
    assertThat(webhooks(State.TOLD))
        .containsExactly(
            state(first, 1, "created", State.TOLD, 1, null, sent.endMillis(), failed, sent));
    outbox
        .webhooks()
        .redelivered(first.id(), OutboxReader.SHOP, new WebhookAttempt(2, 1, 200, 4, null));
    assertThat(webhooks(State.SET_ASIDE)).isEmpty();
  }

  @Test
  void history_hasTheNewestAttempts_howeverLongTheirErrors() throws Exception {
    Delivery first = day.created(store, day.delivery());
    for (int i = 1; i <= 60; i++) {
      String error = i % 2 == 0 ? "x".repeat(5_000) : "no answer " + i;
      outbox.failed(
          first.id(),
          OutboxReader.SHOP,
          i,
          day.millis(),
          "no",
          new WebhookAttempt(1, i, 0, i, error));
    }
    List<WebhookAttempt> history = webhooks(State.WAITING).getFirst().history();
    assertThat(history).hasSizeBetween(15, 20);
    assertThat(history.getLast().atMillis()).isEqualTo(60);
    assertThat(history).isSortedAccordingTo(Comparator.comparingLong(WebhookAttempt::atMillis));
    assertThat(history).allMatch(one -> one.error() != null && one.error().length() <= 120);
  }

  @Test
  void retryNow_ofAPartner_orOfSome_isDueAtOnce() throws Exception {
    List<Delivery> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(day.created(store, day.delivery()));
    }
    Delivery others = day.created(store, day.delivery("shop-2", Day.AGENCY));
    for (Delivery one : List.of(all.get(0), all.get(1), all.get(2), others)) {
      outbox.failed(one.id(), OutboxReader.SHOP, 3, day.millis() + 3_600_000, "no", null);
    }
    told(all.get(4), OutboxReader.SHOP, 1);
    assertThat(outbox.webhooks().waiting(OutboxReader.SHOP, Day.SHOP, 100)).isEqualTo(4);
    assertThat(outbox.webhooks().waiting(OutboxReader.SHOP, Day.SHOP, 2)).isEqualTo(2);
    assertThat(outbox.webhooks().waiting(OutboxReader.AGENCY, Day.AGENCY, 100)).isEqualTo(6);
    assertThat(due(OutboxReader.SHOP)).hasSize(1);
    outbox.retryNow(OutboxReader.SHOP, List.of(all.get(0).id(), all.get(4).id()), day.millis());
    assertThat(due(OutboxReader.SHOP)).extracting(one -> one.delivery().id()).hasSize(2);
    assertThat(outbox.webhooks().retryNow(OutboxReader.SHOP, Day.SHOP, day.millis())).isEqualTo(2);
    assertThat(outbox.webhooks().retryNow(OutboxReader.SHOP, Day.SHOP, day.millis())).isZero();
    assertThat(due(OutboxReader.SHOP))
        .hasSize(4)
        .filteredOn(one -> one.attempts() == 3)
        .as("the pauses go on where they were")
        .hasSize(3);
    assertThat(outbox.webhooks().retryNow(OutboxReader.AGENCY, Day.AGENCY, day.millis())).isZero();
  }

  @Test
  void webhooks_inPages_neverSplitADelivery() throws Exception {
    for (int i = 0; i < 9; i++) {
      day.pass(1);
      Delivery one = day.created(store, day.delivery());
      day.moved(store, one.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
      outbox.delivered(
          one.id(), OutboxReader.SHOP, new WebhookAttempt(1, day.millis(), 200, 1, null));
      outbox.setAside(one.id(), OutboxReader.SHOP, 2, "gone", null);
    }
    for (State state : new State[] {null, State.WAITING, State.SET_ASIDE, State.TOLD}) {
      List<WebhookState> whole = webhooks(state);
      assertThat(whole).hasSize(state == null ? 27 : 9);
      List<WebhookState> paged = new ArrayList<>();
      String before = null;
      do {
        WebhookState.Page page = outbox.webhooks().page(SHOP, state, before, 4);
        assertThat(page.states()).hasSizeLessThanOrEqualTo(6);
        paged.addAll(page.states());
        before = page.next();
        assertThat(paged).hasSizeLessThanOrEqualTo(27);
      } while (before != null);
      assertThat(paged).isEqualTo(whole);
    }
  }

  @Test
  void replay_hasAllToldAgain_ofThatPartnerAndSinceThen() throws Exception {
    Delivery old = day.created(store, day.delivery());
    day.pass(10_000);
    long from = day.millis();
    Delivery first = day.created(store, day.delivery());
    Delivery last = day.moved(store, first.id(), day.move(Step.ACCEPT));
    Delivery waits = day.created(store, day.delivery());
    Delivery others = day.created(store, day.delivery("shop-2", Day.AGENCY));
    for (Delivery one : List.of(old, first, others)) {
      told(one, OutboxReader.SHOP, 1);
      told(one, OutboxReader.AGENCY, 1);
    }
    outbox.setAside(first.id(), OutboxReader.SHOP, 2, "gone", null);
    outbox.failed(waits.id(), OutboxReader.SHOP, 5, day.millis() + 3_600_000, "refused", null);
    day.pass(1_000);
    assertThat(outbox.webhooks().replay(OutboxReader.SHOP, Day.SHOP, from)).isEqualTo(2);
    assertThat(due(OutboxReader.SHOP))
        .containsExactlyInAnyOrder(
            new Due(last, OutboxReader.SHOP, 0, 0, 0), new Due(waits, OutboxReader.SHOP, 0, 0, 0));
    assertThat(webhooks(State.SET_ASIDE)).isEmpty();
    assertThat(due(OutboxReader.AGENCY))
        .extracting(Due::delivery)
        .containsExactlyInAnyOrder(last, waits);
    assertThat(outbox.webhooks().replay(OutboxReader.SHOP, "shop-3", 0)).isZero();
  }

  private List<WebhookState> webhooks(@Nullable State state) throws Exception {
    WebhookState.Page page = outbox.webhooks().page(SHOP, state, null, 1_000);
    assertThat(page.next()).isNull();
    return page.states();
  }

  private static Partner partner(OutboxReader reader, String id, String events) {
    return new Partner(id, reader, "https://p.example/", List.of("whsec_x"), List.of(events), 0);
  }

  private static WebhookState state(
      Delivery delivery,
      int sequence,
      String type,
      State state,
      int failures,
      @Nullable String error,
      long atMillis,
      WebhookAttempt... history) {
    return new WebhookState(
        delivery.id(),
        sequence,
        "delivery." + type,
        state,
        failures,
        error,
        atMillis,
        List.of(history));
  }
}
