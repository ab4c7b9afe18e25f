package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.event.ErasedRiders;
import gilmok.event.RiderAlias;
import gilmok.event.RiderErasure;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a delivery when a rider who had a part in it is erased: it stays, as orders and
 * pay must, under the rider's pseudonym, and without the places where the rider was. Immutable.
 */
public record RenamedRider(RiderAlias alias) {
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
            ofRider(state.riderId()),
            within(state.reason()),
            state.proof()),
        delivery.createdAtMillis(),
        delivery.updatedAtMillis(),
        delivery.events().stream().map(this::in).toList(),
        delivery.waiting().stream().map(this::in).toList());
  }

  /** Whether a rider has or had a part in a delivery. */
  static boolean isIn(String riderId, Delivery delivery) {
    String author = ErasedRiders.AUTHOR + riderId;
    return riderId.equals(delivery.riderId())
        || delivery.waiting().stream().anyMatch(early -> early.by().equals(author))
        || delivery.events().stream()
            .anyMatch(event -> event.by().equals(author) || riderId.equals(event.riderId()));
  }

  private DeliveryEvent in(DeliveryEvent event) {
    String by = alias.inAuthor(event.by());
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
    String by = alias.inAuthor(early.by());
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
        ofRider(details.riderId()),
        details.agencyId(),
        within(details.reason()),
        details.proof(),
        details.source(),
        details.trace());
  }

  /**
   * The document of one that cannot be read, as far as it goes; null where the rider is not in it.
   */
  byte @Nullable [] damaged(byte[] document) {
    return new RiderErasure(alias).renamed(document, 0, document.length);
  }

  /** The rider of a delivery after that. */
  @Nullable String ofRider(@Nullable String riderId) {
    return riderId == null ? null : alias.inId(riderId);
  }

  private @Nullable String within(@Nullable String reason) {
    return reason == null ? null : alias.within(reason);
  }
}
