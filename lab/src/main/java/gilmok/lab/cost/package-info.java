/**
 * What a fleet needs and costs a month: nodes, disks, traffic and the vendor's bill, beside the
 * same for a gateway that is paid by the request and functions behind it. Arithmetic only: pure
 * functions of a demand and of assumptions, each of which has a name and can be replaced.
 */
@NullMarked
package gilmok.lab.cost;

import org.jspecify.annotations.NullMarked;
