package gilmok.lab.plan;

/**
 * What came back for one run sheet.
 *
 * @param tookMillis as the server says
 * @param waitedMillis as its caller saw it
 */
record Planned(long cost, boolean optimal, double tookMillis, double waitedMillis) {}
