import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useRouterState } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '#web/i18n/i18n.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { LanguageSwitch } from '#web/ui/language-switch.tsx';
import classes from './auth-frame.module.css';

/** The page layout of sign-in and sign-up. */
export function AuthFrame({
  title,
  children,
  below,
}: {
  title: string;
  children: ReactNode;
  below?: ReactNode;
}) {
  const { t } = useTranslation(['auth', 'common']);
  useDocumentTitle(`${title} · ${t('common:product')}`);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const [ownPathname] = useState(pathname);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keeps the focus, does nothing itself
    <main
      className={classes.page}
      // This page stays until the next page's script is loaded; input during that time would be lost.
      inert={pathname !== ownPathname}
      // The first field has the focus. A blur may show an error, which would move a link away from under the pointer.
      onMouseDown={(event) => {
        if (event.target instanceof Element && event.target.closest('a, button')) event.preventDefault();
      }}
    >
      <Box w="100%" maw={420}>
        <Group gap={12} mb={8} fz="1.25rem" fw={650}>
          <img src="/favicon.svg" alt="" width={36} height={36} />
          <span>{t('common:product')}</span>
        </Group>
        <Text c="dimmed" mb="lg">
          {t('tagline')}
        </Text>
        <Paper withBorder radius="md" p={{ base: 'md', xs: 'lg' }}>
          <Title order={1} mb="lg">
            {title}
          </Title>
          {children}
        </Paper>
        <Stack mt="lg" gap="lg">
          {below && <Text ta="center">{below}</Text>}
          <Box w="min(12.5rem, 100%)" mx="auto">
            <LanguageSwitch onChange={(language) => void changeLanguage(language)} />
          </Box>
          <LinkAnchor to="/help" ta="center">
            {t('help')}
          </LinkAnchor>
        </Stack>
      </Box>
    </main>
  );
}
