package gilmok.lab.start;

/** The ways to make a server's first requests fast. */
enum WarmUpWay {
  NOTHING("nothing", false, false, false),
  CALLS("method calls only", false, false, true),
  HTTP("warm-up over HTTP", false, true, false),
  MIXED("method calls and warm-up over HTTP", false, true, true),
  AOT("AOT cache only", true, false, false),
  ALL("AOT cache and warm-up", true, true, false);

  private final String label;
  private final boolean hasAot;
  private final boolean isWarmed;
  private final boolean hasCalls;

  WarmUpWay(String label, boolean hasAot, boolean isWarmed, boolean hasCalls) {
    this.label = label;
    this.hasAot = hasAot;
    this.isWarmed = isWarmed;
    this.hasCalls = hasCalls;
  }

  /** Its name in tables and plots. */
  String label() {
    return label;
  }

  /** Whether classes come from an AOT cache. */
  boolean hasAot() {
    return hasAot;
  }

  /** Whether the server warms up before it is ready. */
  boolean isWarmed() {
    return isWarmed;
  }

  /** Whether {@link MethodCalls} runs before the server. */
  boolean hasCalls() {
    return hasCalls;
  }
}
