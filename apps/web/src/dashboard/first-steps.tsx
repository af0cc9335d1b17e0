import { Paper, Text, Title } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '../organizations/scope.ts';
import { LinkAnchor } from '../platform/links.tsx';
import classes from './first-steps.module.css';

/** From nothing to a sent email. No step is ticked by hand: each is derived from what is there. Gone when all are done. */
export function FirstSteps() {
  const { t } = useTranslation('dashboard');
  const { api, orgId } = useOrganization();
  const one = { page: 0, page_size: 1 };
  const brands = useQuery(api.brands.list.queryOptions({ input: { organization_id: orgId, ...one } }));
  const collections = useQuery(api.content.collections.queryOptions({ input: { organization_id: orgId } }));
  const filters = useQuery(api.filters.list.queryOptions({ input: { organization_id: orgId, ...one } }));
  const templates = useQuery(api.templates.list.queryOptions({ input: { organization_id: orgId, ...one } }));
  const touchpoints = useQuery(api.touchpoints.recent.queryOptions({ input: { organization_id: orgId } }));
  const sends = useQuery(api.sends.recent.queryOptions({ input: { organization_id: orgId } }));
  const all = [brands, collections, filters, templates, touchpoints, sends];
  if (all.some((query) => query.data === undefined)) return null;

  const contacts = collections.data?.data.find((entry) => entry.collection === 'contacts')?.item_count ?? 0;
  const params = { orgId };
  const email = touchpoints.data?.[0];
  const steps = [
    {
      done: (brands.data?.count ?? 0) > 0,
      link: (
        <LinkAnchor to="/o/$orgId/clients" params={params}>
          {t('start.client')}
        </LinkAnchor>
      ),
    },
    {
      done: contacts > 0,
      link: (
        <LinkAnchor to="/o/$orgId/collections/$collection/import" params={{ orgId, collection: 'contacts' }}>
          {t('start.contacts')}
        </LinkAnchor>
      ),
    },
    {
      done: (filters.data?.count ?? 0) > 0,
      link: (
        <LinkAnchor to="/o/$orgId/audiences" params={params} search={{ new: true }}>
          {t('start.audience')}
        </LinkAnchor>
      ),
    },
    {
      done: (templates.data?.count ?? 0) > 0,
      link: (
        <LinkAnchor to="/o/$orgId/templates" params={params}>
          {t('start.template')}
        </LinkAnchor>
      ),
    },
    {
      done: email !== undefined,
      link: (
        <LinkAnchor to="/o/$orgId/campaigns" params={params}>
          {t('start.campaign')}
        </LinkAnchor>
      ),
    },
    {
      done: (sends.data?.length ?? 0) > 0,
      link: email ? (
        <LinkAnchor
          to="/o/$orgId/touchpoints/$touchpointId/schedule"
          params={{ orgId, touchpointId: email.id }}
        >
          {t('start.send')}
        </LinkAnchor>
      ) : (
        <LinkAnchor to="/o/$orgId/touchpoints" params={params}>
          {t('start.send')}
        </LinkAnchor>
      ),
    },
  ];
  if (steps.every((step) => step.done)) return null;
  return (
    <Paper withBorder p="lg" radius="md" component="section" aria-label={t('start.title')}>
      <Title order={2}>{t('start.title')}</Title>
      <Text c="dimmed" mb="md">
        {t('start.body')}
      </Text>
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          // Known by its place: the steps are fixed.
          <li key={index} className={classes.step} data-done={step.done}>
            {step.done ? (
              <IconCircleCheck size={20} stroke={1.75} role="img" aria-label={t('start.done')} />
            ) : (
              <IconCircleDashed size={20} stroke={1.75} aria-hidden />
            )}
            {step.link}
          </li>
        ))}
      </ol>
    </Paper>
  );
}
