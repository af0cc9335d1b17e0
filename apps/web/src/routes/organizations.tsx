import { Button, Group, Paper, SimpleGrid, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuildingSkyscraper, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../api.ts';
import { Mark } from '../organizations/organization-mark.tsx';
import { organizationsQuery } from '../organizations/organizations.ts';
import { useRoleName } from '../organizations/role-name.ts';
import { requireSession } from '../session/guards.ts';
import { UserMenu } from '../shell/user-menu.tsx';
import { AsyncRegion } from '../ui/async-region.tsx';
import { FormDrawer } from '../ui/form-drawer.tsx';
import { useServerForm } from '../ui/form.tsx';
import { CardsSkeleton } from '../ui/skeletons.tsx';
import { FirstUse } from '../ui/states.tsx';
import { useNameCheck } from '../ui/use-name-check.ts';
import classes from '../organizations/organizations.module.css';

export const Route = createFileRoute('/organizations')({
  beforeLoad: ({ context, location }) => requireSession(context.queryClient, location.href),
  component: Organizations,
});

function Organizations() {
  const { t } = useTranslation(['organizations', 'common']);
  const query = useQuery(organizationsQuery);
  const roleName = useRoleName();
  const [creating, { open, close }] = useDisclosure(false);
  useEffect(() => {
    document.title = `${t('title')} · ${t('common:product')}`;
  }, [t]);

  const create = (
    <Button leftSection={<IconPlus size={16} stroke={1.75} />} onClick={open}>
      {t('new')}
    </Button>
  );
  return (
    <main className={classes.page}>
      <header className={classes.head}>
        <img src="/favicon.svg" alt="" width={32} height={32} />
        <Title order={1}>{t('title')}</Title>
        {(query.data?.items.length ?? 0) > 0 && create}
        <UserMenu />
      </header>
      <AsyncRegion query={query} what={t('what')} skeleton={<CardsSkeleton />}>
        {({ items }) =>
          items.length === 0 ? (
            <FirstUse
              icon={<IconBuildingSkyscraper size={28} stroke={1.75} />}
              title={t('empty.title')}
              actions={create}
            >
              {t('empty.body')}
            </FirstUse>
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} component="ul" className={classes.cards}>
              {items.map((organization) => (
                <li key={organization.id}>
                  <Paper
                    withBorder
                    p="md"
                    radius="md"
                    component={Link}
                    to="/o/$orgId"
                    params={{ orgId: organization.id } as never}
                    className={classes.card}
                  >
                    <Group wrap="nowrap">
                      <Mark name={organization.name} logo={organization.logo_url} size={40} />
                      <div>
                        <Text fw={650}>{organization.name}</Text>
                        <Text size="sm" c="dimmed">
                          {roleName(organization)}
                        </Text>
                      </div>
                    </Group>
                  </Paper>
                </li>
              ))}
            </SimpleGrid>
          )
        }
      </AsyncRegion>
      {creating && <NewOrganization onClose={close} />}
    </main>
  );
}

function NewOrganization({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['organizations', 'common']);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const checkName = useNameCheck();
  const form = useServerForm({
    initial: { name: '' },
    checks: { name: checkName },
    submit: async ({ name }) => {
      const created = await client.organizations.create({ name: name.trim() });
      await queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey });
      await navigate({ to: '/o/$orgId', params: { orgId: created.id } });
    },
  });
  return (
    <FormDrawer opened onClose={onClose} title={t('new')} form={form} submitLabel={t('create')}>
      <TextInput
        data-autofocus
        label={t('name')}
        description={t('nameHint')}
        maxLength={120}
        {...form.fields.getInputProps('name')}
      />
    </FormDrawer>
  );
}
