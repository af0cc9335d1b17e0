import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import type { Action, Subject } from '@reachout/contract/abilities.ts';
import type { ComponentPropsWithRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from './scope.ts';
import { useRoleName } from './role-name.ts';

type Props = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & { needs: readonly [Action, Subject] };

/** A button that stays where it is when the role does not allow it, and says why. */
export function PermittedButton({ needs: [action, subject], ...props }: Props) {
  const { t } = useTranslation();
  const { can, organization } = useOrganization();
  const roleName = useRoleName();
  if (can(action, subject)) return <Button {...props} />;
  const { onClick: _refused, type: _type, ...looks } = props;
  return (
    <Tooltip label={t('forbidden.action', { role: roleName(organization.role) })}>
      <Button
        {...looks}
        type="button"
        data-disabled
        aria-disabled
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  );
}
