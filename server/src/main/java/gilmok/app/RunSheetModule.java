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
import gilmok.privacy.Purpose;
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

/**
 * Starts run sheets: of posted problems and, if this server has positions and deliveries, of its
 * riders.
 */
final class RunSheetModule {
  private RunSheetModule() {}

  /**
   * Starts the planners, without waiting for them; null if this part is switched off.
   *
   * @param positions the positions of riders; null if that part is switched off
   * @param lender the run sheets whose planners are shared; null for planners of its own
   */
  static @Nullable RunSheets start(
      ServerContext context, @Nullable Positions positions, @Nullable RunSheets lender) {
    ServerConfig config = context.config;
    if (!config.has(Part.RUN_SHEETS)) {
      return null;
    }
    RiderWork riders =
        positions != null && config.has(Part.DELIVERIES)
            ? new RiderWork(
                new LatestFix(
                    rider ->
                        context.privacy.consents().hides(Purpose.DISPATCH, rider)
                            ? null
                            : positions.event(rider)),
                context.documents.deliveries())
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
   * Reads riders' positions and open deliveries for run sheets.
   *
   * @param latest the position of a rider; null if unknown
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
      // This order misses nothing: a delivery picked up between the two queries is in both results.
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
