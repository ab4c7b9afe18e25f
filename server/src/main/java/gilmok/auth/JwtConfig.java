package gilmok.auth;

import gilmok.config.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code auth.jwt.*}: tokens of the fleet's own login (RFC 7519) that are let in
 * beside keys. Immutable.
 *
 * @param jwks where the issuer's public keys are (RFC 7517): a file, or an https URL
 * @param refresh how often they are read again
 * @param issuer what a token's {@code iss} must be
 * @param audience what must be among a token's {@code aud}
 * @param algorithms the signatures that are accepted, as in {@code RS256}
 * @param skew how far the issuer's clock may be wrong
 * @param sessionLifetime how long somebody who signed in on a page does not do so again
 * @param grants what tokens may do
 */
record JwtConfig(
    String jwks,
    Duration refresh,
    String issuer,
    String audience,
    Set<String> algorithms,
    Duration skew,
    Duration sessionLifetime,
    Grants grants) {
  private static final Set<String> KNOWN =
      Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  /**
   * What tokens may do.
   *
   * @param scopes of every token that is bound, or may be unbound
   * @param claim the claim whose values give more scopes; null for none
   * @param byValue the scopes that each value of that claim gives
   * @param bindings the claim that binds a token to a rider, a shop, an agency
   * @param mayBeUnbound whether a token without any of them has {@code scopes} for the whole fleet
   * @param nameClaim what somebody is called in the audit; the subject where it is not there
   */
  record Grants(
      Set<Scope> scopes,
      @Nullable String claim,
      Map<String, Set<Scope>> byValue,
      Map<Binding.Kind, String> bindings,
      boolean mayBeUnbound,
      String nameClaim) {
    Grants {
      scopes = Set.copyOf(scopes);
      byValue = Map.copyOf(byValue);
      bindings = Map.copyOf(bindings);
    }
  }

  JwtConfig {
    algorithms = Set.copyOf(algorithms);
  }

  /** Reads the settings, which note every problem; null where no tokens are let in. */
  static @Nullable JwtConfig of(Settings settings) {
    String jwks = settings.optionalText("auth.jwt.jwks");
    String issuer = settings.text("auth.jwt.issuer", "");
    String audience = settings.text("auth.jwt.audience", "");
    List<String> algorithms = words(settings, "auth.jwt.algorithms", "RS256,ES256");
    JwtConfig config =
        new JwtConfig(
            jwks == null ? "" : jwks,
            settings.duration(
                "auth.jwt.refresh", "15 min", Duration.ofSeconds(1), Duration.ofHours(24)),
            issuer,
            audience,
            Set.copyOf(algorithms),
            settings.duration("auth.jwt.clock-skew", "1 min", Duration.ZERO, Duration.ofHours(1)),
            settings.duration(
                "auth.jwt.session-lifetime", "12 h", Duration.ofMinutes(1), Duration.ofDays(30)),
            grants(settings));
    if (jwks == null) {
      return null;
    }
    for (String needed : List.of("issuer", "audience")) {
      if ((needed.equals("issuer") ? issuer : audience).isEmpty()) {
        settings.problem("auth.jwt." + needed + ": is needed beside auth.jwt.jwks");
      }
    }
    for (String algorithm : algorithms) {
      if (!KNOWN.contains(algorithm)) {
        settings.problem(
            "auth.jwt.algorithms: \""
                + algorithm
                + "\" is none of "
                + String.join(", ", KNOWN.stream().sorted().toList()));
      }
    }
    if (config.grants.bindings.isEmpty()
        && config.grants.byValue.isEmpty()
        && !config.grants.mayBeUnbound) {
      settings.problem(
          "auth.jwt.rider-claim: name the claim that says whose token it is, or give scopes by"
              + " auth.jwt.scopes-map, or set auth.jwt.unbound=true, and each token has"
              + " auth.jwt.scopes for the whole fleet");
    }
    return config;
  }

  private static List<String> words(Settings settings, String key, String fallback) {
    return List.of(settings.text(key, fallback).split("[,\\s]+"));
  }

  private static Grants grants(Settings settings) {
    Map<Binding.Kind, String> bindings = new EnumMap<>(Binding.Kind.class);
    for (Binding.Kind kind : Binding.Kind.values()) {
      String claim = settings.optionalText("auth.jwt." + kind.label() + "-claim");
      if (claim != null) {
        bindings.put(kind, claim);
      }
    }
    Map<String, Set<Scope>> byValue = new HashMap<>();
    for (String pair : settings.words("auth.jwt.scopes-map")) {
      int colon = pair.lastIndexOf(':');
      if (colon < 1) {
        settings.problem("auth.jwt.scopes-map: \"" + pair + "\" is not value:scope");
        continue;
      }
      byValue
          .computeIfAbsent(pair.substring(0, colon), _ -> EnumSet.noneOf(Scope.class))
          .addAll(scopes(settings, "auth.jwt.scopes-map", List.of(pair.substring(colon + 1))));
    }
    return new Grants(
        scopes(settings, "auth.jwt.scopes", words(settings, "auth.jwt.scopes", "collect")),
        settings.optionalText("auth.jwt.scopes-claim"),
        byValue,
        bindings,
        settings.flag("auth.jwt.unbound", false),
        settings.text("auth.jwt.name-claim", "name"));
  }

  private static Set<Scope> scopes(Settings settings, String key, List<String> labels) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    List<String> known = new ArrayList<>();
    for (Scope scope : Scope.values()) {
      known.add(scope.label());
      if (labels.stream().anyMatch(scope.label()::equalsIgnoreCase)) {
        scopes.add(scope);
      }
    }
    for (String label : labels) {
      if (!known.contains(label.toLowerCase(Locale.ROOT))) {
        settings.problem(key + ": \"" + label + "\" is none of " + String.join(", ", known));
      }
    }
    return scopes;
  }
}
