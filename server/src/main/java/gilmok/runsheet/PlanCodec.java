package gilmok.runsheet;

import gilmok.runsheet.plan.Plan;
import gilmok.runsheet.plan.Stop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The encoding of a plan, big-endian.
 *
 * <pre>
 * cost long, lateness long, bound long, optimal byte, stops int, each: node int, order int,
 * drop-off byte, arrive long, late long
 * </pre>
 */
final class PlanCodec {
  private static final int HEAD_BYTES = 3 * Long.BYTES + Byte.BYTES + Integer.BYTES;
  private static final int STOP_BYTES = 2 * Integer.BYTES + Byte.BYTES + 2 * Long.BYTES;

  private PlanCodec() {}

  static int size(Plan plan) {
    return HEAD_BYTES + plan.stops().size() * STOP_BYTES;
  }

  static void write(Plan plan, ByteBuffer out) {
    out.putLong(plan.cost()).putLong(plan.lateness()).putLong(plan.bound());
    out.put((byte) (plan.optimal() ? 1 : 0)).putInt(plan.stops().size());
    for (Stop stop : plan.stops()) {
      out.putInt(stop.node()).putInt(stop.order());
      out.put((byte) (stop.kind() == Stop.Kind.DROPOFF ? 1 : 0));
      out.putLong(stop.arriveAt()).putLong(stop.lateBy());
    }
  }

  /** Reads a plan that {@link #write} wrote. */
  static Plan read(ByteBuffer in) {
    long cost = in.getLong();
    long lateness = in.getLong();
    long bound = in.getLong();
    boolean optimal = in.get() == 1;
    int count = in.getInt();
    List<Stop> stops = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      stops.add(
          new Stop(
              in.getInt(),
              in.getInt(),
              in.get() == 1 ? Stop.Kind.DROPOFF : Stop.Kind.PICKUP,
              in.getLong(),
              in.getLong()));
    }
    return new Plan(stops, cost, lateness, bound, optimal);
  }
}
