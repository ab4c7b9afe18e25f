package gilmok.lab.torture;

import gilmok.lab.Reply;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/**
 * Moves orders on, one request at a time. It relies only on responses: after a request without one
 * it reads the delivery first. Thread-safe for different orders.
 */
record Mover(Caller caller, Journal journal) {
  /** Sends one more request for an unfinished order; returns whether it succeeded. */
  boolean move(Order order) throws IOException, InterruptedException {
    if (order.version() == 0) {
      return create(order);
    }
    if (order.isUnsure() || order.isActionTaken()) {
      return look(order);
    }
    if (order.isNextByAction()) {
      return act(order);
    }
    return step(order);
  }

  private boolean create(Order order) throws IOException, InterruptedException {
    Reply reply =
        caller.post(
            "/v1/deliveries", order.json(), "Idempotency-Key", "torture-" + order.orderId());
    if (reply.status() == 201) {
      order.created(reply.json().path("id").asString(""));
      return true;
    }
    refused("creating", order, reply);
    return false;
  }

  private boolean look(Order order) throws IOException, InterruptedException {
    Reply reply = caller.get("/v1/deliveries/" + order.id());
    if (reply.status() != 200) {
      if (reply.status() == 404) {
        journal.findings().add("acknowledged and lost: delivery " + order);
      }
      return false;
    }
    seen(order, reply.json());
    return true;
  }

  /** Records a delivery's present state, which must be the known one or the next. */
  private void seen(Order order, JsonNode delivery) {
    int version = delivery.path("version").asInt(0);
    String status = delivery.path("status").asString("");
    if (version < order.version() || version > order.version() + 1) {
      journal.findings().add("delivery " + order + " is found at version " + version);
      order.unsure(true);
      return;
    }
    String wanted = version == order.version() ? order.status() : order.next().to();
    if (!status.equals(wanted)) {
      journal
          .findings()
          .add("delivery " + order + " is " + status + " and not " + wanted + " at " + version);
    }
    if (version > order.version() || !order.isActionTaken()) {
      order.reached(version);
    }
  }

  private boolean act(Order order) throws IOException, InterruptedException {
    journal.extras().sent(order.actionId());
    Reply reply = caller.post("/v1/actions", order.action(journal.startMillis()));
    if (reply.status() == 202) {
      journal.extras().acknowledged(order.actionId());
      order.actionTaken();
      return true;
    }
    return false;
  }

  private boolean step(Order order) throws IOException, InterruptedException {
    Edge next = order.next();
    String body = next == Edge.ASSIGNED ? "{\"riderId\":\"" + order.rider() + "\"}" : "";
    String path = "/v1/deliveries/" + order.id() + "/" + next.route();
    String version = "\"" + order.version() + "\"";
    // From here on the step may have happened, even if this throws.
    order.unsure(true);
    Reply reply = caller.post(path, body, "If-Match", version);
    if (reply.status() == 200) {
      seen(order, reply.json());
      if (order.isUnsure()) {
        return false;
      }
      return true;
    }
    // A conflict, or another version, can be the result of an earlier request whose response was
    // lost.
    if (reply.status() != 409 && reply.status() != 412) {
      refused(next.route(), order, reply);
    }
    return false;
  }

  private void refused(String what, Order order, Reply reply) {
    if (reply.status() / 100 == 4 && reply.status() != 429) {
      journal.findings().add(what + " delivery " + order + " was refused: " + reply);
    }
  }
}
