import { Text } from '@mantine/core';
import type { CampaignTouchpoint } from '@reachout/contract/campaigns.ts';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/scope.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { TypeIcon } from './touchpoint-table.tsx';
import classes from './touchpoint-groups.module.css';

/** Touchpoints under their campaigns, in the order the server gave. */
export function TouchpointGroups({ rows }: { rows: readonly CampaignTouchpoint[] }) {
  const { t } = useTranslation('touchpoints');
  const format = useFormat();
  const { orgId } = useOrganization();
  return (
    <div className={classes.groups}>
      {grouped(rows).map(([first, members]) => (
        <section key={first.campaign_id} className={classes.group} aria-label={first.campaign_name}>
          <div className={classes.head}>
            <h2 className={classes.campaign}>
              <LinkAnchor
                to="/o/$orgId/campaigns/$campaignId"
                params={{ orgId, campaignId: first.campaign_id }}
                c="inherit"
                fw={650}
              >
                {first.campaign_name}
              </LinkAnchor>
            </h2>
            <Text span size="sm" c="dimmed">
              {first.client_name} › {first.brand_name}
            </Text>
            <StatusBadge status={first.campaign_status} />
          </div>
          <ul className={classes.rows}>
            {members.map((row) =>
              row.touchpoint_id === null ? (
                <li key="none" className={classes.row}>
                  <Text size="sm" c="dimmed">
                    {t('noneInCampaign')}
                  </Text>
                </li>
              ) : (
                <li key={row.touchpoint_id} className={classes.row}>
                  <span className={classes.name}>
                    <TypeIcon type={row.touchpoint_type} />
                    <LinkAnchor
                      to="/o/$orgId/touchpoints/$touchpointId/design"
                      params={{ orgId, touchpointId: row.touchpoint_id }}
                    >
                      {row.touchpoint_name}
                    </LinkAnchor>
                  </span>
                  {row.touchpoint_status && <StatusBadge status={row.touchpoint_status} />}
                  <Text span size="sm" c="dimmed" className={classes.when}>
                    {row.touchpoint_updated_at && format.relative(row.touchpoint_updated_at)}
                  </Text>
                </li>
              ),
            )}
          </ul>
        </section>
      ))}
    </div>
  );
}

function grouped(rows: readonly CampaignTouchpoint[]): [CampaignTouchpoint, CampaignTouchpoint[]][] {
  const groups = new Map<string, [CampaignTouchpoint, CampaignTouchpoint[]]>();
  for (const row of rows) {
    const known = groups.get(row.campaign_id);
    if (known) known[1].push(row);
    else groups.set(row.campaign_id, [row, [row]]);
  }
  return [...groups.values()];
}
