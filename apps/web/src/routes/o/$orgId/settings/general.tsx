import { createFileRoute } from '@tanstack/react-router';
import { Stack } from '@mantine/core';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { DeliveryDefaults } from '#web/identity/organizations/delivery-defaults.tsx';
import { DeleteOrganization } from '#web/identity/organizations/delete-organization.tsx';
import { GeneralForm, OrganizationLogo } from '#web/identity/organizations/general-form.tsx';
import { QuotaList } from '#web/identity/organizations/quota-list.tsx';
import { SecondFactorRequirement } from '#web/identity/organizations/second-factor-requirement.tsx';
import { ownersQuery } from '#web/identity/members/use-is-last-owner.ts';
import { LeaveOrganization } from '#web/identity/members/leave-organization.tsx';
import { SettingsPage } from '#web/shell/settings-page.tsx';

export const Route = createFileRoute('/o/$orgId/settings/general')({
  loader: ({ context }) => context.preload((scope) => [scope.can('read', 'Member') && ownersQuery(scope)]),
  component: General,
});

function General() {
  const { can } = useOrganization();
  return (
    <SettingsPage section="general">
      <Stack gap="lg" maw={640}>
        <OrganizationLogo />
        <GeneralForm canChange={can('update', 'Organization')} />
        {can('read', 'Content') && can('read', 'Member') && <QuotaList />}
        <DeliveryDefaults />
        <SecondFactorRequirement />
        <LeaveOrganization />
        <DeleteOrganization />
      </Stack>
    </SettingsPage>
  );
}
