package gilmok.deliveries;

import gilmok.auth.Binding;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants to happen to a delivery.
 *
 * @param step not {@link Step#CREATE}
 * @param by who: {@code key:ID} or {@code rider:ID}
 * @param binding whom the asker acts for, who has to be part of the delivery; null for the fleet
 * @param atMillis when it happens, as its author says, epoch ms
 * @param ifVersion only if the delivery has this version; null for any
 * @param details a rider only for {@link Step#ASSIGN}, an agency only for {@link Step#ACCEPT}
 */
public record Move(
    Step step,
    String by,
    @Nullable Binding binding,
    long atMillis,
    @Nullable Integer ifVersion,
    StepDetails details)
    implements DetailedStep {}
