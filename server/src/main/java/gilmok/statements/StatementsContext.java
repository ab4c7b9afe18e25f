package gilmok.statements;

import gilmok.background.BackgroundLoops;
import gilmok.http.Offloads;
import gilmok.log.Log;
import gilmok.observe.Meters;
import java.time.InstantSource;

/**
 * What statements use of the server.
 *
 * @param loops where background loops are watched
 */
public record StatementsContext(
    Log log, Meters meters, Offloads offloads, InstantSource clock, BackgroundLoops loops) {}
