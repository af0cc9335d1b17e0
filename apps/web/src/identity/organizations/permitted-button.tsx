import type { ButtonProps } from '@mantine/core';
import type { Action, RecordScope, Subject } from '@reachout/contract/abilities.ts';
import type { ComponentPropsWithRef } from 'react';
import { ReasonedButton } from '#web/ui/disabled-with-tooltip.tsx';
import { useOrganization } from './scope.ts';
import { useRefusal } from './use-refusal.ts';

type Props = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & {
    permission: readonly [Action, Subject];
    /** What it would be done to, where rules can be limited to clients or brands. */
    record?: RecordScope;
  };

/**
 * A button that is not there for a role that can never use it. It stays, and says why, where the state forbids it: the
 * organization is suspended, the rules could not be loaded, or only this record is out of reach.
 */
export function PermittedButton({ permission: [action, subject], record, ...props }: Props) {
  const { mayEver } = useOrganization();
  const refusal = useRefusal();
  if (!mayEver(action, subject)) return null;
  return <ReasonedButton {...props} reason={refusal(action, subject, record)} />;
}
