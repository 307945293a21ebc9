const tasks = new Set<() => Promise<void>>();

/** Runs before the session ends: what is still to be sent needs it. */
export function beforeLogOut(task: () => Promise<void>): void {
  tasks.add(task);
}

export async function finishBeforeLogOut(): Promise<void> {
  await Promise.all([...tasks].map((task) => task()));
}
