package gilmok.lab.plan;

/** A made-up problem, searched at random: what one of the stories computed for each request. */
public final class Searching {
  private static final int ORDERS = 12;
  private static final int SEED = 5;

  private Searching() {}

  /** Searches for so long; returns the lowest cost found. Uses one processor all the time. */
  public static long random(double seconds) {
    return RandomSearch.cost(Case.random(ORDERS, SEED).problem(), seconds, SEED);
  }
}
