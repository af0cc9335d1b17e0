import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { Figures } from '@reachout/contract/figures.ts';
import type { Send } from '@reachout/contract/sends.ts';
import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sendOutcome } from '#web/delivery/sends/send-outcome.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useRate } from '#web/insight/statistics/use-rate.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { EmailPicture } from '#web/outreach/channels/email/email-picture.tsx';
import { shownStatus } from '#web/outreach/touchpoints/shown-status.ts';
import { FinePrint } from '#web/ui/text.ts';
import { recentQuery } from './dashboard-queries.ts';
import { RecentCard } from './recent-card.tsx';
import classes from './recent-card.module.css';

/** The five campaigns, touchpoints and sends that changed last. */
export function RecentWork() {
  return (
    <div className={classes.recent}>
      <RecentCampaigns />
      <RecentTouchpoints />
      <RecentSends />
    </div>
  );
}

function RecentCampaigns() {
  const { t } = useTranslation(['dashboard', 'shell']);
  const format = useFormat();
  const scope = useOrganization();
  const { orgId } = scope;
  return (
    <RecentCard
      title={t('recentCampaigns')}
      query={useQuery({ ...recentQuery(scope), select: ({ campaigns }) => campaigns })}
      empty={t('noCampaigns')}
      all={linkOptions({ to: '/o/$orgId/campaigns', params: { orgId }, label: t('words.campaigns') })}
      row={({ id, name, brand, status, updated_at, figures }) => ({
        brand,
        picture: figures?.email_touchpoint_id && (
          <EmailPicture
            touchpointId={figures.email_touchpoint_id}
            version={figures.last_send?.id ?? updated_at}
            width={72}
            height={48}
          />
        ),
        figures: figures?.last_send && <CampaignFigures figures={figures} />,
        link: linkOptions({
          to: '/o/$orgId/campaigns/$campaignId',
          params: { orgId, campaignId: id },
          label: name,
        }),
        note: `${brand.client.name} › ${brand.name} · ${format.relative(updated_at)}`,
        status,
      })}
    />
  );
}

/** Results of all sends of a campaign: the same numbers as in the list of campaigns. */
function CampaignFigures({ figures }: { figures: Figures }) {
  const { delivered, opened, clicked } = figures;
  const { t } = useTranslation(['dashboard', 'common']);
  const format = useFormat();
  const rate = useRate();
  const share = (count: number | null) =>
    count === null ? t('common:none') : rate(count, measuredOf(figures));
  const shown = [
    { key: 'delivered', value: format.number(delivered) },
    { key: 'clicked', value: share(clicked) },
    { key: 'opened', value: share(opened) },
  ] as const;
  return (
    <dl className={classes.figures}>
      {shown.map(({ key, value }) => (
        <div key={key}>
          <FinePrint component="dt">{t(`clients.${key}`)}</FinePrint>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function RecentTouchpoints() {
  const { t } = useTranslation(['dashboard', 'shell']);
  const scope = useOrganization();
  const { orgId } = scope;
  return (
    <RecentCard
      title={t('recentTouchpoints')}
      query={useQuery({ ...recentQuery(scope), select: ({ touchpoints }) => touchpoints })}
      empty={t('noTouchpoints')}
      all={linkOptions({
        to: '/o/$orgId/touchpoints',
        params: { orgId },
        label: t('words.touchpoints'),
      })}
      row={({ id, name, brand, campaign, status, figures }) => ({
        brand,
        link: linkOptions({
          to: `/o/$orgId/touchpoints/$touchpointId${status === 'sent' ? '/statistics' : ''}`,
          params: { orgId, touchpointId: id },
          label: name,
        }),
        note: `${campaign.name} · ${brand.name}`,
        ...shownStatus(status, figures),
      })}
    />
  );
}

function RecentSends() {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const scope = useOrganization();
  const { orgId } = scope;
  /** Omits the counts if the recipients are not known yet, or there never were any. */
  const noteOf = (send: Send): string => {
    const when = format.relative(send.send_date);
    if (sendOutcome(send).phase === 'waiting') return t('starts', { when });
    if (send.recipients_total_count === 0) return when;
    const sent = format.number(send.recipients_total_sent_count);
    return `${when} · ${t('sentOf', { sent, total: format.number(send.recipients_total_count) })}`;
  };
  return (
    <RecentCard
      title={t('recentSends')}
      query={useQuery({ ...recentQuery(scope), select: ({ sends }) => sends })}
      empty={t('noSends')}
      row={(send) => ({
        brand: send.brand,
        link: linkOptions({
          to: '/o/$orgId/touchpoints/$touchpointId/sends/$sendId',
          params: { orgId, touchpointId: send.touchpoint.id, sendId: send.id },
          label: send.touchpoint.name,
        }),
        note: noteOf(send),
        status: sendOutcome(send).status,
        notDelivered: sendOutcome(send).notSent,
      })}
    />
  );
}
