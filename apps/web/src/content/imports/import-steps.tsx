import { Stepper } from '@mantine/core';
import type { ImportStatus } from '@reachout/contract/states/import.ts';
import { useTranslation } from 'react-i18next';
import classes from './import-steps.module.css';

const steps = ['file', 'columns', 'check', 'run'] as const;

interface Props {
  /** Whether there is a file whose columns can be chosen. */
  hasFile: boolean;
  /** Of the import, once there is one and it is known. */
  status: ImportStatus | undefined;
  isStarted: boolean;
}

/** How far an import has come. */
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

/** The steps that are done get their tick: after a finished import all of them. */
function stepOf(status: ImportStatus | undefined): number {
  if (status === 'completed') return steps.length;
  return status === undefined || status === 'checking' || status === 'checked' ? 2 : 3;
}
