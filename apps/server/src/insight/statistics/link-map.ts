import { linkMarker } from '@reachout/contract/rules/link-marker.ts';
import type { LinkMap } from '@reachout/contract/statistics.ts';
import { runTemplateTask, TemplateTaskError } from '../../email/templates/template-processes.ts';
import { toPicture } from '../../email/templates/to-picture.ts';
import type { OperationContext } from '../../identity/access/operations.ts';
import type { StatisticsQuery } from './email-statistics.queries.ts';
import { requireStatisticsTarget } from './email-statistics.ts';
import { findNewestContent } from './link-map.queries.ts';

type Reader = Pick<OperationContext, 'userId' | 'organizationId' | 'transaction'>;

/**
 * The email as it was sent last, with nobody's data in it and its links marked by number. Rendering holds no transaction
 * meanwhile.
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
    // It cannot be rendered without a recipient; the table has the links all the same.
    if (error instanceof TemplateTaskError) return { html: null, links };
    throw error;
  }
}
