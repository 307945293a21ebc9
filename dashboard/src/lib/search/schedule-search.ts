/** Parameters of the page of schedules besides the project. */
interface ScheduleSearch {
  /** True if the form of a new schedule is open. */
  create?: true | undefined;
}

export const readScheduleSearch = ({ create }: Record<string, unknown>): ScheduleSearch => ({
  create: create === true || undefined,
});
