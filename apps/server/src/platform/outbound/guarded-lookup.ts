import { lookup as lookupByTheSystem, type LookupAddress } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isGlobalAddress } from './global-address.ts';
import { OutboundFailure } from './outbound-failure.ts';

export type NameResolver = Pick<Resolver, 'resolve4' | 'resolve6'>;

/**
 * Resolves names for `net.connect`, which then connects to exactly these addresses, so that a later DNS change has no
 * effect. All addresses of a name have to be public; otherwise none is used, and the name counts as unknown, so that nobody
 * learns which names a private network has.
 * @param isListed  private hosts that the operator allows; the system resolves them, so that its hosts file applies
 */
export const createGuardedLookup =
  (resolver: NameResolver, isListed: (host: string) => boolean): LookupFunction =>
  (host, options, callback) => {
    if (isListed(host)) {
      lookupByTheSystem(host, options, callback);
      return;
    }
    void lookUp(resolver, host, (error, addresses) => {
      const [first] = addresses;
      if (error !== null || first === undefined) callback(error ?? new OutboundFailure('name'), '', 4);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

async function lookUp(
  resolver: NameResolver,
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
): Promise<void> {
  try {
    done(null, await resolvePublic(resolver, host));
  } catch (error) {
    done(error as NodeJS.ErrnoException, []);
  }
}

/** Does not use `getaddrinfo`, which would block one of the few threads of the process until the name server responds. */
async function resolvePublic(resolver: NameResolver, host: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer, index) =>
    answer.status === 'fulfilled'
      ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  );
  if (addresses.length === 0) throw new OutboundFailure('name');
  if (!addresses.every(({ address }) => isGlobalAddress(address))) throw new OutboundFailure('name');
  return addresses;
}
