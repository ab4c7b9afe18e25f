package gilmok.missions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store that only settles, with the results that a test sets, and that can block its calls.
 * Thread-safe.
 */
final class ScriptedStore extends UnaskedStore {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Piece> pieces = new ArrayList<>();
  private final Map<String, Integer> settles = new HashMap<>();
  private boolean isShut;
  private String letThrough = "";
  private String failing = "";
  private Throwable failure = new IOException();
  private int inside;
  private int insideMost;

  /** One call of {@link #settle}. */
  record Piece(String riderId, List<Due> due, long at) {}

  /** From now on, calls block in {@link #settle}. */
  void shut() {
    set(true, "");
  }

  /** Like {@link #shut}, but calls for this rider pass. */
  void letThrough(String riderId) {
    set(true, riderId);
  }

  /** All blocked calls continue. */
  void open() {
    set(false, "");
  }

  private void set(boolean shut, String through) {
    lock.lock();
    try {
      isShut = shut;
      letThrough = through;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The call that contains this mission will fail. */
  void failsAt(String missionId, Throwable reason) {
    lock.lock();
    try {
      failing = missionId;
      failure = reason;
    } finally {
      lock.unlock();
    }
  }

  /** The call that contains this mission will settle that many. */
  void settlesOf(String missionId, int count) {
    lock.lock();
    try {
      settles.put(missionId, count);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until exactly that many calls are inside. */
  void awaitInside(int count) throws InterruptedException {
    lock.lock();
    try {
      while (inside != count) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The highest number of calls that were inside at once. */
  int insideMost() {
    lock.lock();
    try {
      return insideMost;
    } finally {
      lock.unlock();
    }
  }

  /** All calls, in the order of their arrival. */
  List<Piece> pieces() {
    lock.lock();
    try {
      return List.copyOf(pieces);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int settle(String riderId, List<Due> due, long at)
      throws IOException, InterruptedException {
    lock.lock();
    try {
      pieces.add(new Piece(riderId, List.copyOf(due), at));
      inside++;
      insideMost = Math.max(insideMost, inside);
      changed.signalAll();
      while (isShut && !letThrough.equals(riderId)) {
        changed.await();
      }
      return outcome(due);
    } finally {
      inside--;
      changed.signalAll();
      lock.unlock();
    }
  }

  private int outcome(List<Due> due) throws IOException {
    for (Due one : due) {
      if (one.missionId().equals(failing)) {
        switch (failure) {
          case IOException outage -> throw outage;
          case RuntimeException bug -> throw bug;
          case Error error -> throw error;
          default -> throw new IllegalStateException(failure);
        }
      }
      Integer count = settles.get(one.missionId());
      if (count != null) {
        return count;
      }
    }
    return due.size();
  }

  @Override
  public int pieceMax() {
    return 10;
  }
}
