import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasDemo } from '../apps/server/src/operations/demo/demo.ts';
import { InvalidConfig, readConfig } from '../apps/server/src/platform/config.ts';
import { listConfigRisks } from '../apps/server/src/platform/config-risks.ts';
import { askMailServer } from './ask-mail-server.ts';
import { diagnoseInstallation, diagnoseMachine, type Finding } from './diagnose.ts';
import { withRunningDatabase } from './installation.ts';
import { root } from './run-command.ts';

// npm run doctor [-- ADDRESS]: reads the settings of npm start, asks the running installation, and says what to do before
// it goes public. Exits with 1 when a point fails. docs/going-public.md

const [address, ...more] = process.argv.slice(2);
if (more.length > 0 || (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))) {
  console.error('Usage: npm run doctor -- https://reachout.example');
  process.exit(1);
}

const findings = await diagnose();
for (const { level, text } of findings) console.log(`${level.padEnd(5)} ${text}`);
const failures = findings.filter(({ level }) => level === 'fail').length;
console.log(failures === 0 ? '\nNothing fails.' : `\n${failures} to mend.`);
process.exitCode = failures === 0 ? 0 : 1;

async function diagnose(): Promise<Finding[]> {
  let config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    return [{ level: 'fail', text: error.message }];
  }
  return [
    ...diagnoseMachine({
      config,
      environment: process.env,
      risks: listConfigRisks(config, process.getuid?.()),
      nodeVersion: process.versions.node,
      testedNodeVersion: readFileSync(join(root, '.node-version'), 'utf8').trim(),
      hasDemo: await withRunningDatabase(config, ({ authDb }) => hasDemo(authDb)).catch(() => undefined),
      mailProblem: config.smtpUrl === undefined ? undefined : await askMailServer(config.smtpUrl),
    }),
    ...(await diagnoseInstallation(new URL(address ?? config.publicUrl).origin)),
  ];
}
