import { maxNameLength } from '@reachout/contract/rules/lengths.ts';
import { slugOf } from '@reachout/contract/rules/slug-of.ts';
import { Template, type templateTypes } from '@reachout/contract/templates.ts';
import type { Item } from '@reachout/contract/content.ts';
import type { Owner } from '@reachout/contract/rules/owners.ts';
import type { ContentBackend } from '../backend/content-backend.ts';
import { apiError, invalidInput, notFound } from '../../platform/http/api-error.ts';
import { isUuid } from '../../platform/ids.ts';
import { numberedNames } from '../../platform/numbered-names.ts';
import { defaultMjml } from './starters.ts';
import { excerptOf } from './excerpt.ts';

/** Templates are items of this collection of the organization's content backend. */
const collection = 'reachout_templates';
/** Maximum size of the MJML source in UTF-8. */
const sizeLimitBytes = 1_000_000;

/** A template as stored in its item, without the owner's names. */
const StoredTemplate = Template.omit({ client: true, brand: true });
export type StoredTemplate = Omit<Template, 'client' | 'brand'>;

interface TemplateList {
  /** Only templates of this owner, of the brand's client, or shared ones. */
  usableBy?: Owner | undefined;
  /** Deleted clients and brands, whose templates are hidden. */
  deleted: { clientIds: readonly string[]; brandIds: readonly string[] };
  search?: string | undefined;
  order: `${'title' | 'date_updated'}.${'asc' | 'desc'}`;
  page: number;
  page_size: number;
}

export async function listTemplates(
  backend: ContentBackend,
  { usableBy, deleted, search, order, page, page_size }: TemplateList,
) {
  const filter = {
    _and: [
      isNoneOf('client', deleted.clientIds),
      isNoneOf('brand', deleted.brandIds),
      ...(usableBy === undefined ? [] : isUsableByRule(usableBy)),
      ...((search ?? '') === '' ? [] : [{ title: { _icontains: search } }]),
    ],
  };
  const [column = '', direction] = order.split('.');
  const items = await backend.findItems(collection, {
    filter,
    // A brand's own templates come first, then those of its client.
    sort: [
      ...((usableBy?.brand_id ?? null) === null ? [] : ['brand', 'client']),
      direction === 'desc' ? `-${column}` : column,
    ],
    limit: page_size,
    offset: page * page_size,
    fields: [
      'id',
      'title',
      'name',
      'preview',
      'template_type',
      'client',
      'brand',
      'date_created',
      'date_updated',
    ],
  });
  const Summary = StoredTemplate.omit({ mjml: true });
  return {
    items: items.map((item) => Summary.parse(withDefaults(item))),
    count: await backend.countItems(collection, { filter }),
  };
}

const isNoneOf = (field: string, ids: readonly string[]) =>
  ids.length === 0 ? {} : { _or: [{ [field]: { _null: true } }, { [field]: { _nin: ids } }] };

/** `isUsableFor` as a filter rule; for a client without a brand, it includes the templates of the client's brands. */
const isUsableByRule = ({ client_id, brand_id }: Owner): object[] => [
  { _or: [{ client: { _null: true } }, ...(client_id === null ? [] : [{ client: { _eq: client_id } }])] },
  brand_id === null ? {} : { _or: [{ brand: { _null: true } }, { brand: { _eq: brand_id } }] },
];

const withDefaults = ({ client = null, brand = null, ...item }: Item): Item => ({
  ...item,
  preview: item['preview'] ?? '',
  client_id: client,
  brand_id: brand,
});

/** @throws 404 */
export const getTemplate = async (backend: ContentBackend, id: string): Promise<StoredTemplate> =>
  toTemplate(await backend.getItem(collection, id));

/** @returns undefined for an unknown or malformed id */
export async function findTemplate(backend: ContentBackend, id: string): Promise<StoredTemplate | undefined> {
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
    client_id: client,
    brand_id: brand,
  }: Owner & { title: string; template_type: (typeof templateTypes)[number]; mjml?: string | undefined },
): Promise<StoredTemplate> {
  checkSize(mjml);
  const item = withDerivedFields({ title, template_type, mjml, client, brand });
  return toTemplate(await translateClash(backend.createItem(collection, item)));
}

/**
 * @returns the title, with a number appended if a template already has it
 * @throws 409 `name_taken` if all numbered titles are taken; 422
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
    owner,
    ifDateUpdated,
  }: {
    title?: string | undefined;
    mjml?: string | undefined;
    owner?: Owner | undefined;
    ifDateUpdated?: string | undefined;
  },
): Promise<StoredTemplate> {
  if (mjml !== undefined) checkSize(mjml);
  const changes: Item = {
    ...(title === undefined ? {} : { title }),
    ...(mjml === undefined ? {} : { mjml }),
    ...(owner === undefined ? {} : { client: owner.client_id, brand: owner.brand_id }),
  };
  return toTemplate(
    await translateClash(backend.updateItem(collection, id, withDerivedFields(changes), { ifDateUpdated })),
  );
}

export const deleteTemplate = (backend: ContentBackend, id: string): Promise<void> =>
  backend.deleteItem(collection, id);

/**
 * Replaces the fields of a template that the server derives: `name` is the slug of the title, `preview` the first words of
 * the source.
 * @throws 422 if the title yields no name
 */
export function withDerivedFields({ name: _name, preview: _preview, ...given }: Item): Item {
  const { title, mjml } = given;
  return {
    ...given,
    ...(typeof title === 'string' && { name: nameOf(title) }),
    ...(typeof mjml === 'string' && { preview: excerptOf(mjml) }),
  };
}

/** @throws 422 if the title yields no name */
function nameOf(title: string): string {
  const name = slugOf(title);
  if (name === '') throw invalidInput('title', 'Use at least one letter or digit.');
  return name;
}

/** @throws 422 */
export function checkSize(mjml: string): void {
  if (Buffer.byteLength(mjml) > sizeLimitBytes) throw invalidInput('mjml', 'An email has at most 1 MB.');
}

/** Converts a uniqueness violation; the name is a template's only unique field. */
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

function toTemplate(item: Item): StoredTemplate {
  // A customer's own backend may hold anything in its fields.
  const { success, data } = StoredTemplate.safeParse({ ...withDefaults(item), mjml: item['mjml'] ?? '' });
  if (!success) throw notFound();
  return data;
}
