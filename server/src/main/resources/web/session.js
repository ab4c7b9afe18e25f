// The session: the key is asked for once and given to the server, which keeps the session in a
// cookie that scripts cannot read. The key is kept nowhere here.

import { find } from "./dom.js";
import { say } from "./words.js";

const BINDINGS = ["rider", "shop", "agency"];
const PROBLEMS = { 401: "keyWrong", 403: "keyScope" };

/** What the page may do: {name, scopes, rider?, now}; null without a session. Throws when unreached. */
export async function currentSession(signal) {
  const asked = Date.now();
  const answer = await fetch("/session", { cache: "no-store", signal });
  if (answer.status === 401) {
    return null;
  }
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  const session = await answer.json();
  // The server's clock less ours, by what lies in the middle of asking.
  session.skewMillis = Date.parse(session.now) - (asked + Date.now()) / 2;
  session.tripMillis = Date.now() - asked;
  return session;
}

/** Whether the session's key may do for the whole fleet what needs that scope. */
export function may(session, scope) {
  const isBound = BINDINGS.some((kind) => kind in session);
  return !isBound && (session.scopes.includes(scope) || session.scopes.includes("admin"));
}

/** Whether the session's key sees positions at all: one of a shop or an agency does not. */
export const seesRiders = (session) => !("shop" in session || "agency" in session);

/** Asks for a key until one is taken; `text` names what is said first. */
export function askForKey(text) {
  const dialog = find("key-dialog");
  const form = find("key-form");
  const input = find("key");
  find("key-text").dataset.t = text;
  find("key-text").textContent = say(text);
  tell("");
  find("login").href = `/login?to=${encodeURIComponent(location.pathname)}`;
  dialog.oncancel = (event) => event.preventDefault();
  if (!dialog.open) {
    dialog.showModal();
  }
  input.focus();
  return new Promise((resolve) => {
    form.onsubmit = async (event) => {
      event.preventDefault();
      const button = form.querySelector("button");
      button.disabled = true;
      const problem = await offer(input.value.trim());
      button.disabled = false;
      tell(problem);
      if (problem) {
        input.select();
      } else {
        input.value = "";
        dialog.close();
        resolve();
      }
    };
  });
}

/** Gives the session back. */
export async function endSession() {
  await fetch("/session", { method: "DELETE" });
}

/** Shows a key to the server; answers what is wrong with it, or nothing. */
async function offer(key) {
  if (!key) {
    return say("keyEmpty");
  }
  try {
    const answer = await fetch("/session", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ key }),
    });
    if (answer.status === 204) {
      return "";
    }
    const refusal = await answer.json().catch(() => ({}));
    if (refusal.type?.endsWith("#key-expired")) {
      return say("keyExpired");
    }
    return say(PROBLEMS[answer.status] ?? "keyOther", { status: answer.status });
  } catch {
    return say("keyUnreached");
  }
}

function tell(problem) {
  find("key-problem").textContent = problem;
  find("key").setAttribute("aria-invalid", String(problem !== ""));
}
