package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.auth.Scope;
import gilmok.auth.Sha256;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.deliveries.DeliveryMeters.Call;
import gilmok.deliveries.DeliveryMeters.Outcome;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The routes {@code /v1/deliveries}: creation, steps and queries. Handlers read the request on its
 * event loop and leave the store to {@link Offload}.
 */
final class DeliveryRoutes {
  private static final String PATH = DeliveryAnswer.PATH;
  private static final String ONE = PATH + "/{id}";
  private static final int MOVE_BYTES_MAX = 16 << 10;

  private final DeliveryRoutesContext means;
  private final Creations creations;
  private final ThreadLocal<Reading> readings;

  /** The parser of one event loop. */
  private static final class Reading {
    final JsonDocument document = new JsonDocument();
    final Fields fields = new Fields(document);
    final MoveBody moves = new MoveBody(document, fields);
    final MessageDigest sha256 = Sha256.digest();
  }

  /** The routes over a store. */
  DeliveryRoutes(DeliveriesConfig config, DeliveryRoutesContext means) {
    this.means = means;
    creations = new Creations(config.currency(), means);
    readings = ThreadLocal.withInitial(Reading::new);
  }

  /** All routes. */
  List<Route> routes() {
    List<Route> routes = new ArrayList<>();
    routes.add(
        new Route(
                "POST",
                PATH,
                Scope.OPERATE,
                OwnershipRule.IN_BODY,
                Priority.ACTIONS,
                Creations.BODY_BYTES_MAX,
                creations::create)
            .takingLines());
    routes.add(
        Route.read(PATH, OwnershipRule.IN_QUERY, Priority.REPORTS, this::list)
            .queriedBy("status", "riderId", "shopId", "agencyId", "from", "to", "limit", "cursor"));
    routes.add(Route.read(ONE, OwnershipRule.BY_ID, Priority.READS, this::show));
    routes.add(Route.read(ONE + "/events", OwnershipRule.BY_ID, Priority.READS, this::events));
    for (Step step : Step.values()) {
      if (step != Step.CREATE) {
        routes.add(
            new Route(
                "POST",
                ONE + "/" + step.label(),
                Scope.OPERATE,
                OwnershipRule.BY_ID,
                Priority.ACTIONS,
                MOVE_BYTES_MAX,
                exchange -> move(exchange, step)));
      }
    }
    return routes;
  }

  private void move(Exchange exchange, Step step) {
    String id = exchange.pathParameter("id");
    int ifVersion = version(exchange.header("If-Match"));
    Reading reading = readings.get();
    int body = JsonDocument.NONE;
    if (exchange.bodyLength() > 0) {
      body =
          reading.document.read(exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength());
      if (!reading.document.isObject(body)) {
        exchange.refuse(Refusal.UNREADABLE, "body", "not a JSON object");
        return;
      }
    }
    String key = exchange.header(IdempotencyKey.HEADER);
    Move move =
        reading.moves.read(
            body,
            step,
            exchange.principal(),
            ifVersion > 0 ? ifVersion : null,
            key == null ? null : source(exchange, key, step, reading.sha256),
            means.clock().millis());
    if (key != null && !IdempotencyKey.isOne(key)) {
      exchange.refuse(Refusal.INVALID, IdempotencyKey.HEADER, IdempotencyKey.REASON);
    } else if (ifVersion < 0) {
      exchange.refuse(Refusal.INVALID, "If-Match", "must be a version, as in \"3\"");
    } else if (move == null) {
      exchange.refuse(Refusal.INVALID, reading.fields.field(), reading.fields.reason());
    } else if (!DeliveryId.isOne(id)) {
      means.meters().step(step, Outcome.UNKNOWN);
      DeliveryAnswer.UNKNOWN.send(exchange);
    } else {
      Move traced = move.traced(exchange.trace());
      means.offload().ask(exchange, means.meters().call(Call.MOVE), () -> moved(id, traced));
    }
  }

  private static String source(Exchange exchange, String key, Step step, MessageDigest sha256) {
    return IdempotencyKey.source(
        sha256,
        IdempotencyKey.scope(exchange.principal()),
        key,
        step,
        exchange.bodyBytes(),
        exchange.bodyOffset(),
        exchange.bodyLength());
  }

  private Answer moved(String id, Move move) throws IOException, InterruptedException {
    return switch (means.store().move(id, move)) {
      case DeliveryStore.Moving.Moved moved -> {
        means.meters().step(move.step(), Outcome.DONE);
        means.changed().accept(moved.delivery());
        yield DeliveryAnswer.of(200, moved.delivery());
      }
      case DeliveryStore.Moving.Denied denied -> denied(move, denied);
      case DeliveryStore.Moving.Unknown _ -> {
        means.meters().step(move.step(), Outcome.UNKNOWN);
        yield DeliveryAnswer.missing(means.store(), id);
      }
    };
  }

  private Answer denied(Move move, DeliveryStore.Moving.Denied denied) {
    means.meters().step(move.step(), outcome(denied.why()));
    Delivery present = denied.present();
    return switch (denied.why()) {
      case REPEAT -> repeated(move, present);
      case BODY_DIFFERS -> Answer.of(Refusal.BODY_DIFFERS);
      case NOT_YOURS -> DeliveryAnswer.NOT_YOURS;
      case VERSION ->
          exchange ->
              exchange.refuse(
                  Refusal.PRECONDITION_FAILED,
                  "If-Match",
                  "it has another version",
                  DeliveryJson.present(present));
      case TOO_MANY -> conflict("id", "it has had as many events as one delivery can", present);
      case STATE -> conflict("status", "this cannot happen in its present state", present);
    };
  }

  private static Outcome outcome(Decision.Why why) {
    return switch (why) {
      case REPEAT -> Outcome.REPEATED;
      case BODY_DIFFERS -> Outcome.BODY_DIFFERS;
      case NOT_YOURS -> Outcome.NOT_YOURS;
      case VERSION -> Outcome.VERSION;
      case TOO_MANY -> Outcome.TOO_MANY;
      case STATE -> Outcome.STATE;
    };
  }

  /** The answer that the first request with this key got: the delivery as it was after its step. */
  private static Answer repeated(Move move, Delivery present) {
    for (DeliveryEvent event : present.events()) {
      if (Objects.equals(event.source(), move.source())) {
        return DeliveryAnswer.of(200, Lifecycle.at(present, event.sequence()));
      }
    }
    throw new IllegalStateException(present.id() + " has no event of " + move.source());
  }

  private static Answer conflict(String field, String reason, Delivery present) {
    return DeliveryAnswer.conflict(field, reason, DeliveryJson.present(present));
  }

  private void show(Exchange exchange) {
    look(exchange, delivery -> DeliveryAnswer.of(200, delivery));
  }

  private void events(Exchange exchange) {
    look(
        exchange,
        delivery ->
            DeliveryAnswer.written(
                200, delivery, out -> out.page(delivery.events(), DeliveryJson::write, null)));
  }

  private void look(Exchange exchange, Function<Delivery, Answer> shown) {
    String id = exchange.pathParameter("id");
    if (!DeliveryId.isOne(id)) {
      DeliveryAnswer.UNKNOWN.send(exchange);
      return;
    }
    Binding binding = exchange.principal().binding();
    means
        .offload()
        .ask(
            exchange,
            means.meters().call(Call.FIND),
            () -> {
              Delivery found = means.store().find(id);
              if (found == null) {
                return DeliveryAnswer.missing(means.store(), id);
              }
              return binding == null || found.isOf(binding)
                  ? shown.apply(found)
                  : DeliveryAnswer.NOT_YOURS;
            });
  }

  private void list(Exchange exchange) {
    ListQuestion question = ListQuestion.of(exchange);
    Answer refusal = question.refusal();
    if (refusal != null) {
      refusal.send(exchange);
      return;
    }
    int limit = question.limit();
    means
        .offload()
        .ask(
            exchange,
            means.meters().call(Call.LIST),
            () -> {
              // One more than the page, to see whether a page follows. At the store's limit that is
              // not possible, and an empty page may follow.
              int asked = Math.min(ListQuestion.LIMIT_MAX, limit + 1);
              List<Delivery> page = means.store().list(question.filter(), question.before(), asked);
              boolean hasMore = page.size() > limit || page.size() == ListQuestion.LIMIT_MAX;
              return DeliveryAnswer.written(200, null, out -> write(page, limit, hasMore, out));
            });
  }

  private static void write(List<Delivery> found, int limit, boolean mayHaveMore, JsonBuffer out) {
    List<Delivery> page = found.subList(0, Math.min(limit, found.size()));
    String next = mayHaveMore ? page.getLast().id() : null;
    out.page(page, DeliveryJson::write, next);
  }

  /** The version that the caller expects; 0 for any, -1 for an unreadable header. */
  private static int version(@Nullable String ifMatch) {
    if (ifMatch == null || ifMatch.equals("*")) {
      return 0;
    }
    // A content coding does not change the version, so a weak tag is as good as a strong one.
    int from = ifMatch.startsWith("W/\"") ? 2 : 0;
    int length = ifMatch.length();
    boolean isQuoted =
        length > from + 2 && ifMatch.charAt(from) == '"' && ifMatch.charAt(length - 1) == '"';
    long version = Fields.digits(isQuoted ? ifMatch.substring(from + 1, length - 1) : ifMatch);
    return version > 0 && version <= Integer.MAX_VALUE ? (int) version : -1;
  }
}
