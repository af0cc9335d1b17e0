import { readTagList } from '../dkim/tag-list.ts';
import type { Lookups, UnansweredName } from './resolver.ts';

export interface DmarcRecord {
  /** The domain, without `_dmarc.`. */
  domain: string;
  text: string;
  tags: Map<string, string>;
}

export interface DmarcWalk {
  /** The usable records, from the domain upwards. */
  found: DmarcRecord[];
  /** Names with records that do not count, and all TXT records there. */
  ignored: { domain: string; texts: string[]; duplicate?: string }[];
  /** The walk ended here. */
  unanswered?: UnansweredName;
}

/** Together with the domain itself at most eight queries. */
const maxLabelsAbove = 7;

/**
 * The DNS tree walk from a domain to its top level.
 * @see RFC 9989 section 4.10
 */
export async function walkDmarc(lookups: Lookups, domain: string): Promise<DmarcWalk> {
  const walk: DmarcWalk = { found: [], ignored: [] };
  let labels = domain.split('.');
  while (labels.length > 0) {
    const name = labels.join('.');
    const answer = await lookups.txt(`_dmarc.${name}`);
    if (answer.outcome === 'temporary_error') {
      walk.unanswered = { ...answer, name: `_dmarc.${name}` };
      return walk;
    }
    const texts = answer.outcome === 'found' ? answer.values : [];
    const records = texts.filter((text) => isDmarc(text));
    const { tags, duplicate } = readTagList(records[0] ?? '', true);
    if (records.length === 1 && duplicate === undefined) {
      walk.found.push({ domain: name, text: records[0]!, tags });
      if (/^[yn]$/i.test(tags.get('psd') ?? '')) break;
    } else if (texts.length > 0)
      walk.ignored.push({ domain: name, texts, ...(duplicate !== undefined && { duplicate }) });
    labels = labels.length > maxLabelsAbove ? labels.slice(-maxLabelsAbove) : labels.slice(1);
  }
  return walk;
}

/** The version is the first tag, and its value has this case: RFC 9989 section 4.7. */
export const isDmarc = (text: string): boolean => /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(text.trim());

/**
 * The organizational domain of the domain from which the walk started.
 * @see RFC 9989 section 4.10.2
 */
export function organizationalDomain(domain: string, { found }: DmarcWalk): string {
  const last = found.at(-1);
  if (last === undefined) return domain;
  if (isPublicSuffix(last) && last.domain !== domain) {
    const labels = last.domain.split('.').length + 1;
    return domain.split('.').slice(-labels).join('.');
  }
  return last.domain;
}

/** @returns the record that holds for the domain: its own, that of the organizational domain, or of the suffix above that */
export function policyRecord(domain: string, walk: DmarcWalk): DmarcRecord | undefined {
  const { found } = walk;
  const organization = organizationalDomain(domain, walk);
  const last = found.at(-1);
  return (
    found.find((record) => record.domain === domain) ??
    found.find((record) => record.domain === organization) ??
    (last !== undefined && isPublicSuffix(last) ? last : undefined)
  );
}

const isPublicSuffix = ({ tags }: DmarcRecord): boolean => tags.get('psd')?.toLowerCase() === 'y';
