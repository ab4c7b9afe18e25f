package gilmok.lab.start;

/** What is done for a server's first requests. */
enum WarmUpWay {
  NOTHING("nothing", false, false, false),
  CALLS("method calls only", false, false, true),
  HTTP("warm-up over HTTP", false, true, false),
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

  /** As tables and plots call it. */
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

  /** Whether {@link MethodCalls} come before the server. */
  boolean hasCalls() {
    return hasCalls;
  }
}
