/** What a contact has signed up for. */
export const signUps = {
  title: 'Sign-ups',
  none: 'This contact has not signed up with a form.',
  /** A form that was deleted. */
  deletedForm: 'Deleted form',
  notConfirmed: 'not yet',
  network: '{{at}} (network {{network}})',
  download: 'Download proof',
  downloadHint:
    'A JSON file with the full texts, all times and the shortened network addresses of each sign-up.',
};
