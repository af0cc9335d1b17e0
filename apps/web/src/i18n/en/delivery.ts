/** Texts about how an email is sent: what the settings, the confirmation of a send, and its page share. */
export const delivery = {
  policy: {
    title: 'Uncertain deliveries',
    hint: 'If the connection to the mail server is lost before it confirms a message, nobody knows whether the message was sent. This is rare.',
    setting:
      'New sends start with this choice, and you can change it for each of them. Confirmed sends keep theirs.',
    name: { retry: 'Send again once', hold: 'Wait for a decision' },
    effect: {
      retry: 'Sent again without asking you. A few recipients may get the email twice.',
      hold: 'Nothing is sent again without you. A few recipients may not get the email until you decide.',
    },
  },
  /** About an email of which a program requests each message. */
  onRequest: {
    offer: 'Send on request',
    offerHint:
      'Without an audience: a program of yours requests each message, such as a confirmation of an order.',
    title: 'Send on request for {{brand}}?',
    effects: {
      start:
        'Nothing is sent yet. From now on, your program can request messages of this email, each for one address.',
      locked: 'The email can’t be edited until you switch it off. You can pause it at any time.',
      suppressed: 'Addresses that get no email of this brand get no message either.',
    },
    confirm: 'Switch on',
    switchOff: 'Switch off',
    offTitle: 'Switch off “{{name}}”?',
    offBody_zero: 'New requests are rejected, and the email becomes a draft.',
    offBody_one:
      'New requests are rejected, {{number}} waiting message will not be sent, and the email becomes a draft.',
    offBody_other:
      'New requests are rejected, {{number}} waiting messages will not be sent, and the email becomes a draft.',
    keep: 'Keep it on',
    whileOn: 'Messages are sent as soon as they are requested.',
    whilePaused: 'While it is paused, requests are rejected and waiting messages stay.',
    messages: 'Messages',
    noMessages: 'No messages have been requested.',
    request: {
      title: 'Request a message',
      hint: 'Each request sends one message. Run this example in a terminal to send one to yourself.',
      key: 'It needs an API key with the permission “Send emails” (campaigns:send), in the variable REACHOUT_API_KEY.',
      toKeys: 'Go to the API keys',
      fields: 'This email reads {{fields}} from “data”. A field that is missing stays empty.',
      noFields: 'This email reads no fields, so that “data” is not needed.',
      anyField: 'This email can read any field of “data”.',
      repeat:
        'Use a new Idempotency-Key for each message. A repeated request with the same key sends nothing again.',
      copy: 'Copy request',
      accepted: 'The message is accepted. The response has its “id”, for GET /api/messages/{id}.',
      off: 'touchpoint_not_active: the email is paused or switched off.',
      limited: 'daily_limit_reached or too_many_messages: try again later.',
    },
  },
};
