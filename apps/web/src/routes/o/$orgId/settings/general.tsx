import { createFileRoute } from '@tanstack/react-router';
import { Stack } from '@mantine/core';
import { useOrganization } from '../../../../organizations/scope.ts';
import { DeleteOrganization } from '../../../../settings/delete-organization.tsx';
import { GeneralForm, GeneralValues } from '../../../../settings/general-form.tsx';
import { LeaveOrganization } from '../../../../settings/leave-organization.tsx';
import { OrganizationLogo } from '../../../../settings/organization-logo.tsx';
import { SettingsPage } from '../../../../settings/settings-page.tsx';

export const Route = createFileRoute('/o/$orgId/settings/general')({ component: General });

function General() {
  const { can } = useOrganization();
  return (
    <SettingsPage section="general">
      <Stack gap="lg" maw={640}>
        <OrganizationLogo />
        {can('update', 'Organization') ? <GeneralForm /> : <GeneralValues />}
        <LeaveOrganization />
        <DeleteOrganization />
      </Stack>
    </SettingsPage>
  );
}
