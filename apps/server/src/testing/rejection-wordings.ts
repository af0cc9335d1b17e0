/** Code and text; `S` and `R` stand for the addresses, a line break for the next line of a reply. */
export type Wording = readonly [code: number, text: string];

export interface Addresses {
  sender: string;
  recipient: string;
}

export const fillIn = (text: string, { sender, recipient }: Addresses): string =>
  text.replaceAll(/\bS\b/g, sender).replaceAll(/\bR\b/g, recipient);

/** @returns the lines of the reply, without the last line break */
export function toReply([code, text]: Wording, addresses: Addresses): string {
  const lines = fillIn(text, addresses).split('\n');
  return lines.map((line, index) => `${code}${index < lines.length - 1 ? '-' : ' '}${line}`).join('\r\n');
}

/** Replies to RCPT that speak of the sender. */
export const aboutSender: readonly Wording[] = [
  // Exim
  [550, 'Verification failed for <S>\nNo Such User Here\nSender verify failed'],
  [550, 'Callback setup failed while verifying <S>\nUser unknown\nSender verify failed'],
  [550, 'Unrouteable sender address'],
  [550, 'Verification failed for <SRS0=x=yz=bounce.example=b.Ab12@relay.example>\nUnrouteable address'],
  // Postfix
  [550, '5.1.0 <S>: Sender address rejected: User unknown in virtual alias table'],
  [550, '5.7.1 <R>: Recipient address rejected: SPF fail - not authorized to use bounce.example'],
  [554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked using list.example; bad user'],
  [504, '5.5.2 <mta1>: Helo command rejected: need fully-qualified hostname'],
  [550, '5.1.1 <S> sender rejected'],
  [550, '5.1.1 <S>: user unknown'],
  // sendmail
  [553, '5.1.8 <S>... Domain of sender address S does not exist'],
  [550, '5.7.1 Fix reverse DNS for 192.0.2.1'],
  // qmail
  [553, 'sorry, your mail server is unknown (#5.7.1)'],
  [553, 'sorry, your envelope sender is in my badmailfrom list (#5.7.1)'],
  [511, "sorry, can't find a valid MX for sender domain (#5.1.8 - chkuser)"],
  // Exchange, Microsoft 365
  [550, '5.1.7 Invalid address'],
  [550, '5.7.60 SMTP; Client does not have permissions to send as this sender'],
  [550, '5.7.606 Access denied, banned sending IP [192.0.2.1]'],
  [550, '5.1.8 Access denied, bad outbound sender'],
  // Gmail
  [550, "5.7.1 The IP you're using to send mail is not authorized to send email directly to our servers."],
  [550, '5.7.26 This mail has been blocked because the sender is unauthenticated.'],
  // Yahoo
  [553, '5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in a list'],
  // PowerMTA, Halon, Haraka
  [550, '5.7.1 invalid HELO'],
  [550, 'Sender IP reverse lookup rejected'],
  [550, 'unknown host: your HELO does not exist'],
  [550, 'Mail from bounce.example is denied: no MX found'],
  // GMX, t-online. The first line is that of RFC 5321 for each 550.
  [550, '<S>: Invalid DNS MX or A/AAAA resource record'],
  [550, 'Requested action not taken: mailbox unavailable\ninvalid DNS MX or A/AAAA resource record'],
  [550, 'Requested action not taken: mailbox unavailable\nReject due to policy restrictions'],
  [550, 'Requested action not taken: mailbox unavailable\nBad DNS PTR resource record'],
  [550, 'No MX record found for domain'],
  [550, 'DNS lookup of bounce.example failed: no A/AAAA/MX'],
  [554, 'Bad DNS PTR resource record.\nFor explanation visit https://postmaster.gmx.net/?ip=192.0.2.1'],
  [
    554,
    'IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact a@b.example to clarify.)',
  ],
  // Cisco, Barracuda, Mimecast, Proofpoint
  [
    554,
    "Your access to this mail system has been rejected due to the sending MTA's poor reputation. If you believe that this failure is in error, please contact the intended recipient via alternate means.",
  ],
  [550, 'SPF Sender Invalid - envelope rejected'],
  [550, 'Invalid return path, user unknown'],
  [554, 'Blocked - see https://ipcheck.example/?ip=192.0.2.1'],
  // others
  [550, 'Domain nordwind.example does not exist'],
  [550, 'user news@nordwind.example unknown'],
  [550, 'Originator unknown'],
  [550, 'The address in MAIL FROM does not exist'],
  [550, 'Your domain is unknown here'],
  [550, 'Your email address does not exist'],
  [550, 'You are not a known user of this relay'],
  [550, 'We do not know you'],
  [550, '192.0.2.1 is not in our list'],
  [550, 'Unknown client host'],
  [550, 'Absender unbekannt'],
  [550, 'Message from an unknown address bounce.example'],
  [550, '5.1.2 <S>: Domain not found'],
  [550, 'Requested action not taken: mailbox unavailable because 192.0.2.1 is blocked'],
  [550, 'The user you send as does not exist'],
  [550, 'no such mail server'],
  [550, 'envelope domain not found'],
];

/** Replies for addresses that do not exist. */
export const missingAddresses: readonly Wording[] = [
  // Exim
  [550, 'Unrouteable address'],
  [550, 'Verification failed for <R>\nCalled:   192.0.2.9\nResponse: 550 User unknown'],
  [550, 'no such address here'],
  [550, 'Unknown user'],
  // Postfix
  [550, '5.1.1 <R>: Recipient address rejected: User unknown in virtual mailbox table'],
  [550, '<R>: Recipient address rejected: User unknown in relay recipient table'],
  [
    550,
    '5.1.1 <R>: Recipient address rejected: undeliverable address: host mx.client.example[192.0.2.9] said: 550 User unknown (in reply to RCPT TO command)',
  ],
  // sendmail, qmail
  [550, '5.1.1 <R>... User unknown'],
  [553, '5.3.0 <R>... No such user here'],
  [550, 'sorry, no mailbox here by that name (#5.1.1 - chkuser)'],
  [511, 'sorry, no mailbox here by that name (#5.1.1 - chkuser)'],
  // Exchange, Microsoft 365, Outlook.com
  [550, '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
  [550, '5.1.1 RESOLVER.ADR.ExRecipNotFound; not found'],
  [550, '5.5.0 Requested action not taken: mailbox unavailable (S2017062302)'],
  // Gmail, Yahoo, iCloud
  [
    550,
    "5.1.1 The email account that you tried to reach does not exist. Please try\n5.1.1 double-checking the recipient's email address for typos. Learn more at https://support.example/?ip=1",
  ],
  [552, '1 Requested mail action aborted, mailbox not found'],
  [550, '5.1.6 recipient no longer on server: R'],
  // GMX, t-online, Cisco
  [
    550,
    'Requested action not taken: mailbox unavailable\nFor explanation visit https://postmaster.gmx.net/en/error-messages?ip=192.0.2.1&c=mbun',
  ],
  [550, 'user unknown'],
  [550, '#5.1.0 Address rejected.'],
  // Barracuda, Mimecast, Proofpoint
  [550, 'permanent failure for one or more recipients (R:550 5.1.1 no such user)'],
  [550, 'Invalid Recipient - https://community.example/docs/DOC-1369#550'],
  [550, '5.1.1 User Unknown'],
  // Haraka, Yandex, Mail.ru, QQ, Domino, MDaemon
  [550, 'No such user: R'],
  [550, '5.7.1 No such user!'],
  [550, 'Message was not accepted -- invalid mailbox. Local mailbox R is unavailable: user not found'],
  [550, 'Mailbox not found. http://service.example/cgi-bin/help'],
  [550, 'R... User not listed in public Name & Address Book'],
  [550, '<R>, Recipient unknown'],
  // others
  [550, 'unknown'],
  [550, "The user you are trying to contact doesn't exist"],
  [550, 'Account disabled'],
  [550, '5.1.1 Not our Customer'],
  [550, 'This account has been deactivated, the message was returned to the sender'],
  [550, '5.1.1 user unknown [192.0.2.1]'],
  [550, '5.1.1 User unknown; message from S to R refused'],
  [550, 'There is no one here by that name'],
  [550, 'We do not have a mailbox for R'],
  [550, 'Empfaenger unbekannt'],
  [550, 'That email address does not exist'],
  [550, 'Recipient is gone'],
  [501, '5.1.3 Bad recipient address syntax'],
];
