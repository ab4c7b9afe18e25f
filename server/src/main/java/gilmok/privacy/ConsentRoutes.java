package gilmok.privacy;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.auth.Scope;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.HiddenKey;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code PUT} and {@code GET /v1/riders/{id}/consent}: for keys that may operate, and for a key
 * that is bound to the rider. Handlers run on event loops and leave the rest to {@link Offload}.
 */
public final class ConsentRoutes {
  private static final String PATH = "/v1/riders/{id}/consent";
  private static final int BODY_BYTES_MAX = 4 << 10;
  private static final int ID_MAX = 128;
  private static final int STATE_MAX = 16;
  private static final int IN_FLIGHT_MAX = 256;
  private static final Set<String> KNOWN = Set.of("state", "purposes");
  private static final String STATES = "must be granted, withdrawn or off-duty";
  private static final String PURPOSES = "must be an array of dispatch, customer and history";

  private final Consents consents;
  private final Audit audit;
  private final Offload offload;

  /** The routes of those consents. */
  public ConsentRoutes(Consents consents, Audit audit, Offloads offloads) {
    this.consents = consents;
    this.audit = audit;
    offload = offloads.of("consents", "consents cannot be read or written", IN_FLIGHT_MAX, null);
  }

  /** Both of them. */
  public List<Route> routes() {
    return List.of(route("PUT", BODY_BYTES_MAX, this::put), route("GET", 0, this::show));
  }

  private static Route route(String method, int bodyBytesMax, Route.Handler handler) {
    return new Route(
        method,
        PATH,
        Scope.OPERATE,
        OwnershipRule.OWN_RIDER_OR_SCOPE,
        Priority.ACTIONS,
        bodyBytesMax,
        handler);
  }

  private void show(Exchange exchange) {
    String rider = exchange.pathParameter("id");
    offload.ask(
        exchange,
        () -> {
          Consent known = consents.find(rider);
          return known == null
              ? Answer.refused(Refusal.NOT_FOUND, "id", "no consent of this rider is recorded")
              : answer(known.of(rider));
        });
  }

  private void put(Exchange exchange) {
    String rider = exchange.pathParameter("id");
    String fault = fault(rider);
    if (fault != null) {
      exchange.refuse(Refusal.INVALID, "id", fault);
      return;
    }
    JsonDocument document = new JsonDocument();
    int root = document.read(exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength());
    if (!document.isObject(root) || document.fault(root) != null) {
      exchange.refuse(Refusal.UNREADABLE, "body", "not a JSON object");
      return;
    }
    Fields fields = new Fields(document);
    fields.only(root, "", KNOWN);
    ConsentState state = ConsentState.of(fields.text(root, "", "state", STATE_MAX));
    int purposes = purposes(document, document.member(root, "purposes"));
    if (state == null) {
      fields.wrong("state", STATES);
    }
    if (purposes == 0) {
      fields.wrong("purposes", PURPOSES);
    }
    if (state == null || !fields.isGood()) {
      exchange.refuse(Refusal.INVALID, fields.field(), fields.reason());
      return;
    }
    Actor actor = Actor.of(exchange);
    offload.ask(exchange, () -> change(rider, state, purposes, actor));
  }

  private Answer change(String rider, ConsentState state, int purposes, Actor actor)
      throws IOException, InterruptedException {
    Consent next = new Consent(rider, state, purposes, consents.now(), actor.keyId());
    boolean isDone =
        audit.oneByOne(
            "consent/" + rider,
            () -> {
              Consent before = consents.find(rider);
              return audit.change(
                  new AuditEntry(
                      AuditAction.CONSENT_CHANGED,
                      actor,
                      rider,
                      before == null ? null : before.json(),
                      next.json()),
                  () -> consents.put(next),
                  isPut -> isPut ? null : tooMany());
            });
    return isDone ? answer(next) : Answer.conflict("id", tooMany());
  }

  private static String tooMany() {
    return "as many riders withhold something as privacy.consents-max allows; raise it";
  }

  private static Answer answer(Consent consent) {
    JsonBuffer out = new JsonBuffer();
    consent.writeJson(out);
    return Answer.json(200, out.copy());
  }

  /** The bits of the purposes; all where none are named, 0 when something is wrong. */
  private static int purposes(JsonDocument document, int value) {
    if (document.isNull(value)) {
      return Purpose.ALL;
    }
    int bits = 0;
    if (document.isArray(value)) {
      for (int one = document.first(value); one >= 0; one = document.next(one)) {
        Purpose purpose = Purpose.of(document.text(one));
        if (purpose == null) {
          return 0;
        }
        bits |= purpose.bit();
      }
    }
    return bits;
  }

  /** What is wrong with a rider's id; null if nothing is. */
  private static @Nullable String fault(String id) {
    if (id.isEmpty() || id.codePointCount(0, id.length()) > ID_MAX) {
      return "1 to 128 characters, no controls";
    }
    if (id.chars().anyMatch(Character::isISOControl)) {
      return "1 to 128 characters, no controls";
    }
    return HiddenKey.isIn(id) ? "holds a key, which others could read in it" : null;
  }
}
