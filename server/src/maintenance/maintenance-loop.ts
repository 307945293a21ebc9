import type { LoopDeclaration } from '../platform/loop.ts';
import { Maintenance } from './maintenance.ts';
import type { MaintenanceDependencies } from './maintenance-clock.ts';

const IDLE_MS = 60_000;

export function declareMaintenanceLoop(dependencies: MaintenanceDependencies): LoopDeclaration {
  const maintenance = new Maintenance(dependencies);
  return {
    name: 'maintenance',
    round: async (stopping) => ((await maintenance.run(stopping)) ? 'again' : 'idle'),
    idleDelayMs: IDLE_MS,
  };
}
