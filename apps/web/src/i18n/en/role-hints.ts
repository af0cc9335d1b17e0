/** What a role allows: the same words when it is given and when it is offered. */
export const roleHints = {
  owner: 'Full access, including deleting the organization.',
  admin: 'Full access, except deleting the organization.',
  editor: 'Can create, edit and send everything, but not manage members.',
  analyst: 'Can view everything, but not change anything.',
  guest: 'Can view the chosen clients, with their campaigns and results.',
};
