/**
 * Makes the Parquet files of a large fleet's past, for what is measured of questions about it
 * ({@code lab/history}).
 */
@NullMarked
package gilmok.lab.history;

import org.jspecify.annotations.NullMarked;
