import { texts } from './texts.ts';

/** False alarms a week of each sensitivity. */
export const SENSITIVITIES = { low: 0.2, normal: 1, high: 5 } as const;

type Sensitivity = keyof typeof SENSITIVITIES;

/** Names a number of false alarms a week: "Normal", or "Custom" for any that was set through the API. */
export function nameSensitivity(budget: number): string {
  const names = Object.keys(SENSITIVITIES) as Sensitivity[];
  const name = names.find((one) => SENSITIVITIES[one] === budget);
  return texts.settings.sensitivities[name ?? 'custom'];
}
