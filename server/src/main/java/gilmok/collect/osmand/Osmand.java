package gilmok.collect.osmand;

import gilmok.collect.dialect.Dialect;
import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.FlatDecoder;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.dialect.Upload;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of OsmAnd and Traccar Client (to 8, and from 10 on): one position as the parameters
 * of a query or form, or as a flat JSON object, or several as an array of these. The caller need
 * not say which: an upload that begins with {@code [} or <code>{</code>, after white space and a
 * byte order mark, is JSON. A query is passed as its bytes, without the question mark; if there is
 * a query and a form, the query is.
 *
 * <p>The answer is empty, or the text of one command: trackers in OsmAnd's style read it, Traccar
 * Client reads only the status.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public final class Osmand implements Dialect {
  private final FlatDecoder decoder = new FlatDecoder();

  @Override
  public String label() {
    return "osmand";
  }

  @Override
  public void decode(Upload upload, DialectEvent out) {
    decoder.decode(upload, out);
  }

  @Override
  public @Nullable String refusal(PhoneCommand command) {
    return switch (command.type()) {
      case TEXT -> null;
      case REPORT -> "cannot be asked for a position: its commands are texts";
      case CONFIGURE -> "takes no settings from an answer: its commands are texts";
      case CUSTOM -> "understands no JSON: its commands are texts";
    };
  }

  @Override
  public int commandsMax() {
    return 1;
  }

  @Override
  public String answerType() {
    return "text/plain; charset=utf-8";
  }

  @Override
  public void answer(List<PhoneCommand> commands, List<byte[]> friends, JsonBuffer out) {
    for (PhoneCommand command : commands) {
      String text = command.text();
      if (text != null) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.raw(utf8, 0, utf8.length);
      }
    }
  }
}
