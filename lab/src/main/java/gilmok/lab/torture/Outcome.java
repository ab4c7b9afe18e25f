package gilmok.lab.torture;

/** What comes of starting a server one of whose files was damaged. */
enum Outcome {
  /** It does not start, and the line that says so names the file. */
  REFUSED,
  /** It starts, and a warning names the file. */
  NAMED,
  /** It starts, as it does not read that, and {@code log verify} names the file. */
  VERIFIED,
  /** It starts without a word, as nothing is lost by it. */
  SILENT
}
