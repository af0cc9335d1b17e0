import { Stepper } from '@mantine/core';
import type { ImportStatus } from '@reachout/contract/states/import.ts';
import { useTranslation } from 'react-i18next';
import classes from './import-steps.module.css';

const steps = ['file', 'columns', 'check', 'run'] as const;

interface Props {
  /** Whether there is a file whose columns can be mapped. */
  hasFile: boolean;
  /** Status of the import, once it exists and is loaded. */
  status: ImportStatus | undefined;
  isStarted: boolean;
}

/** Progress of an import. */
export function ImportSteps({ hasFile, status, isStarted }: Props) {
  const { t } = useTranslation('collections');
  return (
    <Stepper
      active={isStarted ? stepOf(status) : hasFile ? 1 : 0}
      size="sm"
      mb="lg"
      allowNextStepsSelect={false}
      maw={640}
      classNames={{ step: classes.step!, stepBody: classes.body! }}
    >
      {steps.map((step) => (
        <Stepper.Step key={step} label={t(`csv.steps.${step}`)} />
      ))}
    </Stepper>
  );
}

/** Number of completed steps, which are ticked: all of them after a completed import. */
function stepOf(status: ImportStatus | undefined): number {
  if (status === 'completed') return steps.length;
  return status === undefined || status === 'checking' || status === 'checked' ? 2 : 3;
}
