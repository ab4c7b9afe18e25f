package gilmok.missions;

/** What a rider's missions are asked for: each is a route, or a way to ask one, of its own. */
enum MissionPurpose {
  /** To see them. */
  SHOW("show"),
  /** After settling all that is due. */
  SETTLE("settle"),
  /** After settling what is due of urgent missions. */
  SETTLE_URGENT("settle-urgent"),
  /** After changing the rider. */
  PROFILE("profile");

  private final String label;

  MissionPurpose(String label) {
    this.label = label;
  }

  /** Its name in metrics. */
  String label() {
    return label;
  }
}
