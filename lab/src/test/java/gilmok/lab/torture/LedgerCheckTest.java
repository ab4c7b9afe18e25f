package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.crash.Violations;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

@Tag("unit")
class LedgerCheckTest {
  private static final Set<String> LOGGED = Set.of("n:1", "n:2", "n:3");

  private final Violations findings = new Violations();
  private Toll toll = Toll.NONE;
  private int lost;

  @Test
  void check_everythingArrived_isRight() {
    check(3, 3, 0, 0, 0, LOGGED);
    assertThat(findings.first()).isEmpty();
  }

  @Test
  void check_residue_isNoticed() {
    check(3, 2, 0, 0, 1, LOGGED);
    assertThat(findings.first())
        .anyMatch(what -> what.contains("residue is 1"))
        .anyMatch(what -> what.contains("does not add up"));
  }

  @Test
  void check_residueItDoesNotAdmit_isNoticed() {
    check(3, 2, 0, 0, 0, LOGGED);
    assertThat(findings.first()).singleElement().asString().contains("does not add up");
  }

  @Test
  void check_countedOtherThanLogged_isNoticed() {
    check(4, 4, 0, 0, 0, LOGGED);
    assertThat(findings.first()).anyMatch(what -> what.contains("the log 3"));
  }

  @Test
  void check_calledDeliveredAndNotThere_isNoticed() {
    check(3, 3, 0, 0, 0, Set.of("n:1", "n:3"));
    assertThat(findings.first()).singleElement().asString().startsWith("1 records are not at");
  }

  @Test
  void check_setAsideAndNotThere_isRight() {
    check(3, 2, 0, 1, 0, Set.of("n:1", "n:3"));
    assertThat(findings.first()).isEmpty();
  }

  @Test
  void check_moreSetAsideThanCanHaveBeenRefused_isNoticed() {
    check(3, 1, 0, 2, 0, Set.of("n:1", "n:3"));
    assertThat(findings.first()).singleElement().asString().startsWith("set aside, and only 1");
  }

  @Test
  void check_goodOneSetAside_isNoticed() {
    check(3, 2, 0, 1, 0, Set.of("n:1", "n:2"));
    assertThat(findings.first())
        .singleElement()
        .asString()
        .startsWith("1 that cannot have been refused, as n:3");
  }

  @Test
  void check_stillWaiting_isNoticed() {
    check(3, 2, 1, 0, 0, LOGGED);
    assertThat(findings.first()).singleElement().asString().startsWith("something waits");
  }

  @Test
  void check_lost_isOfTheRowAndNoticed() {
    lost = 1;
    check(3, 2, 0, 0, 0, LOGGED);
    assertThat(findings.first()).singleElement().asString().startsWith("nobody lost anything");
  }

  @Test
  void check_lostAndNotOfTheRow_isNoticed() {
    toll = new Toll(false, Set.of(), true);
    lost = 1;
    check(3, 3, 0, 0, 0, LOGGED);
    assertThat(findings.first()).singleElement().asString().contains("does not add up");
  }

  @Test
  void check_lostWhereTheOldestIsGone_isRight() {
    toll = new Toll(false, Set.of(), true);
    lost = 1;
    check(3, 2, 0, 0, 0, LOGGED);
    assertThat(findings.first()).isEmpty();
  }

  @Test
  void check_accountBegunAnew_mayHaveLessAndMissNothing() {
    toll = new Toll(false, Set.of("firehose"), false);
    String part =
        """
        {"residue":0,"streams":[{"stream":"traces","accepted":3}],"items":[
          {"sink":"firehose","stream":"traces","accepted":2,"delivered":2,"waiting":0,
           "quarantined":0,"skipped":0,"erased":0,"lost":0,"residue":0}]}\
        """;
    check(part, LOGGED);
    assertThat(findings.first()).isEmpty();
    check(part, Set.of("n:1", "n:2"));
    assertThat(findings.first())
        .singleElement()
        .asString()
        .startsWith("1 that cannot have been refused, as n:3");
  }

  @Test
  void check_noRows_isNoticed() {
    LedgerCheck.check(
        JsonMapper.shared().readTree("{\"residue\":0,\"items\":[]}"),
        Map.of(),
        Map.of(),
        Set.of(),
        Toll.NONE,
        findings);
    assertThat(findings.first()).singleElement().asString().contains("empty");
  }

  private void check(
      int accepted, int delivered, int waiting, int quarantined, int residue, Set<String> arrived) {
    String ledger =
        """
        {"residue":%d,"streams":[{"stream":"traces","accepted":%d}],"items":[
          {"sink":"firehose","stream":"traces","accepted":%d,"delivered":%d,"waiting":%d,
           "quarantined":%d,"skipped":0,"erased":0,"lost":%d,"residue":%d}]}\
        """
            .formatted(residue, accepted, accepted, delivered, waiting, quarantined, lost, residue);
    check(ledger, arrived);
  }

  private void check(String ledger, Set<String> arrived) {
    LedgerCheck.check(
        JsonMapper.shared().readTree(ledger),
        Map.of("traces", LOGGED),
        Map.of("firehose", arrived),
        Set.of("n:2", "n:7"),
        toll,
        findings);
  }
}
