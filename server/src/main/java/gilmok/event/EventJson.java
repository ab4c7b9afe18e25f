package gilmok.event;

/** Writes encoded events as JSON objects. */
final class EventJson {
  /** The order of the members, which is not that of the encoded form. */
  private static final Field[] ORDER = {
    Field.TYPE,
    Field.LEVEL,
    Field.MESSAGE,
    Field.LAT,
    Field.LON,
    Field.ACCURACY,
    Field.SPEED,
    Field.BEARING,
    Field.ALTITUDE,
    Field.BATTERY,
    Field.PROVIDER,
    Field.DELIVERY_ID,
    Field.ID,
    Field.ATTRIBUTES
  };

  private EventJson() {}

  static void write(EventView view, QuarantinedView quarantined, JsonBuffer out) {
    if (view.kind() == Kind.QUARANTINED) {
      quarantined.writeJson(out);
      return;
    }
    if (view.kind() == Kind.DELIVERY) {
      value(view, Field.ATTRIBUTES, out);
      return;
    }
    out.ascii("{\"riderId\":");
    out.string(view.bytes(), view.offset(Field.RIDER_ID), view.length(Field.RIDER_ID));
    out.ascii(",\"at\":").time(view.at());
    for (Field field : ORDER) {
      if (view.has(field)) {
        out.ascii(",\"").ascii(field.label()).ascii("\":");
        value(view, field, out);
      }
    }
    out.put('}');
  }

  private static void value(EventView view, Field field, JsonBuffer out) {
    switch (field.shape()) {
      case NUMBER -> view.writeNumber(field, out);
      case TEXT -> out.string(view.bytes(), view.offset(field), view.length(field));
      case MEMBERS -> out.raw(view.bytes(), view.offset(field), view.length(field));
      case TIME -> out.time(view.at());
    }
  }
}
