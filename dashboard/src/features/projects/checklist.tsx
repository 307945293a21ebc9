import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { useIsOwner } from '../../lib/members/use-is-owner.ts';
import { membersQuery } from '../../lib/queries.ts';
import {
  firstEventQuery,
  hasDeployQuery,
  hasInvitationQuery,
  isNotifiedQuery,
  newestIncidentQuery,
} from './queries.ts';
import { texts } from './start-texts.ts';

const words = texts.checklist;

interface Step {
  name: keyof typeof words.steps;
  isDone: boolean;
  /** Place of the step; unset: this page. */
  link?: Pick<LinkProps, 'to' | 'search'>;
}

/** The steps from a new project to a team that hears of its incidents. */
export function Checklist({ project }: { project: ProjectRecord }) {
  const steps = useSteps(project);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section aria-label={words.title} className="rounded-md border border-line p-4 lg:sticky lg:top-4">
      <div className="mb-3 flex items-baseline gap-2">
        <h2 className="flex-1">{words.title}</h2>
        <p className="text-sm text-text-muted">{words.progress(done, steps.length)}</p>
      </div>
      <ol className="space-y-3">
        {steps.map((step) => (
          <StepItem key={step.name} {...step} />
        ))}
      </ol>
    </section>
  );
}

function StepItem({ name, isDone, link }: Step) {
  const { title, hint } = words.steps[name];
  return (
    <li className="flex gap-2.5">
      <span aria-hidden="true" className={`w-3.5 flex-none ${isDone ? 'text-good' : 'text-text-muted'}`}>
        {isDone ? '✓' : '○'}
      </span>
      <div className="min-w-0">
        {link ? (
          <Link {...link} className="inline-block min-h-6 font-medium text-accent hover:underline">
            {title}
          </Link>
        ) : (
          <p className="min-h-6 font-medium">{title}</p>
        )}
        <span className="sr-only">{isDone ? words.done : words.open}</span>
        <p className="text-sm text-text-muted">{hint}</p>
      </div>
    </li>
  );
}

/** Returns the steps with their state; those of OWNERs only to them. */
function useSteps({ id, organizationId }: ProjectRecord): Step[] {
  const isOwner = useIsOwner();
  const { data: event } = useQuery(firstEventQuery(id));
  const { data: incident } = useQuery(newestIncidentQuery(id));
  const { data: isNotified } = useQuery(isNotifiedQuery(id));
  const { data: members = [] } = useQuery(membersQuery);
  const { data: hasInvitation } = useQuery({
    ...hasInvitationQuery(organizationId),
    enabled: isOwner === true,
  });
  const { data: hasDeploy } = useQuery(hasDeployQuery(id));
  const ownersSteps: Step[] = [
    { name: 'notify', isDone: isNotified === true, link: { to: '/alerts/destinations' } },
    {
      name: 'invite',
      isDone: members.length > 1 || hasInvitation === true,
      link: { to: '/settings', search: { create: true } },
    },
  ];
  return [
    { name: 'send', isDone: Boolean(event) },
    { name: 'alarm', isDone: Boolean(incident) },
    ...(isOwner === false ? [] : ownersSteps),
    {
      name: 'deploy',
      isDone: hasDeploy === true,
      link: { to: '/releases', search: { project: id, record: true } },
    },
  ];
}
