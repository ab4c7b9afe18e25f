package gilmok.missions;

/** Why a rider's missions are requested; each purpose has its own route or query. */
enum MissionPurpose {
  /** Only to show them. */
  SHOW("show"),
  /** To settle all that is due, then show them. */
  SETTLE("settle"),
  /** To settle what is due in urgent missions, then show them. */
  SETTLE_URGENT("settle-urgent"),
  /** To change the rider's profile, then show them. */
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
