import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasDemo } from '../apps/server/src/operations/demo/demo-key.ts';
import { allowedOrigins, type Config } from '../apps/server/src/platform/config.ts';
import { InvalidConfig } from '../apps/server/src/platform/invalid-config.ts';
import { listConfigRisks } from '../apps/server/src/platform/config-risks.ts';
import { askMailServer } from './ask-mail-server.ts';
import { askReturnedMail } from './ask-returned-mail.ts';
import { diagnoseInstallation, diagnoseMachine, type Finding } from './diagnose.ts';
import { readInstallation, UsageError, withRunningDatabase } from './installation.ts';
import { root } from './run-command.ts';

// npm run doctor [-- ADDRESS]: reads the settings of npm start, sends requests to the running installation, and says what to
// do before it goes public. For an address that is not in the settings, it only sends requests. Exits with 1 if a check
// fails. See docs/going-public.md.

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
  const config = readSettings();
  const asked = address === undefined ? undefined : new URL(address).origin;
  if (asked !== undefined && (config instanceof Error || !allowedOrigins(config.publicUrl).includes(asked))) {
    const reason = config instanceof Error ? config.message : `PUBLIC_URL is ${config.publicUrl} here.`;
    console.log(`Looks only at what ${asked} answers: its settings are not on this machine.\n${reason}\n`);
    return await diagnoseInstallation(asked);
  }
  if (config instanceof Error) return [{ level: 'fail', text: config.message }];
  return [
    ...diagnoseMachine({
      config,
      environment: process.env,
      risks: listConfigRisks(config, process.getuid?.()),
      nodeVersion: process.versions.node,
      testedNodeVersion: readFileSync(join(root, '.node-version'), 'utf8').trim(),
      hasDemo: await withRunningDatabase(config, ({ authDb }) => hasDemo(authDb)).catch(() => undefined),
      mailProblem: config.smtpUrl === undefined ? undefined : await askMailServer(config.smtpUrl),
      returnRoute: config.smtpUrl === undefined ? undefined : await askReturnedMail(config),
    }),
    ...(await diagnoseInstallation(asked ?? new URL(config.publicUrl).origin)),
  ];
}

/** @returns the settings, or the error why they cannot be used */
function readSettings(): Config | InvalidConfig | UsageError {
  try {
    return readInstallation(process.env);
  } catch (error) {
    if (error instanceof InvalidConfig || error instanceof UsageError) return error;
    throw error;
  }
}
