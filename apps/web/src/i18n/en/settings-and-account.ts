import { account } from './account.ts';
import { backend } from './backend.ts';
import { developer } from './developer.ts';
import { helpEditor } from './help-editor.ts';
import { jobs } from './jobs.ts';
import { operator } from './operator.ts';
import { onboarding } from './onboarding.ts';
import { settings } from './settings.ts';

/** Large texts that few screens need. */
export const settingsAndAccount = {
  settings,
  account,
  backend,
  developer,
  jobs,
  operator,
  onboarding,
  helpEditor,
};
