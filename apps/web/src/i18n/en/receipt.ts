/** Texts of receipts of sends. */
export const receipt = {
  title: 'Receipt',
  starts: 'Starts',
  counted: '{{number}} when confirmed; counted again at the start',
  confirmedBy: '{{when}} by {{name}}',
  sentFrom: '{{from}} to {{to}}',
  content: 'The email as sent',
  contentToCome: 'The email as it will be sent',
  shownAs: 'As received by {{address}}',
  shownToCome: 'As {{address}} will receive it',
  withoutRecipient: 'Without the details of a recipient',
  notShown: 'The email can’t be shown.',
  changed: 'The email was changed after it was confirmed. It is sent as shown here.',
  seeChanges: 'See and confirm the changes',
  ofInstallation: 'that of this installation',
  details: 'Recipients in detail',
};
