import type { TokenSigner } from '../../email/links/tokens.ts';

/**
 * The envelope sender of a account email where the built-in mailbox takes it, and only it: signed, so that nothing else
 * on this machine gets mail in there.
 * @param mailId UUID version 7: what it tells of time and chance is what the token names
 */
export function writeReturnPath(signer: TokenSigner, mailId: string, domain: string): string {
  const digits = mailId.replaceAll('-', '');
  const ref = {
    sendNumber: Number.parseInt(digits.slice(0, 12), 16),
    seq: (Number.parseInt(digits.slice(-8), 16) % 0x7fff_ffff) + 1,
  };
  return `s.${signer.sign(ref).system_return_path}@${domain}`;
}

export function isReturnPath(signer: TokenSigner, sender: string): boolean {
  const token = /^s\.([^@]+)@[^@]+$/i.exec(sender)?.[1];
  return token !== undefined && signer.verify('system_return_path', token) !== undefined;
}
