import { generateKeyPairSync } from 'node:crypto';
import { measureAgainstNodemailer } from './support/against-nodemailer.ts';

export const metrics = ['send_dkim', 'send_dkim_cpu'];

/** Both sides sign each message with the same RSA key of 2048 bits. Goal: 4.0 times the rate of nodemailer. */
export const run = () =>
  measureAgainstNodemailer('send_dkim', {
    domain: 'nordwind.example',
    selector: 'r1',
    privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }),
  });
