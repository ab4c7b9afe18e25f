package gilmok.missions;

import gilmok.event.JsonTexts;
import gilmok.event.RiderAlias;
import java.io.IOException;

/**
 * Takes a rider out of the missions of a store: progress and profile are deleted; a list of riders
 * that names the rider has the pseudonym then, as an empty one would open the mission to all.
 * Thread-safe; calls block.
 */
public record MissionErasure(MissionStore store, MissionRows rows) {
  /** Erases; returns how many documents were deleted or have changed. */
  public long erase(RiderAlias alias) throws IOException, InterruptedException {
    long erased = rows.erase(alias.id());
    for (MissionStore.Kept one : store.missions()) {
      String then = JsonTexts.changed(one.json(), new Renaming(alias));
      if (!then.equals(one.json())) {
        MissionStore.Kept renamed = new MissionStore.Kept(one.id(), then);
        Mission mission = MissionBody.kept(renamed);
        long end = mission == null ? Mission.FOR_EVER : mission.to();
        if (!store.put(renamed, end)) {
          throw new IOException("the mission " + one.id() + " is being archived just now");
        }
        erased++;
      }
    }
    return erased;
  }

  /** Missions have members of the fleet's own, which can be named by riders' ids. */
  private record Renaming(RiderAlias alias) implements JsonTexts.Change {
    @Override
    public String value(String member, String text) {
      return member.equals(MissionBody.RIDERS) ? alias.inId(text) : alias.within(text);
    }

    @Override
    public String name(String name) {
      return MissionBody.OURS.contains(name) ? name : alias.within(name);
    }
  }
}
