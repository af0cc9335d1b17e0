import { ORPCError } from '@orpc/contract';
import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { signUpInputs } from '@reachout/contract/rules/sign-up-inputs.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { confirmSignUp, listDeclined, readSignUp } from '../../contacts/sign-ups/confirm-sign-up.ts';
import { openForm } from '../../contacts/sign-ups/open-form.ts';
import { countConfirmationEmail, requestSignUp } from '../../contacts/sign-ups/request-sign-up.ts';
import { readFields, readTracking, textOf, type InputError } from '../../contacts/sign-ups/sign-up-fields.ts';
import { readConfirmationToken } from '../../contacts/sign-ups/sign-up-token.ts';
import { parseAddress } from '../../email/addresses/address.ts';
import type { InstallationPolicy } from '../../email/transports/sender-policy.ts';
import type { EventListeners } from '../../events/listeners.ts';
import { notifyListenersIn } from '../../events/store-events.ts';
import type { Attempt, RateLimits } from '../../identity/access/rate-limits.ts';
import { inOrganization, type Database } from '../../platform/database/database.ts';
import { ipPrefixOf } from '../../platform/ip-prefix.ts';
import type { Log } from '../../platform/log.ts';
import { rateLimitPrefixOf } from '../../platform/rate-limits/rate-limits.ts';
import { readRowToken } from '../../identity/access/row-tokens.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  acceptForms,
  handlePageErrors,
  isBeyondLimit,
  languageOf,
  sendPage,
  tokenOf,
  type TokenRequest,
} from '../public-pages/public-pages.ts';
import { findShownBrand } from '../tracking/sent-messages.queries.ts';
import {
  renderCheckInbox,
  renderConfirmation,
  renderConfirmed,
  renderForm,
  renderSignUpMessage,
  type ShownForm,
} from './sign-up-pages.ts';

export interface SignUpDeps {
  db: Database;
  limits: RateLimits;
  secrets: Secrets;
  /** What confirmed sign-ups cause. */
  listeners: EventListeners;
  /** Without a trailing slash. */
  publicUrl: string;
  /** Sign-ups by one form from one network in an hour, unless the form has its own number. */
  perNetwork: number;
  policy: InstallationPolicy;
  log: Log;
}

/** In bytes: twenty fields, most of them short. */
const formLimit = 65_536;

/**
 * Registers the public pages of sign-up forms. They neither read nor set cookies, and any website may post to a form: what a
 * post causes at most is a mail that asks to confirm. docs/consent.md
 */
export async function registerSignUps(app: FastifyInstance, deps: SignUpDeps): Promise<void> {
  await app.register(async (scope) => {
    acceptForms(scope);
    handlePageErrors(scope, deps.log);
    registerForm(scope, deps);
    registerConfirmation(scope, deps);
  });
}

function registerForm(app: FastifyInstance, deps: SignUpDeps): void {
  const { db, limits, log } = deps;

  /** @param version  as a form on another website sent it */
  async function findForm(token: string, version?: string) {
    const place = readRowToken(token);
    if (place === undefined) return undefined;
    const { organizationId, id } = place;
    const number = /^[1-9]\d{0,8}$/.test(version ?? '') ? Number(version) : undefined;
    return await inOrganization(db, organizationId, async (trx) => {
      const open = await openForm(trx, organizationId, id, number);
      const brand = open && (await findShownBrand(trx, organizationId, open.form.brand_id));
      return brand && { organizationId, shown: { ...open, brand } satisfies ShownForm };
    });
  }

  app.get('/f/:token', async (request: TokenRequest, reply) => {
    const token = tokenOf(request);
    const found = await findForm(token);
    if (found === undefined) return await sendMessage(request, reply, 404, 'closed');
    return await sendPage(
      reply,
      200,
      renderForm(languageOf(request, found.shown.form.language), token, found.shown),
    );
  });

  app.post('/f/:token', { bodyLimit: formLimit }, async (request: TokenRequest, reply) => {
    const token = tokenOf(request);
    const given = request.body instanceof FormData ? request.body : new FormData();
    const isRefused = (...attempts: Attempt[]) => isBeyondLimit(() => limits.count(...attempts));
    const found = await findForm(token, textOf(given, signUpInputs.version));
    if (found === undefined) return await sendMessage(request, reply, 404, 'closed');
    const { organizationId, shown } = found;
    const { form, fields, brand } = shown;
    const language = languageOf(request, form.language);
    const respond = async () => await sendPage(reply, 200, renderCheckInbox(language, brand));
    if (textOf(given, signUpInputs.trap) !== '') return await respond();

    const address = parseAddress(textOf(given, signUpInputs.email));
    const read = readFields(form.fields, fields, given);
    const errors = new Map<string, InputError>([
      ...('error' in address ? [['email', 'email'] as const] : []),
      ...read.errors,
    ]);
    if ('error' in address || errors.size > 0)
      return await sendPage(reply, 422, renderForm(language, token, shown, { form: given, errors }));

    // What was typed stays on the page.
    const refuse = async () =>
      await sendPage(reply, 429, renderForm(language, token, shown, { form: given, errors, isBusy: true }));
    const network = rateLimitPrefixOf(request.ip);
    const ofForm = `${form.id} ${network}`;
    const ofNetwork: Attempt[] = [
      ['sign_ups_of_form_by_ip_prefix', ofForm, form.network_limit ?? deps.perNetwork],
      // Many people of one network are expected at a form with its own number: it closes no others for them.
      ...(form.network_limit === null ? [['sign_ups_of_ip_prefix', network] as const] : []),
    ];
    const counted: Attempt[] = [
      ['sign_ups_of_form_by_ip_prefix_in_a_day', ofForm],
      ['sign_ups_of_form', form.id],
      ['sign_ups_of_organization', organizationId],
    ];
    if (await isRefused(...ofNetwork, ...counted)) {
      log.warn({ bound: 'sign-ups', organization: organizationId, form: form.id }, 'limit reached');
      return await refuse();
    }
    // The response does not reveal whether this address has got its mails already.
    if (await isBeyondLimit(() => countConfirmationEmail(limits, organizationId, address))) {
      await limits.refund(...counted);
      return await respond();
    }
    const isWithinDay = await isAccepted(() =>
      inOrganization(db, organizationId, async (trx) => {
        await requestSignUp(trx, organizationId, form, deps.policy, {
          address,
          values: read.values,
          topicIds: given.getAll(signUpInputs.topic).filter((topic) => typeof topic === 'string'),
          allowsTracking: readTracking(given),
          sourcePage: sourceOf(request, given, `${deps.publicUrl}/f/${token}`),
          ipPrefix: networkOf(request),
        });
      }),
    );
    if (!isWithinDay) {
      await limits.refund(...counted);
      log.warn({ bound: 'daily recipients', organization: organizationId }, 'limit reached');
      return await refuse();
    }
    return await respond();
  });
}

function registerConfirmation(app: FastifyInstance, { db, secrets, listeners }: SignUpDeps): void {
  const findPlace = (request: TokenRequest) => readConfirmationToken(secrets, tokenOf(request));

  app.get('/f/confirm/:token', async (request: TokenRequest, reply) => {
    const place = findPlace(request);
    const found =
      place &&
      (await inOrganization(db, place.organizationId, async (trx) => {
        const signUp = await readSignUp(trx, place.organizationId, place.id);
        const brand = signUp && (await findShownBrand(trx, place.organizationId, signUp.brand_id));
        if (signUp === undefined || brand === undefined) return undefined;
        return {
          signUp: { ...signUp, declined: await listDeclined(trx, place.organizationId, signUp) },
          brand,
        };
      }));
    if (found === undefined) return await sendMessage(request, reply, 404, 'expired');
    const { signUp, brand } = found;
    const language = languageOf(request, signUp.language);
    return await sendPage(
      reply,
      200,
      signUp.confirmed_at === null
        ? renderConfirmation(language, tokenOf(request), signUp, brand)
        : renderConfirmed(language, signUp, brand),
    );
  });

  app.post('/f/confirm/:token', async (request: TokenRequest, reply) => {
    const place = findPlace(request);
    const found =
      place &&
      (await inOrganization(db, place.organizationId, async (trx) => {
        const { organizationId, id } = place;
        const confirmed = await confirmSignUp(trx, secrets, organizationId, {
          id,
          ipPrefix: networkOf(request),
        });
        if (confirmed === undefined) return undefined;
        const { signUp, isNew } = confirmed;
        const { form_id: formId, brand_id: brandId, collection, contact_id: contactId } = signUp;
        if (isNew)
          await notifyListenersIn(
            trx,
            {
              subject: 'sign_up',
              type: 'SIGN_UP',
              id,
              organizationId,
              formId,
              brandId,
              collection,
              contactId,
              at: new Date(),
            },
            listeners,
          );
        const brand = await findShownBrand(trx, organizationId, brandId);
        return brand && { signUp, brand };
      }));
    if (found === undefined) return await sendMessage(request, reply, 404, 'expired');
    const { signUp, brand } = found;
    return await sendPage(reply, 200, renderConfirmed(languageOf(request, signUp.language), signUp, brand));
  });
}

/** @returns false if the daily limit of the organization is reached: then the work is undone */
async function isAccepted(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ORPCError && error.code === 'daily_limit_reached') return false;
    throw error;
  }
}

const maxSourceLength = 500;

/** Host and path of the page with the form: browsers of other websites often name its host alone. */
function sourceOf(request: TokenRequest, form: FormData, ownPage: string): string | null {
  const { referer, origin } = request.headers;
  const page = form.get('source') === 'page' ? ownPage : (referer ?? origin ?? '');
  if (!URL.canParse(page)) return null;
  const { protocol, host, pathname } = new URL(page);
  if (!/^https?:$/.test(protocol)) return null;
  return cutText(`${host}${pathname === '/' ? '' : pathname}`, maxSourceLength);
}

const networkOf = ({ ip }: FastifyRequest): string | null => ipPrefixOf(ip, { ipv4: 24, ipv6: 48 }) ?? null;

const sendMessage = (
  request: TokenRequest,
  reply: FastifyReply,
  status: number,
  about: 'closed' | 'expired',
) => sendPage(reply, status, renderSignUpMessage(languageOf(request), about));
