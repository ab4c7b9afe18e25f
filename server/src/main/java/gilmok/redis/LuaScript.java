package gilmok.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script. Calls send its hash (EVALSHA); only a server that does not know it gets the full
 * text (EVAL). Immutable.
 */
public final class LuaScript {
  private final byte[] text;
  private final byte[] hash;

  /** A script of this text. */
  public LuaScript(String text) {
    this.text = text.getBytes(StandardCharsets.UTF_8);
    try {
      byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(this.text);
      hash = HexFormat.of().formatHex(sha1).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  byte[] text() {
    return text;
  }

  /** The SHA-1 of the text as hex digits in ASCII, by which servers know the script. Not copied. */
  public byte[] hash() {
    return hash;
  }
}
