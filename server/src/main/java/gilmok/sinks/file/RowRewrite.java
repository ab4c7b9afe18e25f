package gilmok.sinks.file;

import org.jspecify.annotations.Nullable;

/** Decides what becomes of a row of a file, text by text. Not thread-safe. */
interface RowRewrite {
  /** Nothing is left of the row. */
  byte[] GONE = {};

  /** Whether a column's texts are looked at; of others, none changes. */
  boolean sees(String column);

  /**
   * What becomes of a text: null if it stays, {@link #GONE} if the whole row goes, else the text
   * that takes its place.
   */
  byte @Nullable [] left(String column, byte[] bytes, int offset, int length);
}
