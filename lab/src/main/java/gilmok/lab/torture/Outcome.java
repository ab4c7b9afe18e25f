package gilmok.lab.torture;

/** The outcome of starting a server with a damaged file. */
enum Outcome {
  /** It does not start, and its last line names the file. */
  REFUSED,
  /** It starts, and a warning names the file. */
  NAMED,
  /** It starts without reading the damaged part, and {@code log verify} names the file. */
  VERIFIED,
  /** It starts without a warning, as nothing is lost. */
  SILENT
}
