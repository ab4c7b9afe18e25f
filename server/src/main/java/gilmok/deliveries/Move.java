package gilmok.deliveries;

import gilmok.auth.Binding;
import org.jspecify.annotations.Nullable;

/**
 * A requested step of a delivery. Immutable.
 *
 * @param step not {@link Step#CREATE}
 * @param by the author: {@code key:ID} or {@code rider:ID}
 * @param binding whom the caller acts for, who must have a part in the delivery; null for the fleet
 * @param atMillis when it happens, as its author says, epoch ms
 * @param ifVersion the version that the delivery must have; null for any
 * @param details names a rider only for {@link Step#ASSIGN}, an agency only for {@link Step#ACCEPT}
 */
public record Move(
    Step step,
    String by,
    @Nullable Binding binding,
    long atMillis,
    @Nullable Integer ifVersion,
    StepDetails details)
    implements DetailedStep {}
