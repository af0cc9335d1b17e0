import { forgetLocal, readLocal, writeLocal } from '#web/platform/local.ts';

/** What a new organization is led through; all but the first can be skipped. */
export const welcomeSteps = ['organization', 'team', 'done'] as const;
export type WelcomeStep = (typeof welcomeSteps)[number];

export const isWelcomeStep = (step: string): step is WelcomeStep =>
  (welcomeSteps as readonly string[]).includes(step);

const key = 'welcome';

/** Where somebody left off, to go on there later. */
export const rememberWelcome = (step: WelcomeStep, organizationId: string): void =>
  writeLocal(key, `${step}/${organizationId}`);

export const forgetWelcome = (): void => forgetLocal([key]);

export function leftOffAt(): { step: WelcomeStep; organization: string } | undefined {
  const [step = '', organization] = (readLocal(key) ?? '').split('/');
  return isWelcomeStep(step) && organization ? { step, organization } : undefined;
}
