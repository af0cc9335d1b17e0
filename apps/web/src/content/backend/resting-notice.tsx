import { Alert, List } from '@mantine/core';
import type { ContentBackend } from '@reachout/contract/content-backend.ts';
import { useTranslation } from 'react-i18next';

/** Shown before a Directus is connected: what will be unused from then on. */
export function RestingNotice({ backend: { kind, built_in } }: { backend: ContentBackend }) {
  const { t } = useTranslation('backend');
  if (kind === 'directus') return null;
  const { collection_count, audience_count } = built_in;
  return (
    <Alert title={t('resting.title')}>
      <List size="sm" spacing={4}>
        <List.Item>{t('resting.collections', { count: collection_count })}</List.Item>
        {audience_count > 0 && <List.Item>{t('resting.audiences', { count: audience_count })}</List.Item>}
        <List.Item>{t('resting.back')}</List.Item>
      </List>
    </Alert>
  );
}
