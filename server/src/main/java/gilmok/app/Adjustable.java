package gilmok.app;

/** A part of a server that follows some of its settings while it runs. */
@FunctionalInterface
interface Adjustable {
  /**
   * Follows what differs. Cannot fail: the settings were checked. On the thread of a reload, one at
   * a time.
   *
   * @param before what was in force
   * @param next what is from now on; differs only in what {@link Reloadable} lists
   */
  void adjust(ServerConfig before, ServerConfig next);
}
