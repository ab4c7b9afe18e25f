package gilmok.statements;

import static gilmok.event.LittleEndian.getInt;
import static gilmok.event.LittleEndian.getLong;
import static gilmok.statements.BsonBytes.word;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An entry's document exactly as a covering index answers it: each field at its place, integers of
 * 64 bits, a currency of three letters. Its length gives its only possible form, and a few
 * comparisons verify it. {@link BsonEntries} reads all other documents field by field. Pure
 * functions; thread-safe.
 *
 * <pre>
 *   0  size, of 83 bytes or, for the longer kinds, 89
 *   4  12 a t 0, then 8 bytes
 *  16  02 k i n d 0, then a size and "fee", "incentive" or "deduction" with a zero
 *  30  12 a m o u n t 0, then 8 bytes            (this and what follows: 6 later if it is longer)
 *  46  12 d i s t a n c e 0, then 8 bytes
 *  64  02 c u r r e n c y 0, then 4 and three letters with a zero
 *  82  0
 * </pre>
 */
final class PlainEntry {
  static final int AT = 8;
  static final int AMOUNT = 38;
  static final int DISTANCE = 56;
  static final int FEE_BYTES = 83;
  private static final int LONGER_BYTES = 89;

  private static final int AT_HEAD = (int) head("\u0012at\0");
  private static final long KIND_HEAD = head("\u0002kind\0");
  private static final long SIX_BYTES = 0xFFFF_FFFF_FFFFL;
  private static final long FEE = head("\4\0\0\0fee\0");
  private static final long TEN_AND_INCE = head("\n\0\0\0ince");
  private static final long NTIVE = head("ntive\0\u0012a");
  private static final long TEN_AND_DEDU = head("\n\0\0\0dedu");
  private static final long CTION = head("ction\0\u0012a");
  private static final long AMOUNT_HEAD = head("\u0012amount\0");
  private static final long DISTANCE_HEAD = head("\u0012distanc");
  private static final long CURRENCY_HEAD = head("\u0002currenc");
  private static final long CURRENCY_REST = head("y\0\4\0\0\0");
  private static final int E_AND_ZERO = 'e';
  private static final int TWO_BYTES = 0xFFFF;

  private PlainEntry() {}

  private static long head(String text) {
    return word(text.getBytes(StandardCharsets.ISO_8859_1), 0);
  }

  /**
   * The kind of the entry; null when the document has another form, or another currency.
   *
   * @param size the document's size; all of it must be within the array
   * @param currency the three letters as a little-endian number
   */
  static @Nullable EntryKind kind(byte[] bytes, int position, int size, int currency) {
    if (size != FEE_BYTES && size != LONGER_BYTES) {
      return null;
    }
    int rest = position + size - FEE_BYTES;
    boolean isPlain =
        getInt(bytes, position + 4) == AT_HEAD
            && (getLong(bytes, position + 16) & SIX_BYTES) == KIND_HEAD
            && getLong(bytes, rest + 30) == AMOUNT_HEAD
            && getLong(bytes, rest + 46) == DISTANCE_HEAD
            && (getInt(bytes, rest + 54) & TWO_BYTES) == E_AND_ZERO
            && getLong(bytes, rest + 64) == CURRENCY_HEAD
            && (getLong(bytes, rest + 72) & SIX_BYTES) == CURRENCY_REST
            && getInt(bytes, rest + 78) == currency;
    if (!isPlain) {
      return null;
    }
    long begin = getLong(bytes, position + 22);
    if (size == FEE_BYTES) {
      return begin == FEE ? EntryKind.FEE : null;
    }
    long end = getLong(bytes, position + 30);
    if (begin == TEN_AND_INCE && end == NTIVE) {
      return EntryKind.INCENTIVE;
    }
    return begin == TEN_AND_DEDU && end == CTION ? EntryKind.DEDUCTION : null;
  }
}
