package gilmok.parquet;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The checksum of a file's footer, in the footer itself: a pair of Parquet's key-value metadata,
 * whose value is eight hexadecimal digits. It is the CRC-32C of the footer's bytes with zeros in
 * place of these digits. Other readers ignore it.
 */
final class FooterChecksum {
  /** The pair's key. */
  static final String KEY = "gilmok.footer.crc32c";

  private static final String ZEROS = "00000000";
  private static final byte[] MARK =
      (KEY + "\u0018\u0008" + ZEROS).getBytes(StandardCharsets.ISO_8859_1);

  private FooterChecksum() {}

  /** Writes the pair with zeros, as field 5 of the footer. */
  static void reserve(ThriftWriter footer) {
    footer.list(5, ThriftWriter.STRUCT, 1);
    footer.struct().text(1, KEY).text(2, ZEROS).end();
  }

  /** Puts the checksum in place of the zeros. */
  static void set(byte[] footer, int size) {
    int at = find(footer, size);
    if (at < 0) {
      throw new IllegalStateException("no room was reserved for the checksum");
    }
    byte[] digits = digits(footer, at, size);
    System.arraycopy(digits, 0, footer, at, digits.length);
  }

  /** Whether a footer has no checksum, as files of earlier versions, or the right one. */
  static boolean isRight(byte[] footer, int size) {
    int at = find(footer, size);
    if (at < 0) {
      return true;
    }
    byte[] digits = digits(footer, at, size);
    for (int i = 0; i < digits.length; i++) {
      if (footer[at + i] != digits[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] digits(byte[] footer, int at, int size) {
    CRC32C crc = new CRC32C();
    crc.update(footer, 0, at);
    crc.update(ZEROS.getBytes(StandardCharsets.US_ASCII));
    crc.update(footer, at + ZEROS.length(), size - at - ZEROS.length());
    return HexFormat.of().toHexDigits((int) crc.getValue()).getBytes(StandardCharsets.US_ASCII);
  }

  /** Where the digits are, from the end on, as column names and bounds come before; or -1. */
  private static int find(byte[] footer, int size) {
    int head = MARK.length - ZEROS.length();
    for (int start = size - MARK.length; start >= 0; start--) {
      int same = 0;
      while (same < head && footer[start + same] == MARK[same]) {
        same++;
      }
      if (same == head) {
        return start + head;
      }
    }
    return -1;
  }
}
