/**
 * The sink that writes files: NDJSON with zstd, or Parquet.
 *
 * <p>A {@link gilmok.sinks.file.FilesSink} gathers records in a {@code Volume} of files that nobody
 * sees yet, in {@code .open-NODE} of its folder, and publishes them together: each is made whole,
 * forced, renamed into its folder, and the folders are forced. Only then are the records
 * acknowledged. So a file that can be seen is whole, after a crash as well, and a record that is
 * acknowledged is durable. What a crash left in {@code .open-NODE} is deleted; what it published
 * but the cursor does not know of is replaced when its records come again ({@code UnsettledFiles}).
 *
 * <p>Parquet is written by code of our own ({@code ParquetFile}, {@code ParquetColumn}, {@code
 * ThriftWriter}): flat columns, plain values, zstd. Lines of NDJSON are {@link
 * gilmok.sinks.ShippedLine}'s.
 */
@NullMarked
package gilmok.sinks.file;

import org.jspecify.annotations.NullMarked;
