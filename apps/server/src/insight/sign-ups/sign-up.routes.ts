import { ORPCError } from '@orpc/contract';
import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { signUpInputs } from '@reachout/contract/rules/sign-up-inputs.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  confirmSignUp,
  listDeclined,
  readSignUp,
  readConfirmationToken,
} from '../../contacts/sign-ups/confirm-sign-up.ts';
import { openForm } from '../../contacts/sign-ups/open-form.ts';
import { countConfirmationEmail, requestSignUp } from '../../contacts/sign-ups/request-sign-up.ts';
import { readFields, readTracking, textOf, type InputError } from '../../contacts/sign-ups/sign-up-fields.ts';
import { parseAddress } from '../../email/addresses/address.ts';
import type { InstallationPolicy } from '../../email/transports/sender-policy.ts';
import { causeSignUp } from '../../events/sign-up-causes.ts';
import type { Attempt, RateLimits } from '../../identity/access/rate-limits.ts';
import { inOrganization, type Database, type Transaction } from '../../platform/database/database.ts';
import { ipPrefixOf } from '../../platform/ip-prefix.ts';
import type { Log } from '../../platform/log.ts';
import { rateLimitPrefixOf } from '../../platform/rate-limits/rate-limits.ts';
import { readRowToken, type RowRef } from '../../identity/access/row-tokens.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  isBeyondLimit,
  pageOf,
  registerPages,
  tokenOf,
  type ShownPage,
  type TokenRequest,
} from '../public-pages/public-pages.ts';
import { findShownBrand } from '../tracking/sent-messages.queries.ts';
import {
  checkInboxPage,
  closedPage,
  confirmationPage,
  confirmedPage,
  formPage,
  type Entered,
  type ShownForm,
} from './sign-up-pages.ts';

export interface SignUpDeps {
  db: Database;
  limits: RateLimits;
  secrets: Secrets;
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
  await registerPages(app, deps.log, (scope) => {
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

  app.get(
    '/f/:token',
    pageOf(async (request) => {
      const found = await findForm(tokenOf(request));
      return found === undefined ? closed : pageOfForm(found.shown);
    }),
  );

  app.post('/f/:token', { bodyLimit: formLimit }, pageOf(signUp));

  async function signUp(request: TokenRequest): Promise<ShownPage> {
    const token = tokenOf(request);
    const given = request.body instanceof FormData ? request.body : new FormData();
    const isRefused = (...attempts: Attempt[]) => isBeyondLimit(() => limits.count(...attempts));
    const found = await findForm(token, textOf(given, signUpInputs.version));
    if (found === undefined) return closed;
    const { organizationId, shown } = found;
    const { form, fields, brand } = shown;
    const accepted = {
      language: form.language,
      page: (language: Language) => checkInboxPage(language, brand),
    };
    if (textOf(given, signUpInputs.trap) !== '') return accepted;

    const address = parseAddress(textOf(given, signUpInputs.email));
    const read = readFields(form.fields, fields, given);
    const errors = new Map<string, InputError>([
      ...('error' in address ? [['email', 'email'] as const] : []),
      ...read.errors,
    ]);
    if ('error' in address || errors.size > 0) return pageOfForm(shown, 422, { form: given, errors });

    // What was typed stays on the page.
    const refused = pageOfForm(shown, 429, { form: given, errors, isBusy: true });
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
      return refused;
    }
    // The response does not reveal whether this address has got its mails already.
    if (await isBeyondLimit(() => countConfirmationEmail(limits, organizationId, address))) {
      await limits.refund(...counted);
      return accepted;
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
      return refused;
    }
    return accepted;
  }
}

const pageOfForm = (shown: ShownForm, status = 200, entered?: Entered): ShownPage => ({
  status,
  language: shown.form.language,
  page: (language) => formPage(language, shown, entered),
});
const closed: ShownPage = { status: 404, page: (language) => closedPage(language, 'closed') };
const expired: ShownPage = { status: 404, page: (language) => closedPage(language, 'unknown') };

function registerConfirmation(app: FastifyInstance, { db, secrets }: SignUpDeps): void {
  /** Runs `read` with the sign-up that the link names. */
  const confirmation = (
    read: (trx: Transaction, place: RowRef, request: TokenRequest) => Promise<ShownPage | undefined>,
  ) =>
    pageOf(async (request) => {
      const place = readConfirmationToken(secrets, tokenOf(request));
      const shown =
        place && (await inOrganization(db, place.organizationId, (trx) => read(trx, place, request)));
      return shown ?? expired;
    });

  app.get(
    '/f/confirm/:token',
    confirmation(async (trx, { organizationId, id }) => {
      const signUp = await readSignUp(trx, organizationId, id);
      const brand = signUp && (await findShownBrand(trx, organizationId, signUp.brand_id));
      if (signUp === undefined || brand === undefined) return undefined;
      const declined = await listDeclined(trx, organizationId, signUp);
      const isOpen = signUp.confirmed_at === null;
      return {
        language: signUp.language,
        page: (language) =>
          isOpen
            ? confirmationPage(language, signUp, declined, brand)
            : confirmedPage(language, signUp, brand),
      };
    }),
  );

  app.post(
    '/f/confirm/:token',
    confirmation(async (trx, { organizationId, id }, request) => {
      const confirmed = await confirmSignUp(trx, secrets, organizationId, {
        id,
        ipPrefix: networkOf(request),
      });
      if (confirmed === undefined) return undefined;
      const { signUp, isNew } = confirmed;
      const { form_id, brand_id: brandId, collection, contact_id } = signUp;
      if (isNew) await causeSignUp(trx, organizationId, { id, form_id, collection, contact_id });
      const brand = await findShownBrand(trx, organizationId, brandId);
      return (
        brand && { language: signUp.language, page: (language) => confirmedPage(language, signUp, brand) }
      );
    }),
  );
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
