/** Of 8 bytes and the overhead of a set: some tens of megabytes. */
const MAX_USERS = 500_000;

/**
 * Users that this process has stored for groups themselves. Such a row is only ever deleted with its group, whose id does
 * not come back: so what is known here need not be asked again. Beyond the bound all are forgotten.
 */
export class KnownUsers {
  readonly #users = new Map<string, Set<number>>();
  #size = 0;

  has(groupId: string, hash: number): boolean {
    return this.#users.get(groupId)?.has(hash) ?? false;
  }

  /** After the transaction that stored it was committed. */
  add(groupId: string, hash: number): void {
    if (this.#size >= MAX_USERS) {
      this.#users.clear();
      this.#size = 0;
    }
    const users = this.#users.get(groupId) ?? new Set();
    this.#users.set(groupId, users);
    const before = users.size;
    this.#size += users.add(hash).size - before;
  }
}
