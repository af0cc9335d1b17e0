export const outboundFailureKinds = [
  /** The address is none, or not one that may be asked: other than https on port 443. */
  'address',
  /** The name leads to a network that is not public. */
  'private',
  /** The name is unknown. */
  'name',
  'refused',
  'timeout',
  'certificate',
  'redirect',
  'too_large',
  /** The connection broke, or what came over it is not HTTP. */
  'connection',
  /** Too many requests in a row failed: for a while nothing is asked. */
  'paused',
] as const;
export type OutboundFailureKind = (typeof outboundFailureKinds)[number];

/** A request that got no response. Its message has nothing of addresses and networks: it is shown to people. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
  readonly kind: OutboundFailureKind;

  constructor(kind: OutboundFailureKind, options?: ErrorOptions) {
    super(messages[kind], options);
    this.kind = kind;
  }
}

const messages: Record<OutboundFailureKind, string> = {
  address: 'This address can’t be used.',
  private: 'This address is in a private network.',
  name: 'There is no server of this name.',
  refused: 'The server refuses connections.',
  timeout: 'The server took too long.',
  certificate: 'The certificate of the server is not valid.',
  redirect: 'The server redirects to another address.',
  too_large: 'The response is too large.',
  connection: 'The connection to the server broke.',
  paused: 'The server failed several times in a row.',
};

/** What an error of a connection means. */
export function toOutboundFailure(error: unknown): OutboundFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundFailure) return cause;
    const kind = kindOf(cause);
    if (kind !== undefined) return new OutboundFailure(kind, { cause: error });
  }
  return new OutboundFailure('connection', { cause: error });
}

function kindOf(error: Error): OutboundFailureKind | undefined {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^(?:ENOTFOUND|ENODATA|EAI_\w+|ESERVFAIL|EREFUSED)$/.test(code)) return 'name';
  if (/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return 'refused';
  if (/TIMEOUT|^ETIMEDOUT$/.test(code)) return 'timeout';
  if (/CERT|SIGNATURE|ISSUER|^CRL_|ALTNAME|HOSTNAME_MISMATCH/.test(code)) return 'certificate';
  if (/OVERFLOW/.test(code)) return 'too_large';
  return undefined;
}
