package gilmok.runsheet;

import gilmok.config.Settings;
import gilmok.runsheet.Riders.Open;
import gilmok.runsheet.RunSheetBody.Wish;
import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.PlanCheck;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.Stop;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Encodes run sheets as JSON. */
final class RunSheetJson {
  private static final JsonFactory JSON = new JsonFactory();

  private RunSheetJson() {}

  /** A new plan for a request. */
  static byte[] planned(Wish wish, Plan plan, long tookNanos) {
    return bytes(
        out -> {
          stops(out, wish, plan.stops());
          proven(out, plan);
          took(out, tookNanos);
          late(out, plan.stops(), place -> wish.problem().orders().get(place).id());
        });
  }

  /** A given plan with the result of its check. */
  static byte[] checked(Wish wish, PlanCheck check, long tookNanos) {
    List<PlanOrder> orders = wish.problem().orders();
    return bytes(
        out -> {
          stops(out, wish, check.stops());
          out.writeNumberProperty("cost", check.cost());
          out.writeNumberProperty("lateness", check.lateness());
          took(out, tookNanos);
          late(out, check.stops(), place -> orders.get(place).id());
          out.writeArrayPropertyStart("violations");
          for (PlanCheck.Violation violation : check.violations()) {
            out.writeStartObject();
            if (violation.place() != PlanCheck.NOWHERE) {
              out.writeNumberProperty("index", violation.place());
            }
            out.writeStringProperty("orderId", orders.get(violation.order()).id());
            out.writeStringProperty("rule", Settings.dashed(violation.rule()));
            out.writeEndObject();
          }
          out.writeEndArray();
        });
  }

  /** A rider's run sheet. */
  static byte[] rider(String riderId, RiderSheet sheet, Plan plan, long tookNanos) {
    return bytes(
        out -> {
          out.writeStringProperty("riderId", riderId);
          out.writeObjectPropertyStart("position");
          point(out, sheet.from().point());
          out.writeStringProperty("at", time(sheet.from().atMillis()));
          out.writeEndObject();
          out.writeArrayPropertyStart("stops");
          for (Stop stop : plan.stops()) {
            Open open = sheet.open().get(stop.order());
            out.writeStartObject();
            out.writeStringProperty("deliveryId", open.deliveryId());
            out.writeStringProperty("orderId", open.orderId());
            out.writeStringProperty("kind", Settings.dashed(stop.kind()));
            point(out, sheet.points().get(stop.node()));
            out.writeStringProperty("arriveAt", time(sheet.atMillis(stop.arriveAt())));
            out.writeEndObject();
          }
          out.writeEndArray();
          proven(out, plan);
          took(out, tookNanos);
          late(out, plan.stops(), place -> sheet.open().get(place).deliveryId());
        });
  }

  /** The run sheet of a rider without open deliveries. */
  static byte[] idle(String riderId, long tookNanos) {
    Plan plan = new Plan(List.of(), 0, 0, 0, true);
    return bytes(
        out -> {
          out.writeStringProperty("riderId", riderId);
          out.writeArrayPropertyStart("stops");
          out.writeEndArray();
          proven(out, plan);
          took(out, tookNanos);
          late(out, plan.stops(), _ -> "");
        });
  }

  private static void stops(JsonGenerator out, Wish wish, List<Stop> stops) {
    List<GroundPoint> points = wish.points();
    out.writeArrayPropertyStart("stops");
    for (Stop stop : stops) {
      out.writeStartObject();
      if (points == null) {
        out.writeNumberProperty("node", stop.node());
      } else {
        point(out, points.get(stop.node()));
      }
      out.writeStringProperty("orderId", wish.problem().orders().get(stop.order()).id());
      out.writeStringProperty("kind", Settings.dashed(stop.kind()));
      out.writeNumberProperty("arriveAt", stop.arriveAt());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void proven(JsonGenerator out, Plan plan) {
    out.writeNumberProperty("cost", plan.cost());
    out.writeNumberProperty("lateness", plan.lateness());
    out.writeBooleanProperty("optimal", plan.optimal());
    out.writeNumberProperty("bound", plan.bound());
  }

  private static void took(JsonGenerator out, long nanos) {
    out.writeNumberProperty("tookMs", Math.round(nanos / 10_000.0) / 100.0);
  }

  private static void late(JsonGenerator out, List<Stop> stops, IntFunction<String> id) {
    out.writeArrayPropertyStart("late");
    for (Stop stop : stops) {
      if (stop.lateBy() > 0) {
        out.writeString(id.apply(stop.order()));
      }
    }
    out.writeEndArray();
  }

  private static void point(JsonGenerator out, GroundPoint point) {
    out.writeNumberProperty("lat", point.lat());
    out.writeNumberProperty("lon", point.lon());
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private static byte[] bytes(Consumer<JsonGenerator> members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
      out.writeStartObject();
      members.accept(out);
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }
}
