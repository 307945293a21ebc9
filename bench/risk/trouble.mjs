export function evaluateTrouble() {}
