import { Text } from '@mantine/core';
import type { CampaignTouchpoints } from '@reachout/contract/campaigns.ts';
import { useTranslation } from 'react-i18next';
import { BrandChip } from '#web/clients/brands/brand-chip.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { ChannelIcon } from '#web/outreach/channels/channel-icon.tsx';
import { LinkAnchor } from '#web/platform/links.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import classes from './touchpoint-groups.module.css';
import { shownStatus } from './shown-status.ts';

/** Touchpoints under their campaigns, in the order the server gave. */
export function TouchpointGroups({ campaigns }: { campaigns: readonly CampaignTouchpoints[] }) {
  const { t } = useTranslation('touchpoints');
  const format = useFormat();
  const { orgId } = useOrganization();
  return (
    <div className={classes.groups}>
      {campaigns.map((campaign) => (
        <section
          key={campaign.campaign_id}
          className={classes.group}
          data-brand-color={campaign.brand_color}
          aria-label={campaign.campaign_name}
        >
          <div className={classes.head}>
            <h2 className={classes.campaign}>
              <LinkAnchor
                to="/o/$orgId/campaigns/$campaignId"
                params={{ orgId, campaignId: campaign.campaign_id }}
                c="inherit"
                fw={650}
              >
                {campaign.campaign_name}
              </LinkAnchor>
            </h2>
            <Text span size="sm">
              <BrandChip
                client={campaign.client_name}
                brand={{
                  name: campaign.brand_name,
                  color: campaign.brand_color,
                  logo_url: campaign.brand_logo_url,
                  dark_logo_url: campaign.brand_dark_logo_url,
                }}
              />
            </Text>
            <StatusBadge status={campaign.campaign_status} />
          </div>
          <ul className={classes.rows}>
            {campaign.touchpoints.length === 0 && (
              <li className={classes.row}>
                <Text size="sm" c="dimmed">
                  {t('noneInCampaign')}
                </Text>
              </li>
            )}
            {campaign.touchpoints.map((row) => (
              <li key={row.touchpoint_id} className={classes.row}>
                <span className={classes.name}>
                  <ChannelIcon type={row.touchpoint_type} />
                  <LinkAnchor
                    to="/o/$orgId/touchpoints/$touchpointId"
                    params={{ orgId, touchpointId: row.touchpoint_id }}
                  >
                    {row.touchpoint_name}
                  </LinkAnchor>
                </span>
                <StatusBadge status={shownStatus(row.touchpoint_status, row.figures)} />
                <Text span size="sm" c="dimmed" className={classes.when}>
                  {format.relative(row.touchpoint_updated_at)}
                </Text>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
