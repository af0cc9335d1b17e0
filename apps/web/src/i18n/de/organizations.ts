import type { organizations as en } from '../en/organizations.ts';
import type { Translation } from '../translation.ts';

export const organizations: Translation<typeof en> = {
  title: 'Ihre Organisationen',
  new: 'Neue Organisation',
  create: 'Organisation anlegen',
  name: 'Name der Organisation',
  nameHint: 'Ihre Agentur oder Firma, so wie Ihr Team sie kennt.',
  what: 'Ihre Organisationen',
  empty: {
    title: 'Sie gehören noch keiner Organisation an.',
    body: 'Legen Sie eine an oder öffnen Sie den Link in Ihrer Einladung.',
  },
  created: 'Organisation angelegt',
  roles: { owner: 'Inhaberschaft', admin: 'Administration', editor: 'Redaktion', analyst: 'Analyse' },
};
