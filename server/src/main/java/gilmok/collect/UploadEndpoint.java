package gilmok.collect;

/** Where an upload came in; it says which dialects it can be in. */
enum UploadEndpoint {
  /** {@code /} and {@code /osmand}: any, told by its content. */
  ANY,
  OWNTRACKS,
  OVERLAND,
  GPSLOGGER;

  /** Whether parameters mean nothing here. */
  boolean takesOnlyJson() {
    return this == OWNTRACKS || this == OVERLAND;
  }
}
