import {
  ActionIcon,
  Button,
  Divider,
  Popover,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionQuery, signOut } from '../session/session.ts';
import { setShortcuts, shortcutsOn } from '../ui/shortcuts.ts';
import { LanguageSwitch } from './language-switch.tsx';

export function UserMenu() {
  const { t } = useTranslation(['shell', 'common']);
  const { data: user } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [shortcuts, setOn] = useState(shortcutsOn);
  const leave = async () => {
    await signOut();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Popover width={280} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t('account')}>
          <IconUserCircle size={22} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={4}>
        <Stack gap={2} p="xs">
          <Text fw={650}>{user?.name}</Text>
          <Text size="sm" c="dimmed">
            {user?.email}
          </Text>
        </Stack>
        <Divider color="var(--app-hairline)" my={4} />
        <Stack gap="sm" p="xs">
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              {t('common:language')}
            </Text>
            <LanguageSwitch />
          </div>
          <div>
            <Text size="xs" c="dimmed" mb={4}>
              {t('theme')}
            </Text>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label={t('theme')}
              value={colorScheme}
              onChange={(value) => setColorScheme(value)}
              data={[
                { value: 'light', label: t('common:color.light') },
                { value: 'dark', label: t('common:color.dark') },
                { value: 'auto', label: t('system') },
              ]}
            />
          </div>
          <Switch
            label={t('shortcuts')}
            description={t('shortcutsHint')}
            checked={shortcuts}
            onChange={(event) => {
              setOn(event.currentTarget.checked);
              setShortcuts(event.currentTarget.checked);
            }}
          />
        </Stack>
        <Divider color="var(--app-hairline)" my={4} />
        <Button
          fullWidth
          variant="subtle"
          justify="flex-start"
          leftSection={<IconLogout size={16} stroke={1.75} />}
          onClick={() => void leave()}
        >
          {t('signOut')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
