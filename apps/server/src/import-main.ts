import { constants, getPriority, setPriority } from 'node:os';
import { handleImports } from './contacts/imports/import-jobs.ts';
import { ImportPace, type SendActivity } from './contacts/imports/import-pace.ts';
import { connect } from './platform/database/database.ts';
import { serveJobs } from './platform/jobs/job-process.ts';
import { createLog } from './platform/log.ts';
import { createSecrets } from './platform/secrets.ts';

export interface ImportProcessOptions {
  appUrl: string;
  logLevel: string;
  secretKey: string;
  previousSecretKeys: string[];
}

// The import process, which a worker starts. Reading a file keeps one core busy here and one in PostgreSQL, so it runs in
// its own process beside the one that sends, with lower priority.
const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
setPriority(Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW));

const pace = new ImportPace();
serveJobs(
  (options) => {
    const { appUrl, logLevel, secretKey, previousSecretKeys } = options as ImportProcessOptions;
    const log = createLog(logLevel).child({ role: 'import' });
    const db = connect(appUrl, {
      name: 'import',
      // One connection reads the file while the other stores rows.
      connections: 2,
      statementTimeoutMs: 60_000,
      onError: (error) => log.warn({ err: error }, 'database connection lost'),
    });
    const secrets = createSecrets(secretKey, previousSecretKeys);
    return handleImports({ db, log, secrets, pace });
  },
  (news) => pace.inform(news as SendActivity),
);
