/** Texts about how an email is sent: what the settings, the confirmation of a send, and its page share. */
export const delivery = {
  policy: {
    title: 'Uncertain deliveries',
    hint: 'If the connection to the mail server is lost before it confirms a message, nobody knows whether the message was sent. This is rare.',
    setting:
      'New sends start with this choice, and you can change it for each of them. Confirmed sends keep theirs.',
    saved: 'Settings saved',
    name: { retry: 'Send again once', hold: 'Wait for a decision' },
    effect: {
      retry: 'Sent again without asking you. A few recipients may get the email twice.',
      hold: 'Nothing is sent again without you. A few recipients may not get the email until you decide.',
    },
  },
};
