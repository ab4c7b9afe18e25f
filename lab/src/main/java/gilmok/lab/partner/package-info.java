/**
 * A partner that receives the webhooks of deliveries. It verifies their signatures, order and
 * completeness with code of its own, written after the specification, and produces faults on
 * demand.
 */
@NullMarked
package gilmok.lab.partner;

import org.jspecify.annotations.NullMarked;
