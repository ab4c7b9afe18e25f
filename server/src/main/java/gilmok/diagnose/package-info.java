/**
 * What a server knows about itself, in one file: threads, a recording of the JVM, heap, garbage
 * collection, settings, metrics, the ledger, the log and the machine. Without the tools of a JDK,
 * and without a restart.
 */
@NullMarked
package gilmok.diagnose;

import org.jspecify.annotations.NullMarked;
