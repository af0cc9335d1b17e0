import { randomUUID } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';

/** As far as the tracking client needs one: documents with an address and a history, in tabs that share cookies and storage. */
export interface Browser {
  /** Opens documents at once, in tabs of their own: none has seen what another has written. */
  open: (...addresses: string[]) => Tab[];
  /** Lets time pass, with what it has been waited for. */
  wait: (ms: number) => Promise<void>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Of all hosts. */
  cookies: () => readonly Cookie[];
  /** What the documents of an origin have stored. */
  storage: (origin: string) => Readonly<Record<string, string>>;
}

export interface Tab {
  readonly address: URL;
  /** A new document: a typed address, a reload, a link that nobody has pointed at. */
  load: (address: string) => void;
  /** Points at a link, and clicks it. */
  click: (address: string) => Promise<void>;
  push: (address: string) => void;
  replace: (address: string) => void;
  /** As `push` of a router that was there before the tracking client; with the Navigation API alone it is noticed. */
  pushUnseen: (address: string) => void;
  /** A click on a link to a fragment. */
  follow: (fragment: string) => void;
  back: () => void;
  track: (event: string) => void;
  /** Runs a script of the page. @returns its value */
  run: (code: string) => unknown;
}

export interface BrowserOptions {
  /** Milliseconds since 1970. */
  start: number;
  script: string;
  /** Attributes of the script tag, in the form of `dataset`. */
  dataset: Record<string, string>;
  /** A script of each document that runs before the tracking client. */
  inline?: () => string;
  hasNavigation: boolean;
  /** @returns undefined for a response that does not come in time */
  send: (
    origin: string,
    headers: Record<string, string>,
    body: string,
  ) => Promise<{ status: number; body: string } | undefined>;
}

export interface Cookie {
  /** Of the hosts below it, or, with a leading `=`, of one host. */
  domain: string;
  name: string;
  value: string;
  /** Also after the browser is closed. */
  isLasting: boolean;
}

interface FetchOptions {
  headers: Record<string, string>;
  body: string;
  /** Milliseconds until it is given up. */
  signal: number;
}

interface Timer {
  at: number;
  work: () => void;
}

/** Whose names belong to different registrants. */
const publicSuffixes = new Set(['example', 'co.uk', 'uk', 'github.io', 'io']);

// oxlint-disable-next-line max-lines-per-function -- one closure: pages, tabs and the browser see each other's state
export function createBrowser({
  start,
  script,
  dataset,
  inline,
  hasNavigation,
  send,
}: BrowserOptions): Browser {
  let time = start;
  const timers = new Set<Timer>();
  let jar: Cookie[] = [];
  const storages: Record<string, Record<string, string>> = {};
  const locks = new Map<string, Promise<unknown>>();
  let running = 0;

  const count = async <T>(work: Promise<T>): Promise<T> => {
    running += 1;
    try {
      return await work;
    } finally {
      running -= 1;
    }
  };
  /** Until nothing is under way that takes no time. */
  const settle = async () => {
    for (let quiet = 0; quiet < 5; quiet = running > 0 ? 0 : quiet + 1)
      await new Promise((resolve) => setImmediate(resolve));
  };

  // oxlint-disable-next-line max-lines-per-function -- as above
  function createTab(first: string) {
    let entries: URL[] = [];
    let place = 0;
    let dispatch: (type: string, event?: object) => void = () => {};
    let context: Record<string, unknown> = {};
    /** Begins a task. */
    let refresh = () => {};
    const current = () => entries[place]!;

    // oxlint-disable-next-line max-lines-per-function -- as above
    function createDocument(referrer: string): () => void {
      const listeners: [type: string, listener: (event: object) => void][] = [];
      const own = new Set<Timer>();
      let setLeft = () => {};
      const left = new Promise<void>((resolve) => {
        setLeft = resolve;
      });
      const addEventListener = (type: string, listener: (event: object) => void) =>
        listeners.push([type, listener]);
      dispatch = (type, event = {}) => {
        refresh();
        for (const [, listener] of listeners.filter(([of]) => of === type)) listener({ type, ...event });
      };
      const { hostname, origin } = current();
      let seen = jar;
      /** Other tabs write cookies, too; what they write is seen in the next task. */
      refresh = () => {
        seen = jar;
      };
      const task = (work: () => void) => () => {
        seen = jar;
        work();
      };
      const isOwn = ({ domain }: Pick<Cookie, 'domain'>) =>
        domain === `=${hostname}` || hostname === domain || hostname.endsWith(`.${domain}`);
      const document = {
        title: 'Shop',
        referrer,
        readyState: 'complete',
        visibilityState: 'visible',
        addEventListener,
        get cookie() {
          return seen
            .filter(isOwn)
            .map(({ name, value }) => `${name}=${value}`)
            .join('; ');
        },
        set cookie(text: string) {
          const [pair = '', ...attributes] = text.split('; ');
          const [name = '', value = ''] = pair.split('=');
          const given = attributes.find((attribute) => attribute.startsWith('Domain='))?.slice(7);
          if (given !== undefined && publicSuffixes.has(given)) return;
          const domain = given ?? `=${hostname}`;
          if (!isOwn({ domain })) return;
          const others = (cookies: Cookie[]) =>
            cookies.filter((old) => old.domain !== domain || old.name !== name);
          const isLasting = attributes.some((attribute) => attribute.startsWith('Max-Age='));
          const added = attributes.includes('Max-Age=0') ? [] : [{ domain, name, value, isLasting }];
          const isLatest = seen === jar;
          jar = [...others(jar), ...added];
          seen = isLatest ? jar : [...others(seen), ...added];
        },
      };
      class HTMLScriptElement {
        src = 'https://reachout.example/tracker.js';
        dataset = dataset;
      }
      const goTo = (address: string | URL, type: 'push' | 'replace') => {
        const target = new URL(address, current());
        if (type === 'push') entries = [...entries.slice(0, place + 1), target];
        else entries = entries.with(place, target);
        place = entries.length - (type === 'push' ? 1 : entries.length - place);
        if (hasNavigation) dispatch('currententrychange', { navigationType: type });
      };
      const locationOf = Object.defineProperties(
        {},
        Object.fromEntries(
          (['href', 'pathname', 'search', 'hash', 'hostname', 'origin', 'host', 'protocol'] as const).map(
            (name) => [name, { get: () => current()[name] }],
          ),
        ),
      );
      context = createContext({
        URL,
        URLSearchParams,
        Blob,
        AbortSignal: { timeout: (ms: number) => ms },
        crypto: { randomUUID },
        performance: { now: () => time },
        HTMLScriptElement,
        document: Object.assign(document, { currentScript: new HTMLScriptElement() }),
        location: locationOf,
        history: {
          state: null,
          get length() {
            return entries.length;
          },
          pushState: (_state: unknown, _title: string, address: string) => goTo(address, 'push'),
          replaceState: (_state: unknown, _title: string, address: string) => goTo(address, 'replace'),
        },
        ...(hasNavigation && { navigation: { addEventListener } }),
        navigator: {
          language: 'en',
          locks: {
            request: (name: string, ...[options, given]: [unknown, ((lock: object | null) => unknown)?]) => {
              const work = given ?? (options as (lock: object | null) => unknown);
              const key = `${origin} ${name}`;
              const held = locks.get(key);
              if (given !== undefined && held !== undefined) return Promise.resolve(work(null));
              const request = (async () => {
                await held;
                seen = jar;
                return await Promise.race([work({}), left]);
              })();
              const ended = request.catch(() => {});
              locks.set(key, ended);
              void ended.finally(() => locks.get(key) === ended && locks.delete(key));
              return request;
            },
          },
        },
        localStorage: (storages[origin] ??= {}),
        innerWidth: 1_440,
        innerHeight: 900,
        addEventListener,
        setTimeout: (work: () => void, ms: number) => {
          const timer = { at: time + ms, work: task(work) };
          timers.add(timer);
          own.add(timer);
          return timer;
        },
        clearTimeout: (timer: Timer) => timers.delete(timer),
        fetch: async (_url: string, { headers, body, signal }: FetchOptions) => {
          const response = await count(send(origin, headers, body));
          if (response === undefined)
            return await new Promise((_resolve, reject) => {
              const timer = { at: time + signal, work: task(() => reject(new Error('Timeout'))) };
              timers.add(timer);
              own.add(timer);
            });
          return {
            ok: response.status < 300,
            status: response.status,
            headers: new Headers(),
            json: () => JSON.parse(response.body) as unknown,
          };
        },
        setNow: () => time,
      });
      Object.assign(context, { window: context });
      runInContext('Date.now = setNow;', context);
      const leave = dispatch;
      return () => {
        leave('pagehide', {});
        for (const timer of own) timers.delete(timer);
        setLeft();
      };
    }

    let leave = () => {};
    const load = (address: string, referrer = '') => {
      entries = [...entries.slice(0, place + 1), new URL(address)];
      place = entries.length - 1;
      leave = createDocument(referrer);
    };
    const call = (code: string): unknown => {
      refresh();
      return runInContext(code, context);
    };
    const run = () => {
      if (inline !== undefined) runInContext(inline(), context);
      runInContext(script, context);
    };
    const unseen = (address: string) => {
      entries = [...entries.slice(0, place + 1), new URL(address, current())];
      place += 1;
      if (hasNavigation) dispatch('currententrychange', { navigationType: 'push' });
    };
    load(first);
    const change = (address: string) => {
      const from = current().href;
      leave();
      load(address, from);
      run();
    };
    const tab: Tab = {
      get address() {
        return current();
      },
      load: change,
      click: async (address) => {
        let href = address;
        const link = {
          matches: () => true,
          hasAttribute: (name: string) => name === 'href',
          getAttribute: () => href,
          setAttribute: (_name: string, value: string) => {
            href = value;
          },
        };
        dispatch('pointerover', { composedPath: () => [link] });
        await settle();
        dispatch('click', { composedPath: () => [link], button: 0 });
        change(href);
        await settle();
      },
      push: (address) => void call(`history.pushState(null, '', ${JSON.stringify(address)})`),
      replace: (address) => void call(`history.replaceState(null, '', ${JSON.stringify(address)})`),
      pushUnseen: unseen,
      follow: (fragment) => {
        if (new URL(fragment, current()).href === current().href) return;
        unseen(fragment);
        dispatch('popstate');
        dispatch('hashchange');
      },
      back: () => {
        if (place === 0 || entries[place - 1]!.origin !== current().origin) return;
        place -= 1;
        if (hasNavigation) dispatch('currententrychange', { navigationType: 'traverse' });
        dispatch('popstate');
      },
      track: (event) => void call(`reachout.track(${JSON.stringify(event)})`),
      run: call,
    };
    return { tab, run };
  }

  return {
    open: (...addresses) => {
      const tabs = addresses.map(createTab);
      for (const { run } of tabs) run();
      return tabs.map(({ tab }) => tab);
    },
    wait: async (ms) => {
      const end = time + ms;
      for (;;) {
        await settle();
        const [next] = [...timers].toSorted((a, b) => a.at - b.at);
        if (next === undefined || next.at > end) break;
        time = Math.max(time, next.at);
        timers.delete(next);
        next.work();
      }
      time = end;
    },
    now: () => time,
    cookies: () => jar,
    storage: (origin) => storages[origin] ?? {},
  };
}
