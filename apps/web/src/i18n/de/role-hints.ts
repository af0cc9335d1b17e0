/** What a role allows: the same words when it is given and when it is offered. */
export const roleHints = {
  owner: 'Vollzugriff, einschließlich Löschen der Organisation.',
  admin: 'Vollzugriff, außer Löschen der Organisation.',
  editor: 'Kann alles anlegen, bearbeiten und senden, aber keine Mitglieder verwalten.',
  analyst: 'Kann alles ansehen, aber nichts ändern.',
  guest: 'Kann die gewählten Kunden mit ihren Kampagnen und Ergebnissen ansehen.',
};
