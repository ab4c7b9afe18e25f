package gilmok.app;

import gilmok.deliveries.track.Fix;
import gilmok.event.EventView;
import gilmok.event.Field;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a rider is, for the customer's page.
 *
 * @param events the encoded latest position of a rider; null when there is none
 */
record LatestFix(Function<String, byte @Nullable []> events)
    implements Function<String, @Nullable Fix> {
  @Override
  public @Nullable Fix apply(String rider) {
    byte[] event = events.apply(rider);
    if (event == null) {
      return null;
    }
    EventView view = new EventView().wrap(event, 0, event.length);
    double speed = view.has(Field.SPEED) ? view.number(Field.SPEED) : Double.NaN;
    return new Fix(view.lat(), view.lon(), speed, view.at());
  }
}
