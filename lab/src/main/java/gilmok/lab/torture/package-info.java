/**
 * Breaks a whole server on purpose, under load, at random and overlapping, and then looks whether
 * all that it had promised is there, and whether everything answers again.
 *
 * <p>A {@link gilmok.lab.torture.World} is one server with all parts on a data folder of its own,
 * with stand-ins for what is outside. It lives through several rounds. A round is a storm of faults
 * under load; then every kind of request has ten seconds to be answered; then the load ends, what
 * had no answer is asked again, and the checks hold the server against the {@link
 * gilmok.lab.torture.Journal}, which knows nothing of the server but its answers.
 */
@NullMarked
package gilmok.lab.torture;

import org.jspecify.annotations.NullMarked;
