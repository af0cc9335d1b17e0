// An endpoint extension of Directus: it asks Reachout for the statistics of touchpoints, for users of this Directus that may
// read the touchpoint in question. Plain JavaScript without dependencies, so that copying this folder installs it.

/** Tells of all touchpoints together; the other paths of one. */
const ofOrganization = '/db/metrics';

/** Where the statistics are, on both sides. All are read with GET. */
const paths = [
  ofOrganization,
  '/touchpoint_emails/stats',
  '/touchpoint_emails/metrics',
  '/touchpoint_emails/failure_stats_chart',
  '/touchpoint_emails/stats_chart',
  '/touchpoint_websites/stats',
  '/touchpoint_websites/metrics',
  '/touchpoint_websites/event_stats_chart',
  '/touchpoint_websites/stats_chart',
];

/** What is passed on, where it is there once. Everything else stays here, the token of the caller above all. */
const parameters = ['touchpoint', 'type', 'period', 'time_zone', 'distinct'];

const timeoutMs = 10_000;

/** A year by the hour is less than 1 MB. */
const maxResponseBytes = 5_000_000;

export default {
  id: 'reachout',
  handler(router, context) {
    for (const path of paths) {
      router.get(path, (request, response, fail) => {
        void respond(path, request, response, context).catch((error) => fail(error));
      });
    }
  },
};

async function respond(path, request, response, context) {
  const { status, headers = {}, body } = await answer(path, request, context);
  response
    .status(status)
    .set({ 'cache-control': 'no-store', ...headers })
    .json(body);
}

async function answer(path, { accountability, query }, context) {
  // Shares and the public have no user: these numbers are for people and services of this Directus.
  if (!accountability?.user) return forbidden();
  const given = readParameters(query);
  const isAllowed =
    path === ofOrganization
      ? await canReadAll(accountability, context)
      : given.touchpoint === undefined || (await canRead(given.touchpoint, accountability, context));
  if (!isAllowed) return forbidden();
  const { env, logger } = context;
  const platform = env.REACHOUT_PLATFORM_URL;
  const token = env.REACHOUT_PLATFORM_TOKEN;
  if (!platform || !token) {
    return unavailable('REACHOUT_PLATFORM_URL and REACHOUT_PLATFORM_TOKEN are not both set.');
  }
  try {
    const address = `${String(platform).replace(/\/+$/, '')}/reachout${path}?${new URLSearchParams(given)}`;
    return await ask(address, String(token), logger);
  } catch (error) {
    logger.warn(`Reachout cannot be reached: ${error.cause?.code ?? error.name}`);
    return unavailable('Reachout cannot be reached.');
  }
}

function readParameters(query) {
  const given = parameters.filter((name) => typeof query[name] === 'string');
  return Object.fromEntries(given.map((name) => [name, query[name]]));
}

/** The permissions of this Directus decide which touchpoints somebody may know of. */
async function canRead(touchpoint, accountability, context) {
  try {
    const touchpoints = await openTouchpoints(accountability, context);
    await touchpoints.readOne(touchpoint, { fields: ['id'] });
    return true;
  } catch {
    return false;
  }
}

/** Whether somebody may read as many touchpoints as there are. */
async function canReadAll(accountability, context) {
  const count = async (who) => {
    const touchpoints = await openTouchpoints(who, context);
    const [row] = await touchpoints.readByQuery({ aggregate: { count: ['*'] } });
    return Number(row.count);
  };
  try {
    // Without accountability, Directus leaves out no item.
    return (await count(accountability)) === (await count(null));
  } catch {
    return false;
  }
}

const openTouchpoints = async (accountability, { services, getSchema }) =>
  new services.ItemsService('reachout_touchpoints', { schema: await getSchema(), accountability });

async function ask(address, token, logger) {
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  // This token is no matter of the caller, whose own one is fine.
  if (response.status === 401) {
    logger.warn('Reachout refuses REACHOUT_PLATFORM_TOKEN: the API key was revoked or has expired.');
    return unavailable('Reachout refuses the API key of this Directus.');
  }
  const body = JSON.parse(await readText(response));
  const retryAfter = response.headers.get('retry-after');
  return {
    status: response.status,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
    body,
  };
}

async function readText(response) {
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for await (const chunk of response.body) {
    length += chunk.length;
    if (length > maxResponseBytes) throw new RangeError('The response is too large.');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const forbidden = () =>
  refusal(403, 'FORBIDDEN', 'You don’t have permission to access this, or it doesn’t exist.');

const unavailable = (message) => refusal(503, 'SERVICE_UNAVAILABLE', message);

const refusal = (status, code, message) => ({
  status,
  body: { errors: [{ message, extensions: { code } }] },
});
