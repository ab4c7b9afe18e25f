package gilmok.collect;

/** The endpoint an upload came to; it limits which dialects the upload can be in. */
enum UploadEndpoint {
  /** {@code /} and {@code /osmand}: any dialect, found by the content. */
  ANY,
  OWNTRACKS,
  OVERLAND,
  GPSLOGGER;

  /** Whether parameters are ignored at this endpoint. */
  boolean takesOnlyJson() {
    return this == OWNTRACKS || this == OVERLAND;
  }
}
