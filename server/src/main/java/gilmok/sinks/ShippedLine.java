package gilmok.sinks;

import gilmok.event.DamagedEvent;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.ShippedRecordKey;
import gilmok.log.Stream;
import java.util.Arrays;

/**
 * Writes records as the JSON that is shipped: what {@code gilmok log show} prints, and the dedup
 * key. {@code
 * {"sequence":7,"recordId":"n:7","dedupKey":"…","stream":"traces","receivedAt":"…","record":{…}}},
 * with {@code "flags":["clock"]} where the phone's clock is ahead.
 *
 * <p>Not thread-safe: one for each thread that sends.
 */
public final class ShippedLine {
  private final EventView view = new EventView();
  private final ShippedRecordKey shippedRecordKey = new ShippedRecordKey();

  private int idStart;
  private int idEnd;
  private int keyStart;

  /**
   * Appends record {@code i} of a batch, without a line break.
   *
   * @return a view of the record, valid until the next call
   * @throws DamagedEvent when its bytes are no event; nothing was written
   */
  public EventView write(Batch batch, int i, JsonBuffer out) {
    view.wrap(batch.bytes(), batch.offset(i), batch.length(i));
    Stream stream = batch.stream(i);
    out.ascii("{\"sequence\":").number(batch.sequence(i));
    out.ascii(",\"recordId\":\"");
    idStart = out.size();
    batch.writeId(i, out);
    idEnd = out.size();
    out.ascii("\",\"dedupKey\":\"");
    keyStart = out.size();
    shippedRecordKey.write(stream.code(), view, batch.offset(i), batch.length(i), out);
    out.ascii("\",\"stream\":\"").ascii(stream.label());
    out.ascii("\",\"receivedAt\":").time(batch.receivedAtMillis(i));
    out.ascii(",\"record\":");
    view.writeJson(out);
    if (view.isAheadOf(batch.receivedAtMillis(i))) {
      out.ascii(",\"flags\":[\"clock\"]");
    }
    out.put('}');
    return view;
  }

  /** The id of the record that was written last, from the buffer that it was written to. */
  public byte[] recordId(JsonBuffer out) {
    return Arrays.copyOfRange(out.bytes(), idStart, idEnd);
  }

  /** The dedup key of the record that was written last, from the buffer that it was written to. */
  public byte[] dedupKey(JsonBuffer out) {
    return Arrays.copyOfRange(out.bytes(), keyStart, keyStart + ShippedRecordKey.CHARS);
  }
}
