/** Fails as an application does: within a function that a minifier renames. */
export function chargeCard(order) {
  return findCard(order).number;
}

function findCard(order) {
  if (order.card === undefined) throw new TypeError(`Order ${order.id} has no card`);
  return order.card;
}
