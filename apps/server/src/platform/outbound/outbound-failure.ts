export const outboundFailureKinds = [
  /** The URL is invalid or not allowed: it is not https on port 443. */
  'address',
  /** The IP address is in a network that is not public. */
  'private',
  /** The name cannot be resolved, or is the name of a host in a network that is not public. */
  'name',
  'refused',
  'timeout',
  'certificate',
  'redirect',
  'too_large',
  /** The connection was lost, or the response is not HTTP. */
  'connection',
  /** Too many consecutive requests failed: requests are paused for a while. */
  'paused',
] as const;
export type OutboundFailureKind = (typeof outboundFailureKinds)[number];

/** A request that got no response. Its message contains no addresses or networks, because it is shown to users. */
export class OutboundFailure extends Error {
  override name = 'OutboundFailure';
  readonly kind: OutboundFailureKind;

  constructor(kind: OutboundFailureKind, options?: ErrorOptions) {
    super(messages[kind], options);
    this.kind = kind;
  }
}

/** The caller took the request back before it was written (`OutboundRequest.mayLeave`). */
export class RequestWithdrawn extends Error {
  override name = 'RequestWithdrawn';
}

export const isWithdrawal = (error: unknown): boolean =>
  error instanceof Error && (error instanceof RequestWithdrawn || isWithdrawal(error.cause));

const messages: Record<OutboundFailureKind, string> = {
  address: 'This address can’t be used.',
  private: 'This address is in a private network.',
  name: 'There is no public server of this name.',
  refused: 'The server refuses connections.',
  timeout: 'The server took too long.',
  certificate: 'The certificate of the server is not valid.',
  redirect: 'The server redirects to another address.',
  too_large: 'The response is too large.',
  connection: 'The connection to the server broke.',
  paused: 'The server failed several times in a row.',
};

/** Converts a connection error to an OutboundFailure. */
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
