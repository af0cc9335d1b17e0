import { measureAgainstNodemailer } from './support/against-nodemailer.ts';

export const metrics = ['send', 'send_cpu'];

/** The relay signs the messages of both sides. */
export const run = () => measureAgainstNodemailer('send');
