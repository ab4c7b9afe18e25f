package gilmok.deliveries.relay;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.deliveries.DeliveryStore;
import gilmok.http.Exchange;
import gilmok.http.Owner;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/partners}: who is told, what they were told, and telling it once more. Handlers run on
 * event loops and leave everything to virtual threads, a bounded number at once.
 */
public final class PartnerRoutes {
  private static final System.Logger LOG = System.getLogger("gilmok.relay");
  private static final String PARTNER = "/v1/partners/{id}";
  private static final String RELAYS = PARTNER + "/relays";
  private static final int BODY_BYTES_MAX = 16 << 10;
  private static final int AT_WORK_MAX = 32;
  private static final int SENDING_MAX = 16;

  private final PartnerDesk desk;
  private final Semaphore room = new Semaphore(AT_WORK_MAX);

  /** Of these, those that wait for a partner, which may take its time. */
  private final Semaphore sending = new Semaphore(SENDING_MAX);

  /** Something that may block, and then says how to answer. */
  private interface Work {
    Answer run() throws IOException, InterruptedException;
  }

  /** Takes from a request what is needed of it, on its event loop; the rest is the work's. */
  private interface Handler {
    Work take(Exchange exchange, PartnerDesk.Asker asker, byte[] body);
  }

  /** The routes of that relay. */
  public PartnerRoutes(Relay relay, DeliveryStore deliveries, InstantSource clock) {
    desk = new PartnerDesk(relay, deliveries, clock);
  }

  /** All of them. */
  public List<Route> routes() {
    return List.of(
        route("PUT", PARTNER, BODY_BYTES_MAX, (_, asker, body) -> () -> desk.put(asker, body)),
        route("GET", PARTNER, 0, (_, asker, _) -> () -> desk.show(asker)),
        route("GET", RELAYS, 0, this::relays),
        route("POST", RELAYS + "/{relayId}/redeliver", 0, this::redeliver),
        route(
            "POST",
            PARTNER + "/replay",
            BODY_BYTES_MAX,
            (_, asker, body) -> () -> desk.replay(asker, body)));
  }

  private Work relays(Exchange exchange, PartnerDesk.Asker asker, byte[] body) {
    String state = exchange.query("state");
    String cursor = exchange.query("cursor");
    String limit = exchange.query("limit");
    return () -> desk.relays(asker, state, cursor, limit);
  }

  private Work redeliver(Exchange exchange, PartnerDesk.Asker asker, byte[] body) {
    String relayId = exchange.pathParameter("relayId");
    return () -> {
      if (!sending.tryAcquire()) {
        return new Answer.Plain(Refusal.BUSY);
      }
      try {
        return desk.redeliver(asker, relayId);
      } finally {
        sending.release();
      }
    };
  }

  private Route route(String method, String path, int bodyBytesMax, Handler handler) {
    return new Route(
        method,
        path,
        Scope.OPERATE,
        method.equals("PUT") ? Owner.IN_BODY : Owner.IN_QUERY,
        Priority.REPORTS,
        bodyBytesMax,
        exchange -> work(exchange, handler));
  }

  private void work(Exchange exchange, Handler handler) {
    if (!room.tryAcquire()) {
      exchange.refuse(Refusal.BUSY);
      return;
    }
    int offset = exchange.bodyOffset();
    byte[] body = Arrays.copyOfRange(exchange.bodyBytes(), offset, offset + exchange.bodyLength());
    Principal principal = exchange.principal();
    @Nullable String kind = exchange.query("kind");
    PartnerDesk.Asker asker = new PartnerDesk.Asker(principal, exchange.pathParameter("id"), kind);
    Work work = handler.take(exchange, asker, body);
    Thread.ofVirtual().name("gilmok-partners").start(() -> answer(exchange, work));
  }

  private void answer(Exchange exchange, Work work) {
    Answer answer = new Answer.Plain(Refusal.BROKEN);
    try {
      answer = work.run();
    } catch (IOException failed) {
      LOG.log(System.Logger.Level.ERROR, "partners cannot be read or written", failed);
      answer = new Answer.Plain(Refusal.BUSY);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      answer = new Answer.Plain(Refusal.STOPPING);
    } catch (RuntimeException bug) {
      LOG.log(System.Logger.Level.ERROR, "a request about a partner failed", bug);
    } finally {
      room.release();
    }
    Answer found = answer;
    exchange.execute(() -> found.send(exchange));
  }
}
