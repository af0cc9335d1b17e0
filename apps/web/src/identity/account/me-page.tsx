import { Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Heading and tab title of an account page. */
export function MePage({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const { t } = useTranslation(['account', 'common']);
  useDocumentTitle(`${title} · ${t('account')} · ${t('common:product')}`);
  return (
    <>
      <Title order={1} mb={note ? 4 : 'lg'}>
        {title}
      </Title>
      {note && (
        <Text c="dimmed" mb="lg">
          {note}
        </Text>
      )}
      {children}
    </>
  );
}
