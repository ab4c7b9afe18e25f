package gilmok.ops;

import gilmok.background.BackgroundLoops;
import gilmok.http.Offloads;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.observe.SlowRequests;
import java.time.InstantSource;

/**
 * What the page's answers are made of.
 *
 * @param node this server's id
 * @param version this program's
 */
public record OpsContext(
    Meters meters,
    Readiness readiness,
    BackgroundLoops loops,
    Offloads offloads,
    SlowRequests slowRequests,
    InstantSource clock,
    String node,
    String version) {}
