/**
 * Events: positions, actions and log lines of phones, quarantined records, and events of
 * deliveries; their encoded form and its reader.
 *
 * <p>The encoded form is written to the log, and the deduplication key is computed from it. It is
 * <b>canonical</b>: the same values give the same bytes, whatever their order, white space or
 * spelling was. It is <b>lossless</b>: each number comes back as the double it was, also {@code
 * -0.0}. It is <b>small</b>: a usual position takes about 40 bytes. Numbers of more than one byte
 * have the least significant byte first. A <i>varint</i> has 7 bits a byte, the lowest first; a
 * <i>text</i> is a varint of its length in bytes and UTF-8.
 *
 * <table>
 * <caption>A position (kind 1), an action (2), a log line (3)</caption>
 * <tr><th>bytes</th><th>what</th></tr>
 * <tr><td>1</td><td>version 1 in the upper four bits, the kind in the lower</td></tr>
 * <tr><td>2</td><td>presence: bit n is the field of {@link gilmok.event.EventField#code} n. The rider
 *     and the time are always there, so bits 0 and 1 tell whether latitude and longitude are
 *     doubles</td></tr>
 * <tr><td>text</td><td>riderId</td></tr>
 * <tr><td>8</td><td>at: milliseconds since 1970</td></tr>
 * <tr><td>4 or 8, twice</td><td>lat, lon: 1e-7 degrees where that is exactly the double, else the
 *     double</td></tr>
 * <tr><td>1 to 9 each</td><td>accuracy, speed, bearing, altitude, battery: a head, the scale (0 to
 *     9) in its lower four bits and in its upper the number of bytes of the mantissa (zigzag) that
 *     follow. A decimal of at most 15 digits has this form, without zeros at the end of its
 *     fraction; for every other number the head is 0x80 and a double follows</td></tr>
 * <tr><td>text each</td><td>provider, deliveryId, id, type, level, message</td></tr>
 * <tr><td>text</td><td>attributes: a JSON object without white space, its members as they were
 *     given, escapes only where JSON needs them; never empty. The last one may be the trace of the
 *     request ({@link gilmok.event.TracedEvent})</td></tr>
 * </table>
 *
 * <table>
 * <caption>A quarantined record (kind 4)</caption>
 * <tr><th>bytes</th><th>what</th></tr>
 * <tr><td>1</td><td>version and kind, as above</td></tr>
 * <tr><td>1</td><td>bit 0: more was sent than is kept; bit 1: a sink refused it</td></tr>
 * <tr><td>text</td><td>the stream it was meant for</td></tr>
 * <tr><td>varint</td><td>which element of its body it was</td></tr>
 * <tr><td>text, text</td><td>field and reason</td></tr>
 * <tr><td>text, text</td><td>only with bit 1: the sink, and the id of the record that it refused
 *     </td></tr>
 * <tr><td>varint, bytes</td><td>what was sent, as it was sent, at most 64 KiB; a longer
 *     record that is sound, in its shortest form</td></tr>
 * </table>
 *
 * <table>
 * <caption>An event of a delivery (kind 5), an entry of the audit (6)</caption>
 * <tr><th>bytes</th><th>what</th></tr>
 * <tr><td>1</td><td>version and kind, as above</td></tr>
 * <tr><td>text</td><td>its id: {@code deliveryId:version}, {@code entryId:part}</td></tr>
 * <tr><td>text</td><td>a JSON object without white space</td></tr>
 * </table>
 *
 * <p>A decoder fills an {@link gilmok.event.Event}, whose setters check their values and return a
 * {@link gilmok.event.Reason} or null, and adds it to its thread's {@link gilmok.event.Events}.
 * Readers use {@link gilmok.event.EventView}. {@link gilmok.event.DedupKey} computes an event's
 * identity. Nothing here allocates for an event whose numbers have up to 15 digits.
 */
@NullMarked
package gilmok.event;

import org.jspecify.annotations.NullMarked;
