import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import type { Organization } from '@reachout/contract/organizations.ts';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { QuietText } from '#web/ui/text.ts';
import { Logo } from './organization-logo.tsx';
import classes from './organizations.module.css';
import { useRoleName } from './role-name.ts';

/** The organizations of the signed-in user, with their role in each. */
export function OrganizationCards({ organizations }: { organizations: readonly Organization[] }) {
  const roleName = useRoleName();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} component="ul" autoRows="1fr" className="bare">
      {organizations.map((organization) => (
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
            <Group wrap="nowrap" align="flex-start">
              <Logo name={organization.name} logo={organization.logo_url} size={40} />
              <div>
                <Text fw={650}>{organization.name}</Text>
                <QuietText>{roleName(organization)}</QuietText>
                {organization.status !== 'active' && <StatusBadge status={organization.status} />}
              </div>
            </Group>
          </Paper>
        </li>
      ))}
    </SimpleGrid>
  );
}
