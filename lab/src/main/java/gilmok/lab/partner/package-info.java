/**
 * A partner that is told of deliveries: it verifies signature, order and completeness with code of
 * its own, after the specification, and misbehaves on demand.
 */
@NullMarked
package gilmok.lab.partner;

import org.jspecify.annotations.NullMarked;
