package gilmok.erasure;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The routes {@code DELETE /v1/riders/{id}/data} and {@code GET /v1/erasures/{id}}. Handlers run on
 * event loops; the rest is left to {@link Offload}.
 */
public final class ErasureRoutes {
  private static final int IN_FLIGHT_MAX = 8;
  private static final String ID = "[0-9a-f]{16}";
  private static final String CONFIRM = "confirm";

  private final Erasures erasures;
  private final ErasureConfirm confirms;
  private final Audit audit;
  private final Offload offload;

  /** The routes of these erasures. */
  public ErasureRoutes(Erasures erasures, Audit audit, Offloads offloads) {
    this.erasures = erasures;
    confirms = erasures.confirms();
    this.audit = audit;
    offload = offloads.of("erasures", "no rider can be erased", IN_FLIGHT_MAX, null);
  }

  /** Both. */
  public List<Route> routes() {
    return List.of(
        Route.operate("DELETE", "/v1/riders/{id}/data", Priority.REPORTS, 0, this::erase)
            .queriedBy(CONFIRM),
        Route.operate("GET", "/v1/erasures/{id}", Priority.REPORTS, 0, this::show));
  }

  private void erase(Exchange exchange) {
    String rider = exchange.pathParameter("id");
    String token = exchange.query(CONFIRM);
    Actor actor = Actor.of(exchange);
    if (token == null) {
      ask(exchange, rider, actor, "everything of this rider would be erased, for good; say so");
    } else if (!confirms.isGood(token, rider, actor.keyId())) {
      ask(exchange, rider, actor, "is not for this rider and key, or is over 10 minutes old");
    } else {
      offload.ask(exchange, () -> erased(rider, actor));
    }
  }

  /** Refuses, with what confirms the same request. */
  private void ask(Exchange exchange, String rider, Actor actor, String why) {
    String token = confirms.token(rider, actor.keyId());
    exchange.refuse(
        Refusal.CONFLICT,
        CONFIRM,
        why,
        new JsonBuffer().ascii("\"confirm\":").string(token).toString());
  }

  private Answer erased(String rider, Actor actor) throws IOException, InterruptedException {
    AuditEntry entry =
        new AuditEntry(AuditAction.RIDER_ERASED, actor, erasures.pseudonym(rider), null, null);
    String id =
        audit
            .change(
                entry,
                () -> Optional.ofNullable(erasures.ask(rider, actor.keyId())),
                asked -> asked.isPresent() ? null : "too many riders are being erased")
            .orElse(null);
    return id == null
        ? Answer.of(Refusal.BUSY)
        : Answer.json(202, new JsonBuffer().ascii("{\"job\":").string(id).put('}').copy());
  }

  private void show(Exchange exchange) {
    String id = exchange.pathParameter("id");
    if (id.matches(ID)) {
      offload.ask(exchange, () -> shown(id));
    } else {
      exchange.refuse(Refusal.NOT_FOUND, "id", "there is no such erasure");
    }
  }

  private Answer shown(String id) throws IOException, InterruptedException {
    Erasure erasure = erasures.find(id);
    if (erasure == null) {
      return Answer.refused(Refusal.NOT_FOUND, "id", "there is no such erasure");
    }
    return Answer.written(
        200,
        () -> {
          JsonBuffer out = new JsonBuffer();
          erasures.write(erasure, out);
          return out.copy();
        });
  }
}
