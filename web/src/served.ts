// The pages that only `catapult serve` has. The static page does not load them.

export { reportResult } from "./results";
export { togetherPage } from "./together";
export { watchPage } from "./watch";
