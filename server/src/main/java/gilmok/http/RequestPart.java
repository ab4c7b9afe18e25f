package gilmok.http;

import java.util.Locale;

/** The parts of a request's time that the HTTP edge knows; {@code docs/why.md} explains them. */
enum RequestPart {
  /** From the end of its head to the decision that its body may come: route, key, rate, room. */
  ADMISSION,
  /** From then until its body had arrived. */
  BODY,
  /** Unpacking, decoding, mapping and handing over to what stores it, on its event loop. */
  DECODE,
  /** From the handing over to the log until the log's writer took it. */
  QUEUE,
  /** Writing it to the log and forcing that to the disk. */
  FSYNC,
  /** Until the sink had acknowledged it whose acknowledgement counts ({@code collect.ack}). */
  SINK,
  /** From the start of a virtual thread to its first run. */
  THREAD,
  /** What its virtual thread did itself, without what has a name of its own. */
  WORK,
  /** Until its event loop was free for what another thread had handed over to it. */
  LOOP,
  /** Compressing its answer. */
  COMPRESS,
  /** An answer that waited for the client to read earlier ones. */
  CLIENT,
  /** Making its answer, on its event loop or on its virtual thread. */
  SERIALISE,
  /** Handing its answer to the connection. */
  WRITE;

  /** The name by which it is shown. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
