/**
 * Breaks a whole server on purpose, under load, with random and overlapping faults. Then it checks
 * that everything the server had promised is there, and that every kind of request works again.
 *
 * <p>A {@link gilmok.lab.torture.World} is one server with all parts on a data folder of its own,
 * with stand-ins for the systems outside. It lasts for several rounds. A round is a storm of faults
 * under load. After the storm every kind of request must succeed within ten seconds. Then the load
 * ends, requests without a response are repeated, and the checks compare the server with the {@link
 * gilmok.lab.torture.Journal}, which relies on nothing from the server but its responses.
 */
@NullMarked
package gilmok.lab.torture;

import org.jspecify.annotations.NullMarked;
