package gilmok.lab.start;

/**
 * What a container that asks for processors gets of them while others want them too: a weight
 * beside theirs, as Kubernetes makes it. It bounds nothing where nobody else is busy. Immutable.
 *
 * @param shares as {@code cpu.shares} of cgroup v1
 */
record CpuWeight(long shares) {
  private static final long SHARES_IN_PROCESSOR = 1024;
  private static final long SHARES_MIN = 2;

  /** That of one processor, which is the kernel's own of cgroup v1. */
  static final CpuWeight USUAL = asking(1);

  /**
   * The weight of a request.
   *
   * @param processors as in 0.3
   */
  static CpuWeight asking(double processors) {
    long millis = Math.round(processors * 1000);
    return new CpuWeight(Math.max(SHARES_MIN, millis * SHARES_IN_PROCESSOR / 1000));
  }

  /** The same as {@code cpu.weight} of cgroup v2, by the linear formula of Kubernetes' kubelet. */
  long second() {
    return 1 + (shares - SHARES_MIN) * 9_999 / 262_142;
  }

  /**
   * The processors that are its due beside one other group, while both want all of them.
   *
   * @param processors that there are
   */
  double due(CpuWeight other, int processors) {
    return (double) processors * shares / (shares + other.shares);
  }
}
