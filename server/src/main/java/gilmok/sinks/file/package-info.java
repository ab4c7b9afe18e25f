/**
 * The sink that writes files: NDJSON with zstd, or Parquet.
 *
 * <p>A {@link gilmok.sinks.file.FilesSink} gathers records in a {@code Volume} of hidden files, in
 * {@code .open-NODE} of its folder, and publishes them together: each is finished, forced and
 * renamed into its folder, and the folders are forced. Only then are the records acknowledged. So a
 * visible file is complete, even after a crash, and an acknowledged record is durable. Files that a
 * crash left in {@code .open-NODE} are deleted. Files that were published but that the cursor does
 * not cover are replaced when their records are sent again ({@code UnsettledFiles}).
 *
 * <p>Small Parquet files become larger, sorted ones: {@code FileCompaction} says which and when,
 * {@code HourCompaction} what is written, {@code HourFolder} how files take the place of others
 * without a moment in which a record is in none.
 *
 * <p>Parquet is written by our own code ({@link gilmok.parquet}). Lines of NDJSON are those of
 * {@link gilmok.sinks.ShippedLine}.
 */
@NullMarked
package gilmok.sinks.file;

import org.jspecify.annotations.NullMarked;
