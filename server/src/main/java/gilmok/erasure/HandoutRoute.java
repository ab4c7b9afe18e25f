package gilmok.erasure;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.ReplyStream;
import gilmok.http.Route;
import gilmok.http.StreamOutput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The route {@code GET /v1/riders/{id}/data}: everything that is held of a rider, as a ZIP archive
 * of NDJSON files. It is made while it is sent, so it needs neither disk nor much memory; one that
 * cannot be completed is cut off, which every reader of archives notices.
 */
public final class HandoutRoute {
  private static final int IN_FLIGHT_MAX = 2;
  private static final int BUFFER_BYTES = 1 << 16;

  private final List<HandedOut> all;
  private final Offload offload;

  /** Hands out all of these, in this order. */
  public HandoutRoute(List<HandedOut> all, Offloads offloads) {
    this.all = List.copyOf(all);
    offload = offloads.of("handouts", "riders' data cannot be handed out", IN_FLIGHT_MAX, null);
  }

  /** The one route. */
  public List<Route> routes() {
    return List.of(
        Route.read(
            "/v1/riders/{id}/data", OwnershipRule.RIDER_IN_PATH, Priority.REPORTS, this::handOut));
  }

  private void handOut(Exchange exchange) {
    Principal asks = exchange.principal();
    if (asks.binding() == null && !asks.has(Scope.OPERATE)) {
      exchange.refuse(
          Refusal.NOT_YOURS, "key", "must be bound to the rider or have the scope operate");
      return;
    }
    String rider = exchange.pathParameter("id");
    exchange.replyHeader("Cache-Control", "no-store");
    exchange.replyHeader("Content-Disposition", "attachment; filename=\"rider-data.zip\"");
    offload.stream(exchange, "application/zip", reply -> write(rider, reply));
  }

  private boolean write(String rider, ReplyStream reply) throws IOException, InterruptedException {
    try (ZipOutputStream zip =
        new ZipOutputStream(new BufferedOutputStream(new StreamOutput(reply), BUFFER_BYTES))) {
      for (HandedOut one : all) {
        zip.putNextEntry(new ZipEntry(one.name() + ".ndjson"));
        one.source()
            .write(
                rider,
                json -> {
                  zip.write(json.bytes(), 0, json.size());
                  zip.write('\n');
                });
        zip.closeEntry();
      }
      return true;
    } catch (StreamOutput.ClientGoneException gone) {
      return false;
    }
  }
}
