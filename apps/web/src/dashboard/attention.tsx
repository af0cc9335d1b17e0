import type { Attention, DashboardWork } from '@reachout/contract/dashboard.ts';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { useSendErrorText } from '#web/ui/send-error-text.ts';
import { FinePrint } from '#web/ui/text.ts';
import { Time } from '#web/ui/time.tsx';
import { WorkCard } from './work-card.tsx';
import classes from './recent-card.module.css';

type ToSend = Extract<Attention, { send: object }>;
type ToImport = Extract<Attention, { import: object }>;
type ToBrand = Extract<Attention, { brand: object }>;
type ToDomain = Extract<Attention, { domain: object | null }>;

/** Problems that need a decision or a fix, each with a link to where that is done. */
export function NeedsAttention({ work }: { work: DashboardWork }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const { attention, attention_count: count } = work;
  if (attention.length === 0) return null;
  const rest = count - attention.length;
  return (
    <WorkCard
      title={t('attention.title')}
      tone="warning"
      more={rest > 0 ? t('more', { number: format.number(rest) }) : undefined}
    >
      {attention.map((item) =>
        'import' in item ? (
          <FailedImport key={item.import.id} {...item} />
        ) : 'brand' in item ? (
          <BrandToMend key={item.brand.id} {...item} />
        ) : 'domain' in item ? (
          <DomainToMend key={item.domain?.id ?? item.kind} {...item} />
        ) : (
          <SendToAttend key={item.send.id} {...item} />
        ),
      )}
    </WorkCard>
  );
}

function SendToAttend({ kind, send }: ToSend) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const errorText = useSendErrorText();
  const name = send.touchpoint.name;
  const params = { orgId: send.organization_id, touchpointId: send.touchpoint_id, sendId: send.id };
  const to = '/o/$orgId/touchpoints/$touchpointId/sends/$sendId';
  const link =
    kind === 'send_short'
      ? linkOptions({ to, params, search: { state: 'failed' }, hash: 'recipients' })
      : linkOptions({ to, params });
  const counts = {
    send_paused: send.recipients_queued_count,
    send_unclear: send.recipients_uncertain_count,
    send_failed: 0,
    send_short: send.recipients_total_failed_count,
  };
  const values = { name, count: counts[kind], number: format.number(counts[kind]) };
  const reason = send.error === null ? undefined : errorText(send.error);
  return (
    <Row at={send.end_date ?? send.send_date} detail={[send.brand.name, reason].filter(Boolean).join(' · ')}>
      <LinkAnchor {...link} fw={500} data-row-link>
        {t(`attention.${kind}`, values)}
      </LinkAnchor>
    </Row>
  );
}

function FailedImport({ import: { collection, file_name: file, created_at } }: ToImport) {
  const { t } = useTranslation('dashboard');
  const { orgId } = useOrganization();
  return (
    <Row at={created_at} detail={t('attention.importHint')}>
      <LinkAnchor
        to="/o/$orgId/collections/$collection/import"
        params={{ orgId, collection }}
        fw={500}
        data-row-link
      >
        {t('attention.import_failed', { file })}
      </LinkAnchor>
    </Row>
  );
}

function BrandToMend({ kind, brand }: ToBrand) {
  const { t } = useTranslation('dashboard');
  const { orgId } = useOrganization();
  const domain = brand.from_email.slice(brand.from_email.lastIndexOf('@') + 1);
  return (
    <Row detail={`${brand.client.name} · ${t(`attention.${kind}_hint`)}`}>
      <LinkAnchor
        to="/o/$orgId/brands/$brandId/kit"
        params={{ orgId, brandId: brand.id }}
        hash="sender"
        fw={500}
        data-row-link
      >
        {t(`attention.${kind}`, { name: brand.name, domain })}
      </LinkAnchor>
    </Row>
  );
}

function DomainToMend({ kind, domain }: ToDomain) {
  const { t } = useTranslation('dashboard');
  const { orgId } = useOrganization();
  const link =
    domain === null
      ? linkOptions({ to: '/o/$orgId/domains', params: { orgId } })
      : linkOptions({ to: '/o/$orgId/domains/$domainId', params: { orgId, domainId: domain.id } });
  return (
    <Row
      {...(domain && { at: domain.since })}
      detail={t('attention.domainHint')}
      isBroken={kind === 'domain_failing'}
    >
      <LinkAnchor {...link} fw={500} data-row-link>
        {t(`attention.${kind}`, { domain: domain?.domain })}
      </LinkAnchor>
    </Row>
  );
}

interface RowProps {
  at?: string;
  detail: string;
  /** Something that worked no longer does. */
  isBroken?: boolean;
  children: ReactNode;
}

function Row({ at, detail, isBroken = false, children }: RowProps) {
  return (
    <li className={classes.row}>
      {isBroken ? (
        <IconX size={20} color="var(--app-danger)" aria-hidden />
      ) : (
        <IconAlertTriangle size={20} color="var(--app-warning)" aria-hidden />
      )}
      <div className={classes.words}>
        {children}
        <FinePrint lineClamp={2} title={detail}>
          {detail}
        </FinePrint>
      </div>
      {at !== undefined && (
        <FinePrint span>
          <Time at={at} />
        </FinePrint>
      )}
    </li>
  );
}
