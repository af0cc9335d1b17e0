import type { InstallationPolicy, SenderPolicies } from '../../email/transports/sender-policy.ts';
import { findChosenTransport } from '../transports/transport.queries.ts';
import { listSenderDomains } from './campaign-domain.queries.ts';

/**
 * Senders are at verified sending domains of the organization, or at those that the operator allows for all. The server of a
 * transport that the organization has chosen decides for itself.
 * @see docs/domains.md, docs/transports.md
 */
export const createSenderPolicies = (installation: InstallationPolicy): SenderPolicies => ({
  ofInstallation: installation,
  of: async (trx, scope) => {
    const rows = await listSenderDomains(trx, scope);
    const isLinked = rows.some(({ is_linked }) => is_linked);
    const own = await findChosenTransport(trx, scope);
    return {
      ...installation,
      ...(own && { transport: own.id, own, senderDomains: [] }),
      domains: rows.map(({ id, domain, status, is_usable, is_linked, passed }) => ({
        id,
        domain,
        status,
        isAllowed: is_usable && (is_linked || !isLinked),
        ...(passed.includes('return_path') && { bounceDomain: `bounce.${domain}` }),
        ...(passed.includes('tracking') && { publicUrl: `https://click.${domain}` }),
      })),
      isLinked,
    };
  },
});
