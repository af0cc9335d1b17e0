export const organizations = {
  title: 'Your organizations',
  new: 'New organization',
  create: 'Create organization',
  name: 'Name of the organization',
  nameHint: 'Your agency or company, as your colleagues know it.',
  what: 'Your organizations',
  empty: {
    title: 'You are not in an organization yet.',
    body: 'Create one, or open the link in your invitation.',
  },
  created: 'Organization created',
  roles: { owner: 'Owner', admin: 'Administrator', editor: 'Editor', analyst: 'Analyst' },
};
