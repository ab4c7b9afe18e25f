package gilmok.lab.load;

import org.jspecify.annotations.Nullable;

/**
 * A workload of unique positions. Owned by one lane's event loop; its counts may be read after the
 * end.
 */
public final class PositionsWorkload implements Workload, LoadExchange, Acknowledging {
  private static final byte[] ACCEPTED = Response.ascii("\"accepted\":");
  private static final byte[] DUPLICATES = Response.ascii("\"duplicates\":");

  private final PositionsTemplate template;
  private final int positions;
  private long accepted;
  private long duplicates;

  /**
   * The content of the requests.
   *
   * @param path the path of the requests
   * @param key the API key; empty for none
   * @param positions the number of positions in each request
   * @param riders the number of riders
   * @param ids whether each position has an id of its own
   */
  public record Plan(String path, String key, int positions, int riders, boolean ids) {
    public Plan {
      if (positions < 1 || positions > 10_000 || riders < 1 || riders > 10_000_000) {
        throw new IllegalArgumentException("positions: 1 to 10,000; riders: 1 to 10,000,000");
      }
    }
  }

  /** The part of the workload that belongs to a lane. */
  public PositionsWorkload(Plan plan, int lane, int lanes) {
    template = new PositionsTemplate(plan, lane, lanes, System.currentTimeMillis());
    positions = plan.positions;
  }

  @Override
  public LoadExchange next() {
    return this;
  }

  @Override
  public byte[] request() {
    return template.next();
  }

  @Override
  public @Nullable String check(Response response) {
    if (response.status() != 202) {
      return "status " + response.status();
    }
    long repeated = response.number(DUPLICATES);
    long taken = response.number(ACCEPTED);
    duplicates += Math.max(0, repeated);
    accepted += repeated == 0 ? Math.max(0, taken) : 0;
    return repeated > 0 ? DUPLICATE : taken == positions ? null : "not all accepted";
  }

  @Override
  public long acknowledged() {
    return accepted;
  }

  long duplicates() {
    return duplicates;
  }
}
