package gilmok.cli;

import gilmok.collect.format.FieldTraits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What can be imported, and what a declaration may say of each. Immutable. */
final class ImportTargets {
  /**
   * The fields of what another system may have kept, by the name of our records. What only we have
   * (keys, devices, partners, profiles, missions) is imported as it was exported.
   */
  static final Map<String, Map<String, FieldTraits>> DECLARED =
      Map.of(
          "deliveries", deliveries(),
          "statement-entries", entries(),
          "mission-progress", progress());

  /** All in the order in which they are imported: what others name comes first. */
  static final List<String> ALL =
      List.of(
          "keys",
          "partners",
          "devices",
          "missions",
          "profiles",
          "mission-progress",
          "deliveries",
          "statement-entries",
          "traces",
          "actions",
          "logs");

  private ImportTargets() {}

  private static Map<String, FieldTraits> deliveries() {
    Map<String, FieldTraits> fields = new LinkedHashMap<>();
    for (String text :
        List.of("id", "orderId", "shopId", "agencyId", "customerId", "status", "riderId")) {
      fields.put(text, FieldTraits.TEXT);
    }
    for (String place : List.of("pickup", "dropoff")) {
      fields.put(place + ".lat", FieldTraits.ANGLE);
      fields.put(place + ".lon", FieldTraits.ANGLE);
      fields.put(place + ".address", FieldTraits.TEXT);
    }
    fields.put("dropoff.phone", FieldTraits.TEXT);
    fields.put("fee", FieldTraits.WHOLE);
    fields.put("currency", FieldTraits.TEXT);
    for (String time :
        List.of(
            "readyAt",
            "dueBy",
            "createdAt",
            "acceptedAt",
            "assignedAt",
            "pickedUpAt",
            "completedAt",
            "endedAt")) {
      fields.put(time, FieldTraits.TIME);
    }
    fields.put("comment", FieldTraits.TEXT);
    fields.put("reason", FieldTraits.TEXT);
    return fields;
  }

  private static Map<String, FieldTraits> entries() {
    Map<String, FieldTraits> fields = new LinkedHashMap<>();
    fields.put("id", FieldTraits.TEXT);
    fields.put("riderId", FieldTraits.TEXT);
    fields.put("at", FieldTraits.TIME);
    fields.put("kind", FieldTraits.TEXT);
    fields.put("amount", FieldTraits.WHOLE);
    fields.put("currency", FieldTraits.TEXT);
    fields.put("deliveryId", FieldTraits.TEXT);
    fields.put("distance", FieldTraits.LENGTH);
    return fields;
  }

  private static Map<String, FieldTraits> progress() {
    Map<String, FieldTraits> fields = new LinkedHashMap<>();
    fields.put("riderId", FieldTraits.TEXT);
    fields.put("missionId", FieldTraits.TEXT);
    fields.put("progress", FieldTraits.OBJECT);
    fields.put("progress.count", FieldTraits.WHOLE);
    fields.put("settledAt", FieldTraits.TIME);
    return fields;
  }
}
