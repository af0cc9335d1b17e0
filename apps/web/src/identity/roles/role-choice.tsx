import { Radio, Stack } from '@mantine/core';
import { isBuiltInRole } from '@reachout/contract/abilities.ts';
import type { RoleDetails } from '@reachout/contract/roles.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoleName } from '#web/identity/organizations/role-name.ts';

interface Props {
  roles: readonly RoleDetails[];
  value: string;
  onChange: (role: string) => void;
  error?: ReactNode;
}

/** The roles that the user can grant, each with a description; the current one is always shown. */
export function RoleChoice({ roles, value, onChange, error }: Props) {
  const { t } = useTranslation('organizations');
  const roleName = useRoleName();
  const shown = roles.filter((role) => role.grantable || role.role === value);
  return (
    <Radio.Group label={t('words.role')} value={value} onChange={onChange} error={error} data-path="role">
      <Stack gap="sm">
        {shown.map(({ role, name, grantable }) => (
          <Radio
            key={role}
            value={role}
            disabled={!grantable}
            label={roleName({ role, role_name: name })}
            description={isBuiltInRole(role) ? t(`roleHints.${role}`) : t('customRoleHint')}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
