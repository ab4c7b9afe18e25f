package gilmok.statements;

import static gilmok.statements.BsonBytes.text;

import gilmok.event.DayRange;
import gilmok.event.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Sums entries directly from the BSON that MongoDB sends, without an object for each document or
 * field. Fields can come in any order, and numbers in any numeric type; unknown fields are skipped.
 * Bytes that are not entries are refused. Not thread-safe: one for each statement.
 */
public final class BsonEntries {
  private static final long THREE_BYTES = 0xFF_FFFFL;
  private static final long FOUR_BYTES = 0xFFFF_FFFFL;
  private static final long FIVE_BYTES = 0xFF_FFFF_FFFFL;
  private static final long SEVEN_BYTES = 0xFF_FFFF_FFFF_FFFFL;

  // Names as numbers, so that one comparison decides.
  private static final long AT = number("at");
  private static final long KIND = number("kind");
  private static final long AMOUNT = number("amount");
  private static final long DISTANCE = number("distance");
  private static final long CURRENCY = number("currency");

  private static final long FEE = number("fee");
  private static final byte[] INCENTIVE = text("incentive");
  private static final byte[] DEDUCTION = text("deduction");
  private static final byte[] AT_TEXT = text("at");
  private static final byte[] CURSOR = text("cursor");
  private static final byte[] FIRST_BATCH = text("firstBatch");
  private static final byte[] ID = text("id");

  private static final int SIZE_BYTES = 4;
  private static final int WORD_BYTES = 8;

  /** Never equal to three letters with their zero. */
  private static final int NO_LETTERS = -1;

  private final DayRange days;
  private final byte[] currency;
  private final DaySums sums;

  /** The currency as a number if it has three letters, else {@link #NO_LETTERS}. */
  private final int letters;

  /** The day of the entry before, where the search for the next one's begins. */
  private int day;

  /** The currency that was last left out, with its zero. */
  private byte[] leftOut = {};

  /**
   * Adds to these sums.
   *
   * @param days the days that all entries must be in
   * @param currency the currency to sum; entries of others are left out
   * @param sums with a place for each of the days
   */
  public BsonEntries(DayRange days, String currency, DaySums sums) {
    this.days = days;
    this.currency = text(currency);
    letters =
        this.currency.length == SIZE_BYTES ? LittleEndian.getInt(this.currency, 0) : NO_LETTERS;
    this.sums = sums;
  }

  private static long number(String name) {
    return BsonBytes.word(text(name), 0);
  }

  /**
   * Sums the documents of an answer to {@code find}, which must be complete in its first batch.
   *
   * @param reply the whole answer, a document
   * @return the number of documents in it
   * @throws DamagedBson when it is no such answer
   */
  public int addReply(byte[] reply) throws DamagedBson {
    return addReply(reply, Long.MAX_VALUE);
  }

  /**
   * Sums an answer without the entries at {@code untilMillis} (epoch ms) and later. Returns the
   * number of all its documents.
   */
  int addReply(byte[] reply, long untilMillis) throws DamagedBson {
    int batch = firstBatch(reply);
    int last = BsonBytes.documentEnd(reply, batch, reply.length) - 1;
    int count = 0;
    int next = batch + SIZE_BYTES;
    while (next < last) {
      next = addOne(reply, element(reply, next, last), last, untilMillis);
      count++;
    }
    return count;
  }

  /**
   * Sums documents that are stored one after the other.
   *
   * @return the number of documents
   * @throws DamagedBson when they are not entries, or the last one is cut off
   */
  public int addDocuments(byte[] documents, int offset, int length) throws DamagedBson {
    int end = Objects.checkFromIndexSize(offset, length, documents.length) + length;
    int count = 0;
    for (int next = offset; next < end; count++) {
      next = addOne(documents, next, end, Long.MAX_VALUE);
    }
    return count;
  }

  /**
   * The time of the last entry of a full answer, epoch ms: it has as many entries as asked for, so
   * there may be more. {@link Long#MAX_VALUE} if it has fewer.
   */
  static long lastIfFull(byte[] reply, int asked) throws DamagedBson {
    int batch = firstBatch(reply);
    int last = BsonBytes.documentEnd(reply, batch, reply.length) - 1;
    int count = 0;
    int entry = 0;
    int next = batch + SIZE_BYTES;
    while (next < last) {
      entry = element(reply, next, last);
      next = BsonBytes.documentEnd(reply, entry, last);
      count++;
    }
    if (count < asked) {
      return Long.MAX_VALUE;
    }
    return BsonBytes.whole(reply, entry, last, AT_TEXT);
  }

  /** The beginning of the array of the answer's documents. */
  private static int firstBatch(byte[] reply) throws DamagedBson {
    int cursor = BsonBytes.field(reply, 0, reply.length, CURSOR, BsonBytes.DOCUMENT);
    if (BsonBytes.whole(reply, cursor, reply.length, ID) != 0) {
      throw new DamagedBson("not the whole answer, but the first batch", cursor);
    }
    return BsonBytes.field(reply, cursor, reply.length, FIRST_BATCH, BsonBytes.ARRAY);
  }

  /** The beginning of the next document of an array. */
  private static int element(byte[] bytes, int position, int end) throws DamagedBson {
    if (bytes[position] != BsonBytes.DOCUMENT) {
      throw new DamagedBson("not a document but of type " + bytes[position], position);
    }
    return BsonBytes.nameEnd(bytes, position + 1, end);
  }

  /** Sums the document that begins at {@code position}. Returns the beginning of the next one. */
  private int addOne(byte[] bytes, int position, int limit, long untilMillis) throws DamagedBson {
    int end = BsonBytes.documentEnd(bytes, position, limit);
    EntryKind kind = PlainEntry.kind(bytes, position, end - position, letters);
    if (kind == null) {
      addFields(bytes, position, end, untilMillis);
      return end;
    }
    long at = LittleEndian.getLong(bytes, position + PlainEntry.AT);
    if (at < untilMillis) {
      int rest = end - PlainEntry.FEE_BYTES;
      long amount = LittleEndian.getLong(bytes, rest + PlainEntry.AMOUNT);
      long distance = LittleEndian.getLong(bytes, rest + PlainEntry.DISTANCE);
      check(at, amount, distance, position);
      day = days.dayOf(at, day);
      sums.add(day, kind, amount, distance);
    }
    return end;
  }

  /** Sums a document field by field, in whatever order. */
  private void addFields(byte[] bytes, int position, int end, long untilMillis) throws DamagedBson {
    int last = end - 1;
    long at = Long.MIN_VALUE;
    long amount = -1;
    long distance = 0;
    EntryKind kind = null;
    int money = -1;
    int moneyEnd = -1;
    int next = position + SIZE_BYTES;
    while (next < last) {
      byte type = bytes[next++];
      long name = BsonBytes.word(bytes, next);
      if ((name & THREE_BYTES) == AT) {
        next += 3;
        at = BsonBytes.whole(type, bytes, next, last);
        next += BsonBytes.numberBytes(type);
      } else if ((name & FIVE_BYTES) == KIND) {
        next += 5;
        int textEnd = string(type, bytes, next, last);
        kind = kind(bytes, next + SIZE_BYTES, textEnd);
        next = textEnd;
      } else if ((name & SEVEN_BYTES) == AMOUNT) {
        next += 7;
        amount = BsonBytes.whole(type, bytes, next, last);
        next += BsonBytes.numberBytes(type);
      } else if (name == DISTANCE && isNameEnd(bytes, next, last)) {
        next += WORD_BYTES + 1;
        distance = BsonBytes.whole(type, bytes, next, last);
        next += BsonBytes.numberBytes(type);
      } else if (name == CURRENCY && isNameEnd(bytes, next, last)) {
        next += WORD_BYTES + 1;
        moneyEnd = string(type, bytes, next, last);
        money = next + SIZE_BYTES;
        next = moneyEnd;
      } else {
        next = BsonBytes.valueEnd(type, bytes, BsonBytes.nameEnd(bytes, next, last), last);
      }
    }
    if (kind == null || money < 0) {
      throw new DamagedBson("an entry without a kind, or without a currency", position);
    }
    if (at < untilMillis) {
      check(at, amount, distance, position);
      if (Arrays.equals(bytes, money, moneyEnd, currency, 0, currency.length)) {
        day = days.dayOf(at, day);
        sums.add(day, kind, amount, distance);
      } else {
        leaveOut(bytes, money, moneyEnd);
      }
    }
  }

  private static boolean isNameEnd(byte[] bytes, int name, int last) {
    return name + WORD_BYTES < last && bytes[name + WORD_BYTES] == 0;
  }

  private static int string(byte type, byte[] bytes, int position, int last) throws DamagedBson {
    if (type != BsonBytes.STRING) {
      throw new DamagedBson("not a text but of type " + type, position);
    }
    return BsonBytes.stringEnd(bytes, position, last);
  }

  private static EntryKind kind(byte[] bytes, int begin, int end) throws DamagedBson {
    if (end - begin == 4 && (BsonBytes.word(bytes, begin) & FOUR_BYTES) == FEE) {
      return EntryKind.FEE;
    }
    if (Arrays.equals(bytes, begin, end, INCENTIVE, 0, INCENTIVE.length)) {
      return EntryKind.INCENTIVE;
    }
    if (Arrays.equals(bytes, begin, end, DEDUCTION, 0, DEDUCTION.length)) {
      return EntryKind.DEDUCTION;
    }
    throw new DamagedBson("a kind that is not known", begin);
  }

  private void check(long at, long amount, long distance, int position) throws DamagedBson {
    if (at < days.fromMillis() || at >= days.untilMillis()) {
      throw new DamagedBson("an entry of none of the days", position);
    }
    if (amount < 0 || amount > StatementEntry.AMOUNT_MAX) {
      throw new DamagedBson("an amount that none has", position);
    }
    if (distance < 0 || distance > StatementEntry.DISTANCE_MAX) {
      throw new DamagedBson("a distance that none has", position);
    }
  }

  private void leaveOut(byte[] bytes, int begin, int end) {
    if (!Arrays.equals(bytes, begin, end, leftOut, 0, leftOut.length)) {
      leftOut = Arrays.copyOfRange(bytes, begin, end);
      sums.leaveOut(new String(bytes, begin, end - begin - 1, StandardCharsets.UTF_8));
    }
  }
}
