/**
 * Measures statements: ways to map documents, the cliff beside Spring Data, the processor time with
 * a database, SQLite; and a server that replays the recorded responses of a database.
 */
@NullMarked
package gilmok.lab.statements;

import org.jspecify.annotations.NullMarked;
