package gilmok.history;

import gilmok.shipped.ShippedFiles;
import java.util.function.LongSupplier;

/**
 * The files into which a sink ships a stream. Thread-safe.
 *
 * @param settled gives the sequence up to which this node's records are in them; 0 for none
 */
public record ShippedStream(ShippedFiles files, LongSupplier settled) {}
