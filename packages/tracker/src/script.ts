import { createTracker, type Tracker, type TrackerOptions } from './tracker.ts';

// The script tag of a website; its attributes are the options. It makes the global `reachout`, which has the functions of the
// tracker, and `push(['track', 'sign-up'])` for calls that pages make before this script has loaded.

type Call = [name: keyof Tracker, ...args: unknown[]];
type Global = Tracker & { push: (call: Call) => void };

const page = window as unknown as { reachout?: Call[] | Global; [name: string]: unknown };
const script = document.currentScript;
const early = page.reachout;

// An element with this name, which people may be able to add to a page, hides the script. A second tag on the same page would
// count everything twice.
if (script instanceof HTMLScriptElement && !(early && 'viewPage' in early)) {
  const {
    websiteId = '',
    token = '',
    consent,
    auto,
    hash,
    search,
    cookies,
    hosts,
    page: readPage,
  } = script.dataset;
  const tracker = createTracker({
    url: new URL(script.src).origin,
    websiteId,
    token,
    // A misspelled value must not count visitors who have not agreed.
    consent: consent === undefined ? undefined : 'required',
    auto: auto !== 'off',
    hash: hash !== undefined,
    search: search === '' ? true : search?.split(/[ ,]+/),
    cookies: cookies === undefined ? undefined : 'host',
    hosts: hosts?.split(/[ ,]+/),
    // A function of the page, which may come after this script.
    page: readPage ? (address) => (page[readPage] as TrackerOptions['page'])?.(address) : undefined,
  });
  const push = ([name, ...args]: Call): void => (tracker[name] as (...args: unknown[]) => void)?.(...args);
  page.reachout = { ...tracker, push };
  if (Array.isArray(early)) early.forEach(push);
}
