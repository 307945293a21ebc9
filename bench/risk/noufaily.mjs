export function evaluateNoufaily() {}
