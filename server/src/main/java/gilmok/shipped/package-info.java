/**
 * The Parquet files that sinks of kind {@code files} have published, found again.
 *
 * <p>A sink's folder has {@code stream=STREAM/date=DATE/hour=HOUR/} by the time of receipt. The
 * name of a file says what can be in it ({@link gilmok.shipped.ShippedName}): as published, {@code
 * NODE-FIRST-LAST.parquet}; compacted, {@code NODE-FIRST-LAST-cN-riders-I-of-P.parquet} and {@code
 * …-late-I-of-P.parquet} with the riders of a part ({@link gilmok.shipped.RiderHash}), or {@code
 * …-all-1-of-1.parquet} for streams without riders.
 *
 * <p>A file never changes. The same record may be in two files: while compacted files take the
 * place of others, and after it was shipped twice. Readers drop the repeats by {@code dedup_key}.
 *
 * <p>Who reads takes a lease ({@link gilmok.shipped.ShippedFiles#lease}); files that were compacted
 * are deleted only after the leases that may have found them ({@link gilmok.shipped.FileLeases}).
 */
@NullMarked
package gilmok.shipped;

import org.jspecify.annotations.NullMarked;
