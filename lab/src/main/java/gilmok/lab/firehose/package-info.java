/**
 * A stand-in for Amazon Data Firehose that holds the vendor's limits, which other stand-ins do not,
 * and misbehaves on demand. It keeps what it took, or hands it on to another stand-in.
 */
@NullMarked
package gilmok.lab.firehose;

import org.jspecify.annotations.NullMarked;
