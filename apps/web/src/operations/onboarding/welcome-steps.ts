import { forgetLocal, readLocal, writeLocal } from '#web/platform/local.ts';

/** The steps for a new organization; all but the first can be skipped. */
export const welcomeSteps = ['organization', 'team', 'done'] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

export const isWelcomeStep = (step: string): step is WelcomeStep =>
  (welcomeSteps as readonly string[]).includes(step);

const key = 'welcome';

/** Remembers the step at which the user stopped, to continue there later. */
export const rememberWelcome = (step: WelcomeStep, organizationId: string): void =>
  writeLocal(key, `${step}/${organizationId}`);

export const forgetWelcome = (): void => forgetLocal([key]);

export function leftOffAt(): { step: WelcomeStep; organization: string } | undefined {
  const [step = '', organization] = (readLocal(key) ?? '').split('/');
  return isWelcomeStep(step) && organization ? { step, organization } : undefined;
}
