import { maxTransports } from '@reachout/contract/transports.ts';
import { readElasticEmailKey, storeElasticEmailKey } from '../../content/directus/connection.ts';
import type { OpenOptions, OwnTransport, ProviderLimits } from '../../email/transports/own-transport.ts';
import { domainOfAddress } from '../../email/addresses/address.ts';
import { escapeHtml } from '../../email/liquid/escape-html.ts';
import { buildPlainEmail } from '../../email/mime/plain-email.ts';
import { inTransaction, operations, type OperationContext } from '../../identity/access/operations.ts';
import { createConcurrencyLimiter } from '../../platform/concurrency-limiter.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { apiError, invalidInput, orNotFound, tooManyRecords } from '../../platform/http/api-error.ts';
import { newId } from '../../platform/ids.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  deleteChoice,
  deleteTransport,
  findBrandName,
  findTransport,
  getOwnAddress,
  insertTransport,
  isChosen,
  listTransports,
  lockTransports,
  renewElasticEmail,
  saveChoice,
  storeCheck,
  updateTransport,
  type TransportRow,
} from './transport.queries.ts';
import {
  checkNow,
  describeTransports,
  isSameAccount,
  secretPlace,
  sendThrough,
  toOwnTransport,
  transportFailed,
} from './transports.ts';

export interface TransportDeps {
  secrets: Secrets;
  outbound: OutboundClient;
  publicUrl: string;
  /** Where providers are asked; tests have their own. */
  endpoints: OpenOptions['endpoints'];
}

/** Connections that requests of one organization open at a time: nobody tries passwords here, nor looks for servers. */
const limitOfOrganization = createConcurrencyLimiter({
  bound: 'checks of transports of one organization',
  maxConcurrent: 2,
  maxQueued: 10,
  maxWaitMs: 20_000,
});
const limited = <T>({ organizationId }: OperationContext, work: () => Promise<T>): Promise<T> =>
  limitOfOrganization(organizationId, work);

/** In the audit log. */
const keyName = 'Elastic Email';

/** Settings of transports. Servers and providers are asked outside of transactions. */
// oxlint-disable-next-line max-lines-per-function -- a flat list: one operation after the other
export function createTransportRoutes({ outbound, endpoints, ...deps }: TransportDeps) {
  const { secrets } = deps;
  const options: OpenOptions = { outbound, connections: 1, endpoints };
  const describe = (trx: Transaction, { organizationId }: OperationContext) =>
    describeTransports(trx, deps, organizationId);

  const find = ({ transaction, organizationId }: OperationContext, id: string) =>
    transaction(async (trx) => {
      const row = orNotFound(await findTransport(trx, organizationId, id));
      return { row, own: await toOwnTransport(trx, secrets, organizationId, row) };
    });

  /** @throws 424 `transport_failed` with the words of the server or provider */
  const check = async (context: OperationContext, own: OwnTransport): Promise<ProviderLimits> => {
    const { limits, words } = await limited(context, () => checkNow(own, options));
    if (limits === null) throw transportFailed(words);
    return limits;
  };

  /** Stores secrets for the place where they will be. */
  const seal = (
    organizationId: string,
    { id, secret, webhookSecret }: OwnTransport,
  ): Pick<TransportRow, 'secret' | 'webhook_secret'> => ({
    secret: secret && secrets.seal(secretPlace('secret', organizationId, id), secret),
    webhook_secret:
      webhookSecret && secrets.seal(secretPlace('webhook_secret', organizationId, id), webhookSecret),
  });

  /** Writes a checked transport with its limits. */
  const store = async (
    trx: Transaction,
    { organizationId }: OperationContext,
    own: OwnTransport,
    name: string,
    limits: ProviderLimits,
    before?: TransportRow,
  ) => {
    const { id, settings } = own;
    const sealed = seal(organizationId, settings.kind === 'elastic_email' ? { ...own, secret: null } : own);
    const columns = { name, settings, ...sealed };
    if (before === undefined) await insertTransport(trx, organizationId, id, columns);
    else await updateTransport(trx, organizationId, id, columns);
    await storeCheck(trx, organizationId, { id, version: (before?.version ?? 0) + 1 }, null, limits);
  };

  return {
    list: inTransaction(operations.transports.list, (trx, _input, context) => describe(trx, context)),
    create: operations.transports.create.handler(async ({ input, context }) => {
      const { organizationId } = context;
      const { name, settings, secret = null, webhook_secret = null } = input;
      const own: OwnTransport = {
        id: newId(),
        organizationId,
        settings,
        secret,
        webhookSecret: webhook_secret,
      };
      if (settings.kind === 'elastic_email')
        own.secret = await context.transaction((trx) => readElasticEmailKey(trx, secrets, organizationId));
      requireSecret(own);
      const limits = await check(context, own);
      return await context.commit(async (trx) => {
        await lockTransports(trx, organizationId);
        if ((await listTransports(trx, organizationId)).length >= maxTransports)
          throw tooManyRecords(maxTransports);
        await store(trx, context, own, name, limits);
        context.note({ record_name: name });
        return await describe(trx, context);
      });
    }),
    update: operations.transports.update.handler(async ({ input, context }) => {
      const { row, own } = await find(context, input.transport_id);
      const { name = row.name, settings = row.settings, webhook_secret = own.webhookSecret } = input;
      const known = isSameAccount(settings, row.settings) ? own.secret : null;
      const changed = { ...own, settings, secret: input.secret ?? known, webhookSecret: webhook_secret };
      if (settings.kind !== row.settings.kind)
        throw invalidInput('settings.kind', 'Add another transport instead.');
      requireSecret(changed);
      const limits = await check(context, changed);
      return await context.commit(async (trx) => {
        await lockTransports(trx, context.organizationId);
        const current = orNotFound(await findTransport(trx, context.organizationId, row.id));
        if (current.version !== row.version) throw apiError('changed_elsewhere');
        await store(trx, context, changed, name, limits, row);
        context.note({ record_name: name });
        return await describe(trx, context);
      });
    }),
    delete: inTransaction(operations.transports.delete, async (trx, input, context) => {
      const { organizationId } = context;
      await lockTransports(trx, organizationId);
      const { id, name } = orNotFound(await findTransport(trx, organizationId, input.transport_id));
      if (await isChosen(trx, organizationId, id)) throw apiError('transport_in_use');
      await deleteTransport(trx, organizationId, id);
      context.note({ record_name: name });
      return await describe(trx, context);
    }),
    check: operations.transports.check.handler(async ({ input, context }) => {
      const { row, own } = await find(context, input.transport_id);
      const result = await limited(context, () => checkNow(own, options));
      return await context.commit(async (trx) => {
        await storeCheck(trx, context.organizationId, row, result.words, result.limits);
        context.note({ record_name: row.name });
        return await describe(trx, context);
      });
    }),
    test: operations.transports.test.handler(async ({ input, context }) => {
      const { row, own } = await find(context, input.transport_id);
      const to = await context.transaction((trx) => getOwnAddress(trx, context.userId));
      const { from } = input;
      const id = newId();
      const subject = `Test of ${row.name}`;
      const text = `This message was sent by the transport ${row.name}.`;
      const message = buildPlainEmail({
        from: { name: '', address: from },
        to,
        subject,
        messageId: `<${id}@${domainOfAddress(from)}>`,
        date: new Date(),
        text: `${text}\r\n`,
        html: `<p>${escapeHtml(text)}</p>\r\n`,
        language: 'en',
      });
      const mail = { envelopeFrom: from, envelopeTo: to, message, isStrict: true } as const;
      const reference = await limited(context, () => sendThrough(own, options, mail));
      return await context.commit(() => {
        context.note({ record_name: row.name });
        return Promise.resolve({ reference });
      });
    }),
    choose: inTransaction(operations.transports.choose, async (trx, input, context) => {
      const { organizationId } = context;
      const { brand_id: brandId, transport_id: transportId, is_inherited: isInherited } = input;
      await lockTransports(trx, organizationId);
      const brand = brandId === null ? '' : orNotFound(await findBrandName(trx, brandId));
      if (isInherited) await deleteChoice(trx, organizationId, brandId);
      else {
        if (transportId !== null) orNotFound(await findTransport(trx, organizationId, transportId));
        await saveChoice(trx, { organizationId, brandId, transportId });
      }
      context.note({ record_name: brand });
      return await describe(trx, context);
    }),
    setElasticEmailKey: operations.transports.setElasticEmailKey.handler(async ({ input, context }) => {
      const { organizationId } = context;
      const settings = { kind: 'elastic_email' } as const;
      const own = {
        id: organizationId,
        organizationId,
        settings,
        secret: input.api_key,
        webhookSecret: null,
      };
      await check(context, own);
      return await context.commit(async (trx) => {
        await lockTransports(trx, organizationId);
        await storeElasticEmailKey(trx, secrets, organizationId, input.api_key);
        await renewElasticEmail(trx, organizationId);
        context.note({ record_name: keyName });
        return await describe(trx, context);
      });
    }),
    deleteElasticEmailKey: inTransaction(
      operations.transports.deleteElasticEmailKey,
      async (trx, _input, context) => {
        const { organizationId } = context;
        await lockTransports(trx, organizationId);
        const rows = await listTransports(trx, organizationId);
        if (rows.some(({ settings }) => settings.kind === 'elastic_email'))
          throw apiError('transport_in_use');
        await storeElasticEmailKey(trx, secrets, organizationId, null);
        context.note({ record_name: keyName });
        return await describe(trx, context);
      },
    ),
  };
}

/** A server that asks for no sign-in needs none. @throws 422 */
function requireSecret({ settings, secret }: OwnTransport): void {
  if (secret !== null || (settings.kind === 'smtp' && settings.username === null)) return;
  throw settings.kind === 'elastic_email'
    ? invalidInput('settings', 'Set the key of Elastic Email first.')
    : invalidInput('secret', 'Enter the password or key of this account.');
}
