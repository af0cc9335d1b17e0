import { linkMarker } from '@reachout/contract/rules/link-marker.ts';
import type { LinkMap } from '@reachout/contract/statistics.ts';
import { runTemplateTask, TemplateTaskError } from '../../email/templates/template-processes.ts';
import { toPicture } from '../../email/templates/picture-cache.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import type { StatisticsQuery } from './running-counts.queries.ts';
import { requireStatisticsTarget } from './email-statistics.ts';
import { findNewestContent } from './link-map.queries.ts';

type Reader = Pick<OperationContext, 'userId' | 'organizationId' | 'transaction'>;

/**
 * Renders the last sent email without recipient data and with numbered links. Rendering runs outside any transaction.
 * @throws 404
 */
export async function readLinkMap(query: StatisticsQuery, reader: Reader): Promise<LinkMap> {
  const content = await reader.transaction(async (trx) => {
    await requireStatisticsTarget(trx, query);
    return await findNewestContent(trx, query);
  });
  if (content === undefined) return { html: null, links: [] };
  const links = content.links.map(({ url }) => url);
  const markers = Object.fromEntries(links.map((_, linkNo) => [`click_${linkNo}`, linkMarker(linkNo)]));
  try {
    const task = { kind: 'link_map', snapshot: content, links: markers } as const;
    const html = await runTemplateTask<string>(task, reader.organizationId, reader.userId);
    return { html: toPicture(html), links };
  } catch (error) {
    // The email cannot be rendered without a recipient; the links are still returned for the table.
    if (error instanceof TemplateTaskError) return { html: null, links };
    throw error;
  }
}
