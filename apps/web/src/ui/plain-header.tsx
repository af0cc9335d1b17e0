import { Text } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { PageTitle } from './text.ts';

/** The header of a page outside of an organization: title and introduction. */
export function PlainHeader({ title, intro }: { title: string; intro: string }) {
  const { t } = useTranslation();
  useDocumentTitle(`${title} · ${t('product')}`);
  return (
    <div>
      <PageTitle>{title}</PageTitle>
      <Text c="dimmed" mb="lg">
        {intro}
      </Text>
    </div>
  );
}
