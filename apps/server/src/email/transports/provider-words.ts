import { cleanReplyText } from '../smtp/smtp-reply.ts';

/** Replaces what must be shown to nobody, in a text that somebody else wrote. */
export const withoutSecrets = (text: string, secrets: readonly (string | null)[]): string =>
  secrets.reduce<string>(
    (rest, secret) => (secret === null || secret === '' ? rest : rest.replaceAll(secret, '…')),
    text,
  );

/** What a provider or a connection says, for people: without secrets, controls and non-ASCII characters, at most 300 characters. */
export const toWords = (text: string, secrets: readonly (string | null)[]): string =>
  cleanReplyText(withoutSecrets(text, secrets)).slice(0, 300);
