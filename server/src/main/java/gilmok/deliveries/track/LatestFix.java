package gilmok.deliveries.track;

import gilmok.event.EventField;
import gilmok.event.EventView;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decodes riders' latest positions for the customer's page. Thread-safe if {@code events} is.
 *
 * @param events returns a rider's latest position, encoded; null when there is none
 */
public record LatestFix(Function<String, byte @Nullable []> events)
    implements Function<String, @Nullable RiderFix> {
  @Override
  public @Nullable RiderFix apply(String rider) {
    byte[] event = events.apply(rider);
    if (event == null) {
      return null;
    }
    EventView view = new EventView().wrap(event, 0, event.length);
    double speed = view.has(EventField.SPEED) ? view.number(EventField.SPEED) : Double.NaN;
    return new RiderFix(view.lat(), view.lon(), speed, view.at());
  }
}
