package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.event.RiderAlias;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a delivery when a rider who had a part in it is erased: it stays, as orders and
 * pay must, under the rider's pseudonym, and without the places where the rider was. Immutable.
 */
public record RenamedRider(RiderAlias alias) {
  private static final String EVENT = ",\"event\":{";

  /** A place in an event; a quotation mark within a text has a backslash before it. */
  private static final Pattern PLACE = Pattern.compile(",\"l(?:at|on)\":[-+.0-9eE]+");

  /** A delivery after that; an equal one where the rider has no part in it. */
  Delivery in(Delivery delivery) {
    DeliveryState state = delivery.state();
    return new Delivery(
        delivery.id(),
        delivery.order(),
        new DeliveryState(
            state.agencyId(),
            state.status(),
            state.version(),
            alias.inOptional(state.riderId()),
            alias.inOptional(state.reason()),
            state.proof()),
        delivery.createdAtMillis(),
        delivery.updatedAtMillis(),
        delivery.events().stream().map(this::in).toList(),
        delivery.waiting().stream().map(this::in).toList());
  }

  private DeliveryEvent in(DeliveryEvent event) {
    String by = alias.in(event.by());
    boolean isTheirs = !by.equals(event.by()) || alias.id().equals(event.details().riderId());
    return new DeliveryEvent(
        event.sequence(),
        event.step(),
        event.atMillis(),
        event.claimedAtMillis(),
        event.recordedAtMillis(),
        by,
        in(event.details(), isTheirs),
        event.late());
  }

  private Move in(Move early) {
    Binding binding = early.binding();
    boolean isBound =
        binding != null && binding.kind() == Binding.Kind.RIDER && binding.id().equals(alias.id());
    String by = alias.in(early.by());
    return new Move(
        early.step(),
        by,
        isBound ? new Binding(Binding.Kind.RIDER, alias.pseudonym()) : binding,
        early.atMillis(),
        early.arrivedAtMillis(),
        early.ifVersion(),
        in(early.details(), isBound || !by.equals(early.by())));
  }

  private StepDetails in(StepDetails details, boolean isTheirs) {
    return new StepDetails(
        isTheirs ? null : details.lat(),
        isTheirs ? null : details.lon(),
        alias.inOptional(details.riderId()),
        details.agencyId(),
        alias.inOptional(details.reason()),
        details.proof(),
        details.source(),
        details.trace());
  }

  /**
   * A record of the stream {@code deliveries} after that ({@link DeliveryJson#told}); null where
   * the rider is not in it.
   */
  public byte @Nullable [] inRecord(byte[] json, int from, int to) {
    byte[] renamed = alias.inJson(json, from, to);
    if (renamed == null) {
      return null;
    }
    String text = new String(renamed, StandardCharsets.UTF_8);
    int event = text.lastIndexOf(EVENT);
    return event < 0
        ? renamed
        : (text.substring(0, event) + PLACE.matcher(text.substring(event)).replaceAll(""))
            .getBytes(StandardCharsets.UTF_8);
  }
}
