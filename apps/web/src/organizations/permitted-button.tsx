import type { ButtonProps } from '@mantine/core';
import type { Action, RecordScope, Subject } from '@reachout/contract/abilities.ts';
import type { ComponentPropsWithRef } from 'react';
import { ReasonedButton } from '../ui/reasoned-button.tsx';
import { useRefusal } from './use-refusal.ts';

type Props = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & {
    needs: readonly [Action, Subject];
    /** What it would be done to, where rules can be limited to clients or brands. */
    record?: RecordScope;
  };

/** A button that stays where it is when the role does not allow it, and says why. */
export function PermittedButton({ needs: [action, subject], record, ...props }: Props) {
  const refusal = useRefusal();
  return <ReasonedButton {...props} reason={refusal(action, subject, record)} />;
}
