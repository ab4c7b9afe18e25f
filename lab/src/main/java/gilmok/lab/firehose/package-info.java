/**
 * A stand-in for Amazon Data Firehose that enforces the vendor's limits, which other stand-ins do
 * not, and produces faults on demand. It keeps the records that it accepts, or forwards them to
 * another stand-in.
 */
@NullMarked
package gilmok.lab.firehose;

import org.jspecify.annotations.NullMarked;
