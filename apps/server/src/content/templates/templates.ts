import { maxNameLength } from '@reachout/contract/rules/lengths.ts';
import { slugOf } from '@reachout/contract/rules/slug-of.ts';
import { Template, type templateTypes } from '@reachout/contract/templates.ts';
import type { Item } from '@reachout/contract/content.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { apiError, invalidInput, notFound } from '../../platform/http/api-error.ts';
import { isUuid } from '../../platform/ids.ts';
import { numberedNames } from '../../platform/numbered-names.ts';
import { defaultMjml } from './default-template.ts';

/** Templates are items of this collection of the organization's content backend. */
const collection = 'reachout_templates';
/** MJML source, in UTF-8. */
const sizeLimitBytes = 1_000_000;

interface TemplateList {
  search?: string | undefined;
  order: `${'title' | 'date_updated'}.${'asc' | 'desc'}`;
  page: number;
  page_size: number;
}

export async function listTemplates(
  backend: ContentBackend,
  { search, order, page, page_size }: TemplateList,
) {
  const filter = (search ?? '') === '' ? {} : { title: { _icontains: search } };
  const [column = '', direction] = order.split('.');
  const items = await backend.findItems(collection, {
    filter,
    sort: [direction === 'desc' ? `-${column}` : column],
    limit: page_size,
    offset: page * page_size,
    fields: ['id', 'title', 'name', 'template_type', 'date_created', 'date_updated'],
  });
  const Summary = Template.omit({ mjml: true });
  return {
    items: items.map((item) => Summary.parse(item)),
    count: await backend.countItems(collection, { filter }),
  };
}

/** @throws 404 */
export async function getTemplate(backend: ContentBackend, id: string): Promise<Template> {
  return toTemplate(await backend.getItem(collection, id));
}

/** @returns undefined for an unknown or malformed id */
export async function findTemplate(backend: ContentBackend, id: string): Promise<Template | undefined> {
  if (!isUuid(id)) return undefined;
  const [item] = await backend.findItems(collection, { filter: { id: { _eq: id } }, limit: 1, offset: 0 });
  return item && toTemplate(item);
}

/** @throws 409 `name_taken`; 422 */
export async function createTemplate(
  backend: ContentBackend,
  {
    title,
    template_type,
    mjml = defaultMjml,
  }: { title: string; template_type: (typeof templateTypes)[number]; mjml?: string | undefined },
): Promise<Template> {
  checkSize(mjml);
  return toTemplate(
    await translateClash(backend.createItem(collection, { title, name: nameOf(title), template_type, mjml })),
  );
}

/**
 * The title, or the same with a number if a template has it already.
 * @throws 409 `name_taken` where there are too many of them; 422
 */
export async function findFreeTitle(backend: ContentBackend, wanted: string): Promise<string> {
  for (const title of numberedNames(wanted, maxNameLength)) {
    const taken = await backend.countItems(collection, { filter: { name: { _eq: nameOf(title) } } });
    if (taken === 0) return title;
  }
  throw apiError('name_taken');
}

/** @throws 404; 409 `name_taken`, `changed_elsewhere`; 422 */
export async function updateTemplate(
  backend: ContentBackend,
  id: string,
  {
    title,
    mjml,
    ifDateUpdated,
  }: { title?: string | undefined; mjml?: string | undefined; ifDateUpdated?: string | undefined },
): Promise<Template> {
  if (mjml !== undefined) checkSize(mjml);
  const changes: Item = {
    ...(title === undefined ? {} : { title, name: nameOf(title) }),
    ...(mjml === undefined ? {} : { mjml }),
  };
  return toTemplate(await translateClash(backend.updateItem(collection, id, changes, { ifDateUpdated })));
}

export const deleteTemplate = (backend: ContentBackend, id: string): Promise<void> =>
  backend.deleteItem(collection, id);

/** @throws 422 where no name can be made of the title */
function nameOf(title: string): string {
  const name = slugOf(title);
  if (name === '') throw invalidInput('title', 'Use at least one letter or digit.');
  return name;
}

function checkSize(mjml: string): void {
  if (Buffer.byteLength(mjml) > sizeLimitBytes) throw invalidInput('mjml', 'A template has at most 1 MB.');
}

/** The name is the one field of a template that is unique. */
async function translateClash<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'not_unique') {
      throw apiError('name_taken');
    }
    throw error;
  }
}

function toTemplate(item: Item): Template {
  // A customer's own backend may hold anything in its fields.
  const { success, data } = Template.safeParse({ ...item, mjml: item['mjml'] ?? '' });
  if (!success) throw notFound();
  return data;
}
