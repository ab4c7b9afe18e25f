package gilmok.app;

import gilmok.background.LowPriority;
import gilmok.config.Part;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryPlace;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.Status;
import gilmok.deliveries.track.LatestFix;
import gilmok.deliveries.track.RiderFix;
import gilmok.positions.Positions;
import gilmok.runsheet.GroundPoint;
import gilmok.runsheet.PlannerMain;
import gilmok.runsheet.Riders;
import gilmok.runsheet.RunSheetConfig;
import gilmok.runsheet.RunSheets;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Starts run sheets: anybody's, and, where this server knows enough, those of its riders. */
final class RunSheetModule {
  private RunSheetModule() {}

  /**
   * Starts the planners; does not wait for them. Null where this part is left off.
   *
   * @param positions knows where riders are; null where that part is left off
   * @param lender whose planners plan; null: its own
   */
  static @Nullable RunSheets start(
      ServerContext context, @Nullable Positions positions, @Nullable RunSheets lender) {
    ServerConfig config = context.config;
    if (!config.has(Part.RUN_SHEETS)) {
      return null;
    }
    RiderWork riders =
        positions != null && config.has(Part.DELIVERIES)
            ? new RiderWork(new LatestFix(positions::event), context.documents.deliveries())
            : null;
    RunSheetConfig limits = config.of(RunSheetConfig.class);
    RunSheets.Means all =
        new RunSheets.Means(
            context.meters,
            context.offloads,
            context.clock,
            PlannerMain.solver(),
            PlannerMain.line(limits),
            LowPriority.threads("planner"),
            riders);
    RunSheets planning = lender == null ? RunSheets.start(limits, all) : lender.beside(limits, all);
    context.ends(planning);
    context.warmables.add(planning);
    context.answers(planning.routes());
    return planning;
  }

  /**
   * Tells run sheets where riders are, and what they have to do.
   *
   * @param latest where a rider is; null when that is not known
   */
  private record RiderWork(Function<String, @Nullable RiderFix> latest, DeliveryStore store)
      implements Riders {
    @Override
    public @Nullable Sighting latest(String riderId) {
      RiderFix fix = latest.apply(riderId);
      return fix == null
          ? null
          : new Sighting(new GroundPoint(fix.lat(), fix.lon()), fix.atMillis());
    }

    @Override
    public List<Open> open(String riderId, int most) throws IOException, InterruptedException {
      // In this order nothing is missed: what is picked up between the two answers is in both.
      Map<String, Open> open = new LinkedHashMap<>();
      for (Status status : List.of(Status.ASSIGNED, Status.PICKED_UP)) {
        DeliveryStore.Filter filter =
            new DeliveryStore.Filter(status, riderId, null, null, null, null);
        for (Delivery delivery : store.list(filter, null, most)) {
          open.put(delivery.id(), open(delivery));
        }
      }
      return open.values().stream().limit(most).toList();
    }

    private static Open open(Delivery delivery) {
      return new Open(
          delivery.id(),
          delivery.order().orderId(),
          point(delivery.order().pickup()),
          point(delivery.order().dropoff()),
          delivery.order().terms().readyAtMillis(),
          delivery.order().terms().dueByMillis(),
          delivery.status() == Status.PICKED_UP);
    }

    private static GroundPoint point(DeliveryPlace place) {
      return new GroundPoint(place.lat(), place.lon());
    }
  }
}
