package gilmok.lab.torture;

import gilmok.lab.crash.Violations;
import tools.jackson.databind.JsonNode;

/**
 * Checks a delivery and its events against the lifecycle and against the requests: every event
 * once, in order, allowed in its state, and none that was not requested. A pure function, except
 * that it adds findings.
 */
final class HistoryCheck {
  private HistoryCheck() {}

  /**
   * Checks one delivery.
   *
   * @param delivery the present delivery on the server
   * @param events the response of {@code GET …/events}
   */
  static void check(Order order, JsonNode delivery, JsonNode events, Violations findings) {
    int version = delivery.path("version").asInt(0);
    String found = delivery.path("status").asString("");
    if (version != order.version() || !found.equals(order.status())) {
      findings.add(
          "delivery %s was answered as %s and is %s at version %d"
              .formatted(order, order.status(), found, version));
      return;
    }
    String status = "";
    int last = 0;
    for (JsonNode event : events.path("items")) {
      int sequence = event.path("sequence").asInt(-1);
      if (sequence == 0 && event.path("late").asBoolean(false)) {
        continue;
      }
      if (sequence != last + 1 || sequence > order.version()) {
        findings.add("delivery " + order + ": event " + sequence + " comes after " + last);
        return;
      }
      Edge step = order.at(sequence);
      if (!event.path("type").asString("").equals(step.type())) {
        findings.add("delivery " + order + ": nobody asked for " + event);
        return;
      }
      if (!step.isAllowedFrom(status)) {
        findings.add("delivery " + order + ": " + step + " is not allowed from " + status);
        return;
      }
      status = step.to();
      last = sequence;
    }
    if (last != version) {
      findings.add("delivery " + order + ": of its events only " + last + " are there");
    }
  }
}
