// Asks the service worker to store everything for use offline, once the page is in use.

/** The message to the service worker. */
export const KEEP_ALL = "keep all";

/**
 * Delay after the computer's first move in milliseconds, so that the download does not slow down
 * the start of the game.
 */
const WAIT = 10_000;

let asked = false;

/** Asks once per visit. A browser that saves data keeps only what it has used. */
export function keepAll(): void {
    if (asked || !("serviceWorker" in navigator)) return;
    asked = true;
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData) return;
    setTimeout(() => void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(KEEP_ALL)), WAIT);
}
