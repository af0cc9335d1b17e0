import type { Rolldown } from 'vite';

/**
 * Which modules share a file. By itself the bundler makes one of each set of modules that the same pages need: hundreds,
 * most of them under 1 kB, and dozens for each page. These are few, and each page loads little that it does not need:
 *
 * - `vendor` and `main`: what is loaded at the start, from packages and from us; `main` also has what both sign-in and the
 *   dashboard need
 * - `app`: what the frame around the pages of an organization and the dashboard need besides
 * - `english`: the texts of `app`; code elsewhere looks into some of them, and those of another language are a file of their own
 * - `inputs`: what the sign-in page and popups need besides
 * - `forms`: what the sign-in page and others need besides
 * - `sending`: what the dashboard needs besides while something is being sent
 * - `overlays`: menus, tooltips, notifications and the like, which float above pages, with what needs them there; loaded once
 *   the first page is complete, as is what the command palette shares with pages
 * - `fields`: texts that code of pages looks into, too; without it, the texts of all pages would load `pages`
 * - `pages`: whatever else three pages or more need
 */
export const chunks = [
  'vendor',
  'main',
  'english',
  'app',
  'inputs',
  'forms',
  'sending',
  'overlays',
  'fields',
  'pages',
] as const;
type Chunk = (typeof chunks)[number];

/** Those that come first capture the modules that they need, too. */
export const chunkGroups = (): Rolldown.CodeSplittingGroup[] => {
  const choose = createChoice();
  return chunks.map((chunk, index) => ({
    name: (id, context) => (choose(id, context) === chunk ? chunk : null),
    debugName: chunk,
    priority: chunks.length - index,
  }));
};

const start = /\/src\/main\.tsx$/;
const signInPage = /\/src\/routes\/sign-in\/index\.tsx\?tsr-split/;
const firstPages = [
  /\/src\/routes\/o\/\$orgId\/(?:route|index)\.tsx\?tsr-split/,
  // What the routes above load before their pages.
  /\/src\/identity\/(?:organizations\/organizations|account\/preferences)\.ts$/,
];
const sending = /\/src\/dashboard\/open-sends\.tsx$/;
/** What the frame loads later, and what is part of it. */
const overlays =
  /\/src\/(?:shell\/(?:\w+-menu|user-panel|navigation-drawer)|ui\/(?:tooltip-bubble|notification-list|popup-menu))\.tsx$/;
const palette = /\/src\/shell\/command-palette\.tsx$/;
const validation = /\/node_modules\/zod\//;
const fieldTexts = /\/src\/i18n\/en\/fields\.ts$/;
const appTexts = /\/src\/i18n\/en\/app\.ts$/;

function createChoice(): (id: string, context: Rolldown.ChunkingContext) => Chunk | undefined {
  let pagesOf: Map<string, Set<string>> | undefined;
  return (id, context) => {
    pagesOf ??= findPages(id, (module) => context.getModuleInfo(module));
    const pages = [...(pagesOf.get(id) ?? [])];
    const isIn = (...patterns: RegExp[]) =>
      pages.some((page) => patterns.some((pattern) => pattern.test(page)));
    if (isIn(start)) return id.includes('/node_modules/') ? 'vendor' : 'main';
    if (fieldTexts.test(id)) return 'fields';
    if (id.includes('/src/i18n/')) return isIn(appTexts) ? 'english' : undefined;
    if (isIn(...firstPages)) return isIn(signInPage) ? 'main' : 'app';
    // None of them loads a file of another one's.
    if (isIn(sending)) return isIn(signInPage) ? 'main' : isIn(overlays) ? 'app' : 'sending';
    if (isIn(signInPage) && pages.length > 1) return isIn(overlays) ? 'inputs' : 'forms';
    if (isIn(overlays) || (isIn(palette) && pages.length > 1)) return 'overlays';
    // Few need the validation library, and it is large.
    const needed = collect([id], (module) => context.getModuleInfo(module)?.importedIds ?? []);
    if ([...needed].some((module) => validation.test(module))) return undefined;
    return pages.length >= 3 ? 'pages' : undefined;
  };
}

type GetModuleInfo = Rolldown.ChunkingContext['getModuleInfo'];

/**
 * @param some  any module; the others are found from there
 * @returns of each module the modules loaded on demand, mostly pages, that import it; the first module of all is one, too
 */
function findPages(some: string, getModuleInfo: GetModuleInfo): Map<string, Set<string>> {
  const all = collect([some], (id) => {
    const info = getModuleInfo(id);
    return info === null
      ? []
      : [...info.importedIds, ...info.dynamicallyImportedIds, ...info.importers, ...info.dynamicImporters];
  });
  const onDemand = new Set([...all].flatMap((id) => getModuleInfo(id)?.dynamicallyImportedIds ?? []));
  const pagesOf = new Map<string, Set<string>>();
  for (const page of [...all].filter((id) => start.test(id) || onDemand.has(id)))
    for (const id of collect([page], (module) => getModuleInfo(module)?.importedIds ?? [])) {
      const pages = pagesOf.get(id);
      if (pages === undefined) pagesOf.set(id, new Set([page]));
      else pages.add(page);
    }
  return pagesOf;
}

/** All that can be reached. */
function collect(from: string[], next: (id: string) => readonly string[]): Set<string> {
  const reached = new Set(from);
  for (const id of reached) for (const other of next(id)) reached.add(other);
  return reached;
}
