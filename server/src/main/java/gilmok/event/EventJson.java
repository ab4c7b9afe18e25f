package gilmok.event;

/** Writes encoded events as JSON objects. */
final class EventJson {
  /** The order of the members, which is not that of the encoded form. */
  private static final EventField[] ORDER = {
    EventField.TYPE,
    EventField.LEVEL,
    EventField.MESSAGE,
    EventField.LAT,
    EventField.LON,
    EventField.ACCURACY,
    EventField.SPEED,
    EventField.BEARING,
    EventField.ALTITUDE,
    EventField.BATTERY,
    EventField.PROVIDER,
    EventField.DELIVERY_ID,
    EventField.ID,
    EventField.ATTRIBUTES
  };

  private EventJson() {}

  static void write(EventView view, QuarantinedView quarantined, JsonBuffer out) {
    if (view.kind() == EventKind.QUARANTINED) {
      quarantined.writeJson(out);
      return;
    }
    if (view.kind() == EventKind.DELIVERY) {
      value(view, EventField.ATTRIBUTES, out);
      return;
    }
    out.ascii("{\"riderId\":");
    out.string(view.bytes(), view.offset(EventField.RIDER_ID), view.length(EventField.RIDER_ID));
    out.ascii(",\"at\":").time(view.at());
    for (EventField field : ORDER) {
      if (view.has(field)) {
        out.ascii(",\"").ascii(field.label()).ascii("\":");
        value(view, field, out);
      }
    }
    out.put('}');
  }

  private static void value(EventView view, EventField field, JsonBuffer out) {
    switch (field.shape()) {
      case NUMBER -> view.writeNumber(field, out);
      case TEXT -> out.string(view.bytes(), view.offset(field), view.length(field));
      case MEMBERS -> out.raw(view.bytes(), view.offset(field), view.length(field));
      case TIME -> out.time(view.at());
    }
  }
}
