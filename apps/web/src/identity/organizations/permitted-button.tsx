import type { ButtonProps } from '@mantine/core';
import type { Action, RecordAttributes, Subject } from '@reachout/contract/abilities.ts';
import { IconPlus } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import { DisabledWithTooltip } from '#web/ui/disabled-with-tooltip.tsx';
import { useOrganization } from './use-organization.ts';
import { useDenialReason } from './use-denial-reason.ts';

type Props = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & {
    permission: readonly [Action, Subject];
    /** The record concerned, if rules can be limited to clients or brands. */
    record?: RecordAttributes;
    /** Why the record's present state does not allow it. */
    reason?: string | undefined;
  };

/**
 * A button that is hidden from roles that can never use it. It stays visible and explains itself if only the present state
 * forbids it: the organization is suspended, the rules could not be loaded, or only this record is out of scope.
 */
export function PermittedButton({ permission: [action, subject], record, reason, ...props }: Props) {
  const { canEver } = useOrganization();
  const denialReason = useDenialReason();
  if (!canEver(action, subject)) return null;
  return <DisabledWithTooltip {...props} reason={denialReason(action, subject, record) ?? reason} />;
}

export const CreateButton = (props: Props) => (
  <PermittedButton variant="filled" leftSection={<IconPlus size={16} />} {...props} />
);
