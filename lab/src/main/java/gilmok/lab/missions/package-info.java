/**
 * Measures the goals of missions: responses beside those that are encoded anew for each request, an
 * expiry under load, Redis' traffic and its absence, and the steps of the original story one by
 * one.
 */
@NullMarked
package gilmok.lab.missions;

import org.jspecify.annotations.NullMarked;
