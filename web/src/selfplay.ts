// Parts of the page with data from self-play. They are loaded when the user opens them.

export { openings } from "./openings";
export { puzzlesPage } from "./puzzles";
