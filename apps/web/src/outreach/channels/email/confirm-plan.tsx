import type { ReactNode } from 'react';
import { isFieldProblem, PlanFields } from '#web/outreach/schedules/plan-fields.tsx';
import { isPlanned, type Plan, type Planned, type PlanValues } from '#web/outreach/schedules/plan.ts';
import { QuietText } from '#web/ui/text.ts';
import { ConfirmButtons } from './confirm-buttons.tsx';
import { SendFailure } from './send-failure.tsx';

interface Props {
  values: PlanValues;
  plan: Plan;
  /** The current time in ms, by which the plan was read. */
  now: number;
  onChange: (values: PlanValues) => void;
  /** Further fields. */
  children?: ReactNode;
  note: string;
  confirmLabel: string;
  /** Whether everything but the plan is complete. */
  isReady: boolean;
  mutation: { error: unknown; isPending: boolean };
  onConfirm: (plan: Planned) => void;
  onClose: () => void;
}

/** When an email is sent, what that means, and the button that confirms it. */
export function ConfirmPlan({ plan, children, note, confirmLabel, isReady, mutation, ...props }: Props) {
  const { error, isPending } = mutation;
  return (
    <>
      <PlanFields values={props.values} plan={plan} now={props.now} error={error} onChange={props.onChange} />
      {children}
      <QuietText my="md">{note}</QuietText>
      {!isFieldProblem(error) && <SendFailure error={error} />}
      <ConfirmButtons
        label={confirmLabel}
        isPending={isPending}
        disabled={!isReady || !isPlanned(plan)}
        onConfirm={() => isPlanned(plan) && props.onConfirm(plan)}
        onClose={props.onClose}
      />
    </>
  );
}
