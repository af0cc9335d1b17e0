import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { Preset } from '@reachout/contract/content-presets.ts';
import { fieldName } from '@reachout/contract/values.ts';
import { asRecord } from './describe-fields.ts';
import { checkRule } from './directus-rule.ts';

/**
 * Converts a Directus bookmark to a saved view. Leaves out unsupported parts, such as columns of related collections.
 * @returns undefined if the filter is unsupported, because the view would show other items than its name says
 */
export function readPreset(collection: string, row: Record<string, unknown>): Preset | undefined {
  const { id, bookmark, search, filter, layout_query: layouts } = row;
  const { fields, sort } = asRecord(asRecord(layouts)['tabular']);
  const parsed = Preset.safeParse({
    id: String(id),
    collection,
    bookmark,
    is_shared: true,
    search: typeof search === 'string' && search !== '' ? cutText(search, 200) : null,
    filter: isEmpty(filter) ? null : filter,
    layout_query: {
      ...(Array.isArray(fields) && { fields: fields.filter(isName).slice(0, 200) }),
      sort: [sort].flat().filter(isSortKey).slice(0, 10),
    },
    date_updated: null,
  });
  return parsed.success && isUsable(parsed.data.filter) ? parsed.data : undefined;
}

function isUsable(filter: Preset['filter']): boolean {
  try {
    if (filter !== null) checkRule(filter);
    return true;
  } catch {
    return false;
  }
}

const isName = (name: unknown): boolean => fieldName.safeParse(name).success;
const isSortKey = (key: unknown): boolean => typeof key === 'string' && isName(key.replace(/^-/, ''));
const isEmpty = (filter: unknown): boolean =>
  typeof filter !== 'object' || filter === null || Object.keys(filter).length === 0;
