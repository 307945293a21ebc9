/** What a user reads on the pages of organization. */
export const texts = {
  addMember: {
    addAMember: 'Add a member',
    userId: 'User id',
    placeholder: 'usr_…',
    hint: 'Ask them to copy it from Settings → Account. They’ll leave their current organization, which must have no projects or other members.',
    role: 'Role',
    addMember: 'Add member',
  },
  auditEntry: {
    to: 'to',
  },
  auditPage: {
    auditLog: 'Audit log',
    notAllowed: 'Only owners can read the audit log',
    notAllowedHint: 'Ask an owner to look something up, or to make you an owner under Organization.',
    none: 'No changes yet',
    noneHint: 'Changes that people make will show up here.',
    list: 'Changes, newest first',
    endOfLog: 'End of log',
  },
  leaveOrganization: {
    title: (organization: string) => `Leave ${organization}?`,
    losses: (organization: string) =>
      `You’ll immediately lose access to all of ${organization}’s projects, events and incidents, and get a new, empty organization.`,
    workStays: 'Your work stays. An owner can add you back later.',
    cancel: 'Cancel',
    confirm: 'Leave organization',
  },
  memberList: {
    hint: 'Members can view and edit projects and incidents. Owners can also manage members, roles and the plan, and read the audit log.',
    members: 'Members',
    you: '(you)',
    since: '· since',
    onlyOwner: 'You’re the only owner. Make someone else an owner first.',
    roleOf: (name: string) => `${name}’s role`,
    removeNamed: (name: string) => `Remove ${name}`,
    remove: 'Remove',
    leaveOrganization: 'Leave organization',
    leave: 'Leave',
  },
  organizationForm: {
    name: 'Name',
    plan: 'Plan',
    planHint: '(an owner can change it)',
    saveChanges: 'Save changes',
    created: 'Created',
  },
  organizationPage: {
    organization: 'Organization',
    general: 'General',
    members: 'Members',
  },
  removeMember: {
    title: (name: string) => `Remove ${name}?`,
    losses: (member: string, organization: string) =>
      `${member} will immediately lose access to all of ${organization}’s projects, events and incidents, and get a new, empty organization.`,
    workStays: 'Their work stays. You can add them back later.',
    cancel: 'Cancel',
    confirm: 'Remove member',
  },
  stepDown: {
    title: 'Give up ownership?',
    losses:
      'You’ll no longer be able to manage members, roles and the plan, or read the audit log. Only another owner can make you an owner again.',
    cancel: 'Cancel',
    confirm: 'Give up ownership',
  },
};
