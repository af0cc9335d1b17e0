import type { FastifyInstance } from 'fastify';
import { InboundFull } from '../../email/inbound/inbound-full.ts';
import { maxInboundBytes, providerMailbox } from '../../email/inbound/returned-mail.ts';
import { verifyEventsAddress } from '../../outreach/transports/transports.ts';
import type { PipelinedDatabase } from '../../platform/database/pipelined.ts';
import { apiError, notFound } from '../../platform/http/api-error.ts';
import { sendProblem } from '../../platform/http/request-guards.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { createInboundStore } from './store-inbound.ts';

/** What is kept of a request, as JSON in `returned_mail`. */
export interface ProviderRequest {
  organizationId: string;
  method: string;
  headers: Record<string, string>;
  query: string;
  body: string;
}

/** Headers that signatures are in or about. */
const kept = /^(?:content-type|x-elasticemail-.*|x-amz-sns-.*)$/;
/** Less than what is kept, which has the headers as well. */
const maxBodyBytes = maxInboundBytes - 8_192;

/**
 * `/hooks/transports/{address}`: what providers of transports report, stored as it comes. Only the signed address is checked here:
 * whether the provider signed it, and what it says, is found out when it is read. A provider that gets 503 repeats it.
 */
export async function registerProviderEvents(
  app: FastifyInstance,
  { pipelined, secrets }: { pipelined: PipelinedDatabase; secrets: Secrets },
): Promise<void> {
  const store = createInboundStore(pipelined);
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: maxBodyBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.route<{ Params: { address: string } }>({
      method: ['GET', 'POST'],
      url: '/hooks/transports/:address',
      handler: async (request, reply) => {
        const owner = verifyEventsAddress(secrets, request.params.address);
        if (owner === undefined) return await sendProblem(reply, notFound());
        const headers = Object.entries(request.headers).filter(([name]) => kept.test(name));
        const stored: ProviderRequest = {
          organizationId: owner.organizationId,
          method: request.method,
          headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
          query: request.url.split('?', 2)[1] ?? '',
          body: typeof request.body === 'string' ? request.body : '',
        };
        const raw = Buffer.from(JSON.stringify(stored));
        if (raw.length > maxInboundBytes) return await sendProblem(reply, apiError('body_too_large'));
        try {
          await store({ mailbox: `${providerMailbox}${owner.id}`, raw, receivedAt: new Date() });
        } catch (error) {
          if (!(error instanceof InboundFull)) throw error;
          return await sendProblem(reply, apiError('unavailable', { retry_after: 60 }));
        }
        return await reply.send('');
      },
    });
    done();
  });
}
