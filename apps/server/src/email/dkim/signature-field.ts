/** Recommended maximum of a header line without CRLF (RFC 5322 section 2.1.1). */
const lineLimit = 78;

export interface SignatureTags {
  domain: string;
  selector: string;
  /** Seconds since 1970. */
  signedAt: number;
  /** Names of the signed fields. */
  names: readonly string[];
  /** In base64. */
  bodyHash: string;
}

/** @returns the value of a DKIM-Signature (RFC 6376 section 3.5), folded, up to its empty `b=` */
export function formatUnsigned({ domain, selector, signedAt, names, bodyHash }: SignatureTags): string {
  const last = names.length - 1;
  const parts = [
    ' v=1;',
    ' a=rsa-sha256;',
    ' c=relaxed/relaxed;',
    ` d=${domain};`,
    ` s=${selector};`,
    ` t=${signedAt};`,
    ...names.map((name, index) => `${index === 0 ? ' h=' : ''}${name}${index === last ? ';' : ':'}`),
    ` bh=${bodyHash};`,
  ];
  let value = '';
  let column = 'DKIM-Signature:'.length;
  for (const part of parts) {
    if (column + part.length > lineLimit) {
      value += part.startsWith(' ') ? '\r\n' : '\r\n ';
      column = part.startsWith(' ') ? 0 : 1;
    }
    value += part;
    column += part.length;
  }
  return `${value}\r\n b=`;
}

/** @param signature  in base64 @returns the whole field with its CRLF */
export function formatSigned(unsigned: string, signature: string): string {
  // The first line begins with " b=", the others with a blank.
  const lines = `b=${signature}`.match(/.{1,77}/g) ?? [];
  return `DKIM-Signature:${unsigned.slice(0, -2)}${lines.join('\r\n ')}\r\n`;
}
