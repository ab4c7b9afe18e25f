package gilmok.deliveries.relay;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.UnreadablePartner;
import gilmok.deliveries.WebhookState.State;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers requests about partners. Thread-safe; methods block. */
record PartnerService(Relay relay, DeliveryStore deliveries, Audit audit, InstantSource clock) {
  private static final Answer NOT_FOUND =
      Answer.refused(Refusal.NOT_FOUND, "id", "there is no such partner");

  private static final Answer NOT_YOURS =
      Answer.refused(Refusal.NOT_YOURS, "key", "bound to somebody else");

  private static final int ID_CHARS_MAX = 128;
  private static final int ITEMS_USUAL = 100;
  private static final int ITEMS_MAX = 1_000;
  private static final int SEQUENCE_DIGITS_MAX = 6;

  /** Up to how many waiting deliveries are counted. */
  private static final int WAITING_MAX = 10_000;

  /**
   * Who asks, and about which partner.
   *
   * @param id the partner's
   * @param kind the kind in the query; null when it names none
   */
  record Asker(Principal principal, Actor actor, String id, @Nullable String kind) {
    boolean mayAskFor(OutboxReader reader) {
      Binding.Kind bound = reader == OutboxReader.SHOP ? Binding.Kind.SHOP : Binding.Kind.AGENCY;
      return principal.mayActFor(bound, id);
    }
  }

  /** A request about a known partner. */
  private interface PartnerQuestion {
    Answer answer(Partner partner) throws IOException, InterruptedException;
  }

  Answer put(Asker asker, byte[] body) throws IOException, InterruptedException {
    return switch (PartnerBody.partner(body, relay.guard())) {
      case PartnerBody.Wish wish -> put(asker, wish);
      case PartnerBody.Wrong wrong -> Answer.invalid(wrong.field(), wrong.reason());
      case PartnerBody.Unreadable _, PartnerBody.From _ -> Answer.unreadable("not a JSON object");
    };
  }

  private Answer put(Asker asker, PartnerBody.Wish wish) throws IOException, InterruptedException {
    if (!asker.mayAskFor(wish.reader())) {
      return NOT_YOURS;
    }
    if (!isId(asker.id())) {
      return Answer.invalid("id", "must have 1 to 128 characters and no controls");
    }
    return audit.oneByOne("partner/" + asker.id(), () -> change(asker, wish));
  }

  private Answer change(Asker asker, PartnerBody.Wish wish)
      throws IOException, InterruptedException {
    long now = clock.millis();
    Partner before = before(wish.reader(), asker.id());
    if (before == null && wish.secret() == null) {
      return Answer.invalid("secret", "a new partner needs one");
    }
    Partner partner =
        new Partner(
            asker.id(), wish.reader(), wish.url(), secrets(before, wish, now), wish.events(), now);
    AuditEntry entry =
        new AuditEntry(
            before == null ? AuditAction.PARTNER_CREATED : AuditAction.PARTNER_CHANGED,
            asker.actor(),
            asker.id(),
            before == null ? null : PartnerJson.audited(before, false),
            PartnerJson.audited(
                partner,
                before != null
                    && !partner.secrets().getFirst().equals(before.secrets().getFirst())));
    boolean _ =
        audit.change(
            entry,
            () -> {
              relay.partners().put(partner);
              return true;
            });
    return shown(before == null ? 201 : 200, partner);
  }

  /**
   * The partner as stored; null when there is none. An unreadable one counts as none, so that it
   * can be replaced.
   */
  private @Nullable Partner before(OutboxReader reader, String id)
      throws IOException, InterruptedException {
    try {
      return relay.partners().find(reader, id);
    } catch (UnreadablePartner damaged) {
      return null;
    }
  }

  /** The secrets after a change: the new one first, and the former one for its overlap. */
  private List<String> secrets(@Nullable Partner before, PartnerBody.Wish wish, long nowMillis) {
    String secret = wish.secret();
    if (before == null) {
      return secret == null ? List.of() : List.of(secret);
    }
    String newest = before.secrets().getFirst();
    if (secret == null || secret.equals(newest)) {
      return Webhook.secrets(before, relay.config().secretOverlap(), nowMillis);
    }
    return List.of(secret, newest);
  }

  Answer show(Asker asker) throws IOException, InterruptedException {
    return of(asker, partner -> shown(200, partner));
  }

  private Answer shown(int status, Partner partner) throws IOException, InterruptedException {
    return json(
        status,
        PartnerJson.partner(
            partner,
            relay.standing(partner),
            relay.webhooks().waiting(partner.reader(), partner.id(), WAITING_MAX),
            relay.config().secretOverlap(),
            clock.millis()));
  }

  Answer relays(
      Asker asker, @Nullable String state, @Nullable String cursor, @Nullable String limit)
      throws IOException, InterruptedException {
    State wanted = state == null ? null : PartnerJson.state(state);
    if (state != null && wanted == null) {
      return Answer.invalid("state", "must be waiting, set-aside or told");
    }
    int most = limit == null ? ITEMS_USUAL : number(limit);
    if (most < 1 || most > ITEMS_MAX) {
      return Answer.invalid("limit", "must be a number from 1 to " + ITEMS_MAX);
    }
    String before = cursor == null ? null : deliveryId(cursor);
    if (cursor != null && before == null) {
      return Answer.invalid("cursor", "must be the next of the page before");
    }
    return of(
        asker,
        partner ->
            json(200, PartnerJson.webhooks(relay.webhooks().page(partner, wanted, before, most))));
  }

  Answer redeliver(Asker asker, String relayId) throws IOException, InterruptedException {
    return of(asker, partner -> redeliver(asker, partner, relayId));
  }

  private Answer redeliver(Asker asker, Partner partner, String relayId)
      throws IOException, InterruptedException {
    int colon = relayId.indexOf(':');
    String deliveryId = colon < 0 ? "" : relayId.substring(0, colon);
    int sequence = colon < 0 ? 0 : number(relayId.substring(colon + 1));
    if (!DeliveryId.isOne(deliveryId) || sequence < 1) {
      return Answer.invalid("relayId", "must be a delivery's id, a colon, a sequence");
    }
    Delivery delivery = deliveries.find(deliveryId);
    // Another partner's delivery is answered as unknown, so that its id stays private.
    boolean isTheirs =
        delivery != null && partner.id().equals(partner.reader().partnerId(delivery));
    DeliveryEvent event = delivery == null ? null : delivery.event(sequence);
    if (delivery == null || event == null || !isTheirs) {
      return Answer.refused(
          Refusal.NOT_FOUND, "relayId", "the partner has no delivery with such an event");
    }
    JsonBuffer after = new JsonBuffer().ascii("{\"relayId\":").string(relayId).put('}');
    Optional<WebhookOutcome> outcome =
        audit.change(
            entry(AuditAction.PARTNER_REDELIVERED, asker, after),
            () -> Optional.ofNullable(relay.redeliver(partner, delivery, event)),
            sent -> sent.isPresent() ? null : "there was no place for it");
    return outcome.isEmpty()
        ? Answer.of(Refusal.BUSY)
        : json(200, PartnerJson.outcome(relayId, outcome.get()));
  }

  Answer replay(Asker asker, byte[] body) throws IOException, InterruptedException {
    // Ownership is checked first: a refused body must reveal nothing about another's partner.
    return of(
        asker,
        partner ->
            switch (PartnerBody.replay(body)) {
              case PartnerBody.From from -> replay(asker, partner, from.millis());
              case PartnerBody.Wrong wrong -> Answer.invalid(wrong.field(), wrong.reason());
              case PartnerBody.Unreadable _, PartnerBody.Wish _ ->
                  Answer.unreadable("not a JSON object");
            });
  }

  private Answer replay(Asker asker, Partner partner, long fromMillis)
      throws IOException, InterruptedException {
    JsonBuffer after = new JsonBuffer().ascii("{\"from\":").time(fromMillis).put('}');
    AuditEntry entry = entry(AuditAction.PARTNER_REPLAYED, asker, after);
    return json(
        202,
        PartnerJson.deliveries(
            audit.change(
                entry, () -> relay.webhooks().replay(partner.reader(), asker.id(), fromMillis))));
  }

  Answer retryNow(Asker asker) throws IOException, InterruptedException {
    return of(
        asker,
        partner -> {
          AuditEntry entry =
              new AuditEntry(AuditAction.PARTNER_RETRIED, asker.actor(), asker.id(), null, null);
          long waited = audit.change(entry, () -> relay.retryNow(partner));
          return json(202, PartnerJson.deliveries(waited));
        });
  }

  private static AuditEntry entry(AuditAction action, Asker asker, JsonBuffer after) {
    return new AuditEntry(action, asker.actor(), asker.id(), null, after.toString());
  }

  /**
   * Finds the partner and asks the question of it. The kind is the one in the query, else the one
   * the key is bound to, else that of the only partner of this id.
   */
  private Answer of(Asker asker, PartnerQuestion question)
      throws IOException, InterruptedException {
    OutboxReader said = PartnerBody.reader(asker.kind());
    if (asker.kind() != null && said == null) {
      return Answer.invalid("kind", "must be shop or agency");
    }
    boolean mayShop = said != OutboxReader.AGENCY && asker.mayAskFor(OutboxReader.SHOP);
    boolean mayAgency = said != OutboxReader.SHOP && asker.mayAskFor(OutboxReader.AGENCY);
    if (!mayShop && !mayAgency) {
      return NOT_YOURS;
    }
    Partner shop = mayShop ? relay.partners().find(OutboxReader.SHOP, asker.id()) : null;
    Partner agency = mayAgency ? relay.partners().find(OutboxReader.AGENCY, asker.id()) : null;
    if (shop != null && agency != null) {
      return Answer.invalid("kind", "a shop and an agency have this id: say which");
    }
    Partner found = shop == null ? agency : shop;
    return found == null ? NOT_FOUND : question.answer(found);
  }

  private static Answer json(int status, JsonBuffer body) {
    return Answer.json(status, body.copy());
  }

  private static boolean isId(String id) {
    return !id.isEmpty()
        && id.length() <= ID_CHARS_MAX
        && id.chars().noneMatch(Character::isISOControl);
  }

  private static @Nullable String deliveryId(String cursor) {
    if (cursor.length() > 2 * DeliveryId.CHARS
        || !cursor.matches("[A-Za-z0-9_-]+")
        || cursor.length() % 4 == 1) {
      return null;
    }
    String id = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    return DeliveryId.isOne(id) ? id : null;
  }

  /** The text as an integer; -1 when it is none. */
  private static int number(String text) {
    boolean isNumber =
        !text.isEmpty()
            && text.length() <= SEQUENCE_DIGITS_MAX
            && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? Integer.parseInt(text) : -1;
  }
}
