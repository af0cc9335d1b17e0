export const topics = {
  hint: 'What the emails of this brand are about. Each email can have one topic, and recipients choose among them on the preference page, in this order.',
  new: 'New topic',
  created: 'Topic created',
  nameHint: 'Recipients see it.',
  descriptionHint: 'What to expect and how often. Recipients see it.',
  audience: {
    title: 'Who gets its emails',
    default: 'Everybody who has not declined',
    defaultHint: 'For what your recipients expect from you anyway.',
    chosen: 'Only subscribers',
    chosenHint:
      'For what not everybody wants: recipients subscribe on the preference page or in a sign-up form.',
  },
  becomesChosen: 'Addresses that have not chosen this topic no longer get its emails.',
  becomesChosenCount_one:
    'From then on, only {{count, number}} address gets its emails: the one that has chosen it.',
  becomesChosenCount_other:
    'From then on, only {{count, number}} addresses get its emails: those that have chosen it.',
  subscribed: 'Subscribed',
  emails: 'Emails',
  deleted: 'Topic deleted',
  deleteTitle: 'Delete the topic “{{name}}”?',
  deleteUsed_one: '{{count, number}} email has this topic. Choose another one there first.',
  deleteUsed_other: '{{count, number}} emails have this topic. Choose another one there first.',
  deleteBody: 'Nobody has chosen or declined it.',
  deleteChoices_one: 'The choice of {{count, number}} address is deleted with it. This can’t be undone.',
  deleteChoices_other:
    'The choices of {{count, number}} addresses are deleted with it. This can’t be undone.',
  empty: {
    body: 'With topics such as “Offers” or “Events”, recipients choose what they want to read about instead of unsubscribing from everything.',
  },
};
