const tasks = new Set<() => Promise<void>>();

/** Registers a task that runs before the session ends, such as sending held changes. */
export function beforeLogOut(task: () => Promise<void>): void {
  tasks.add(task);
}

export async function finishBeforeLogOut(): Promise<void> {
  await Promise.all([...tasks].map((task) => task()));
}
