import { readPage, type PageSettings } from '../../contract/src/rules/pages.ts';
import { readMarks, type MarkedAddress } from './address.ts';
import { cookieNames, keepToHost, readCookie, sharesCookies, writeCookie } from './cookies.ts';
import { cutTexts, type EventType } from './event.ts';
import { watchLinks } from './links.ts';
import { watchNavigation, whenShown } from './navigation.ts';
import { createPost, type Ask, type Post } from './post.ts';
import { createQueue, type Queue } from './queue.ts';
import { createSender, type Sender } from './sender.ts';
import { demand } from './tracker-error.ts';

export interface TrackerOptions {
  /** Origin of the server, `https://reachout.example.com`. */
  url: string;
  /** Id and token of the website, from its settings. */
  websiteId: string;
  token: string;
  /** Nothing is stored or sent before `setConsent(true)`. */
  consent?: 'required' | undefined;
  /** Counts page views by itself; default true. */
  auto?: boolean | undefined;
  /** Counts each fragment as a page, and not only routes such as `#/pricing`. */
  hash?: boolean | undefined;
  /** Query parameters that tell pages apart, in place of the usual ones such as `p`; true for all of them. */
  search?: readonly string[] | true | undefined;
  /** The page of an address, in place of all other rules: a path, also with query and fragment; undefined for what the rules say. */
  page?: ((address: URL) => string | undefined) | undefined;
  /** Cookies of this host alone, where the other hosts of its domain belong to others; otherwise a visitor is one on all of them. */
  cookies?: 'host' | undefined;
  /** Hosts of the website, as in `location.host`, or `*.shop.example`: links to those with other cookies take the visitor along. */
  hosts?: readonly string[] | undefined;
  /** Gets every error; without it they stay unknown. */
  onError?: ((error: unknown) => void) | undefined;
}

export interface TrackOptions {
  value?: number | undefined;
  id?: string | number | undefined;
}

export interface Tracker {
  /** Says who the visitor is: the collection and the id of an item in it. */
  identify: (collection: string, user_id: string) => void;
  /**
   * Counts an event by its name, such as `sign-up`; as a conversion, with a value of its own. With an id, such as the number of the
   * order, it is one conversion, however often it is sent.
   */
  track: (event: string, more?: TrackOptions) => void;
  /** Counts a view of the current page. */
  viewPage: () => void;
  /** `false` deletes what the browser has stored. The page must remember the choice, and repeat it after each load. */
  setConsent: (granted: boolean) => void;
}

const signedId = /^[0-9a-z]+-[0-9a-z]+-[\w-]{22}$/;
/** How long events wait for the visitor of the page before, or the mark of a link for the server. */
const askMs = 2_000;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Never throws, and nor do its functions: errors are passed to `onError`. */
// oxlint-disable-next-line max-lines-per-function -- one closure: names of locals are shortened in the script
export function createTracker(options: TrackerOptions): Tracker {
  const { websiteId, token, auto = true, hash, search } = options;
  let isAllowed = false;
  let marks: MarkedAddress['marks'] = {};
  let post: Post;
  let queue: Queue;
  let sender: Sender;
  let referrer = '';
  /** Name in the queue, and event without its visitor. */
  const unnamed: [name: string, event: Record<string, unknown>][] = [];
  let viewed: string | undefined;
  let settle: (isReported?: boolean) => void = () => {};
  let lastTime = 0;

  // The only place where errors end: a page must not break because its visits are counted.
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (error) {
      options.onError?.(error);
    }
  };

  const isNamed = options.page !== undefined || hash === true || search !== undefined;
  const pageOf = (href: string, settings: PageSettings = { hash, search }): string => {
    const address = new URL(readMarks(href).address);
    try {
      return options.page?.(address) ?? readPage(address, settings);
    } catch (error) {
      options.onError?.(error);
      return readPage(address, settings);
    }
  };
  /** What is replaced is state, such as a search, unless the website says otherwise: redirects have another path or route. */
  const isOther = (from: string, to: string, isReplaced = false): boolean => {
    const settings = { hash, search: search ?? (isReplaced ? [] : undefined) };
    return pageOf(from, settings) !== pageOf(to, settings);
  };

  const isUnwanted = (): boolean => {
    const { doNotTrack, globalPrivacyControl } = navigator as {
      doNotTrack?: string | null;
      globalPrivacyControl?: boolean;
    };
    return doNotTrack === '1' || globalPrivacyControl === true;
  };

  function add(type: EventType, event: string | null = null, { value, id }: TrackOptions = {}): void {
    demand(options.url, 'MissingUrl');
    demand(websiteId, 'MissingWebsiteId');
    demand(token, 'MissingToken');
    if (!isAllowed) return;
    const address = new URL(readMarks(location.href).address);
    // Different for each event, since the queue sorts by it.
    lastTime = Math.max(Date.now(), lastTime + 1);
    const timestamp = new Date(lastTime).toISOString();
    const event_id = crypto.randomUUID();
    const payload = cutTexts({
      type,
      timestamp,
      event_id,
      user_id: readCookie('ctm_user_id'),
      collection: readCookie('ctm_user_collection'),
      event,
      title: document.title,
      url: address.href,
      page: isNamed ? pageOf(location.href) : undefined,
      path: address.pathname,
      hash: address.hash,
      search: address.search,
      language: navigator.language,
      width: innerWidth,
      height: innerHeight,
      referrer,
      ctm_aid: marks.ctm_aid,
      // JSON has no NaN and no BigInt: a page's mistake would be no value, or no event.
      value: Number.isFinite(value) ? value : toText(value),
      id: toText(id),
    });
    unnamed.push([`${timestamp} ${event_id}`, payload]);
    const enqueue = (): void => {
      nameVisitor();
      sender.wake(type === 'VIEW_PAGE');
    };
    if (readAnonymousId() !== undefined && !marks.ctm_vid) enqueue();
    // Tabs that open a website for the first time look for the cookie one after the other: they are one visitor.
    else inTurn(enqueue);
  }

  const inTurn = (work: () => unknown): void =>
    void attempt(() => navigator.locks.request('ctm_anonymous_id', work));

  /** Gives the events that wait for it their visitor. */
  function nameVisitor(): void {
    if (unnamed.length === 0) return;
    const anonymous_id = findAnonymousId();
    for (const [name, event] of unnamed.splice(0))
      queue.add(name, JSON.stringify({ ...event, anonymous_id }));
  }

  function view(): void {
    settle(false);
    const { address } = readMarks(location.href);
    if (viewed !== undefined && viewed !== address) referrer = viewed;
    viewed = address;
    add('VIEW_PAGE');
  }

  /** @param isHint  from an address, which anybody can have made: remembered until the browser is closed */
  function identify(collection: string | undefined, user_id: string | undefined, isHint = false): void {
    demand(collection, 'CollectionMissing');
    demand(user_id, 'UserMissing');
    if (isAllowed) {
      writeCookie('ctm_user_collection', String(collection), isHint);
      writeCookie('ctm_user_id', String(user_id), isHint);
    }
    add('IDENTIFY');
  }

  const ask: Ask = (question) =>
    post(JSON.stringify(question), askMs).then((response) => response.json() as ReturnType<Ask>);

  /** Takes the visitor over from the page that the link was on. */
  async function arrive(): Promise<void> {
    try {
      const { anonymous_id } = await ask({
        type: 'ARRIVE',
        ctm_vid: marks.ctm_vid,
        referrer: document.referrer,
      });
      // Without the mark, consent was withdrawn meanwhile.
      if (marks.ctm_vid && anonymous_id) writeCookie('ctm_anonymous_id', anonymous_id);
    } finally {
      delete marks.ctm_vid;
    }
  }

  /** Begins to count, for a visitor who has agreed or need not. */
  function start(): void {
    const { ctm_uid, ctm_ucn, ctm_vid } = marks;
    // Events wait for the same lock.
    if (ctm_vid) inTurn(arrive);
    if (ctm_uid || ctm_ucn) void attempt(() => identify(ctm_ucn, ctm_uid, true));
    if (auto) whenShown(() => void attempt(view));
    sender.wake();
  }

  function setConsent(granted: boolean): void {
    const wasAllowed = isAllowed;
    isAllowed = granted && !isUnwanted();
    if (isAllowed && !wasAllowed) start();
    if (isAllowed) return;
    if (wasAllowed) delete marks.ctm_vid;
    unnamed.length = 0;
    queue.remove(queue.entries());
    for (const name of cookieNames) writeCookie(name, '');
  }

  void attempt(() => {
    if (options.cookies) keepToHost();
    const { address, marks: found } = readMarks(location.href);
    marks = found;
    if (!signedId.test(found.ctm_aid ?? '')) delete marks.ctm_aid;
    if (address !== location.href) history.replaceState(history.state, '', address);
    referrer = readMarks(document.referrer).address;
    if (!referrer) delete marks.ctm_vid;
    post = createPost(options);
    queue = createQueue(`ctm_queue ${websiteId} `, findStorage());
    sender = createSender({
      post,
      websiteId,
      queue,
      attempt,
      onStored: (batch) => {
        if (batch.some(([, json]) => json.includes(`"ctm_aid":"${marks.ctm_aid}"`))) delete marks.ctm_aid;
      },
    });
    settle = watchNavigation(isOther, () => void attempt(() => auto && view()));
    const { hosts } = options;
    if (hosts)
      watchLinks(
        ({ protocol, host, hostname }) =>
          isAllowed &&
          protocol === location.protocol &&
          hosts.some((own) => (own[0] === '*' ? host.endsWith(own.slice(1)) : own === host)) &&
          !sharesCookies(hostname)
            ? readAnonymousId()
            : undefined,
        ask,
        attempt,
      );
    const leave = (): void =>
      void attempt(() => {
        settle();
        // All events of a visit have one visitor.
        if (unnamed[0]) delete marks.ctm_vid;
        nameVisitor();
        sender.flush();
      });
    addEventListener('pagehide', leave);
    addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave());
    addEventListener('online', () => void attempt(() => sender.wake(true)));
    if (!options.consent || isUnwanted()) setConsent(true);
  });

  return {
    identify: (collection, user_id) => void attempt(() => identify(collection, user_id)),
    track: (event, more) =>
      void attempt(() => {
        demand(event, 'EventMissing');
        // Pages without types may pass null.
        add('TRACK', event, more ?? undefined);
      }),
    viewPage: () => void attempt(view),
    setConsent: (granted) => void attempt(() => setConsent(granted)),
  };
}

const toText = (given: unknown): string | undefined =>
  // oxlint-disable-next-line typescript/no-base-to-string -- pages without types may pass anything
  given === undefined || given === null ? undefined : String(given);

function readAnonymousId(): string | undefined {
  const known = readCookie('ctm_anonymous_id') ?? '';
  return uuid.test(known) ? known : undefined;
}

function findAnonymousId(): string {
  const known = readAnonymousId();
  if (known !== undefined) return known;
  const id = crypto.randomUUID();
  writeCookie('ctm_anonymous_id', id);
  return id;
}

/** Browsers that block it throw as soon as it is named. */
function findStorage(): Record<string, string> | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
