/**
 * Parquet, as much of it as flat records need: what {@link gilmok.parquet.ParquetWriter} writes is
 * read by every reader of the format, and {@link gilmok.parquet.ParquetReader} reads what the
 * writer writes, of this version and of earlier ones. A file of another program is refused.
 *
 * <p>On disk, numbers with the least significant byte first:
 *
 * <pre>
 *   "PAR1"
 *   row groups: for each column a chunk, which is its pages one after the other
 *     page: a header (Thrift), then one zstd frame with a checksum. Inside of that frame, for an
 *           optional column, 4 bytes of length and the runs of bits that say which rows have a
 *           value; then the values: 8 bytes each, texts after 4 bytes of length, flags as bits
 *   footer (Thrift): the schema, the rows; of each chunk its place and bounds; its own checksum
 *   4 bytes: the footer's length
 *   "PAR1"
 * </pre>
 *
 * <p>All columns of a row group end their pages at the same rows, and a page of all columns has at
 * most 20,480 rows or about 4 MiB. So a reader that goes from page to page needs that much memory,
 * however large the row group.
 *
 * <p>Damage is found: a file of this version that was cut or changed anywhere gives a {@link
 * gilmok.parquet.DamagedParquetException}, or the rows that were written.
 */
@NullMarked
package gilmok.parquet;

import org.jspecify.annotations.NullMarked;
