import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { buildOrganization, buildUser } from '../apps/server/src/sample/records.ts';
import { useTestApp } from '../apps/server/src/testing/app.ts';
import { deleteRows, listRows } from '../apps/server/src/testing/rows.ts';
import { testSecretKey } from '../apps/server/src/testing/test-secrets.ts';
import { firstInvitation } from './installation.ts';
import { root } from './run-command.ts';

suite('operator commands', () => {
  const app = useTestApp();

  async function run(script: string, args: string[], settings: Record<string, string> = {}) {
    const child = spawn(process.execPath, [join(root, 'scripts', script), ...args], {
      env: {
        PATH: process.env['PATH'],
        // As npm run sets it: otherwise each command would compile the server again.
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        DATABASE_URL: app.ownerUrl,
        DATABASE_APP_URL: app.appUrl,
        DATABASE_AUTH_URL: app.authUrl,
        SECRET_KEY: testSecretKey,
        PUBLIC_URL: 'https://reachout.example',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  }

  test('a start without accounts explains the first invitation (OPS-1)', async () => {
    const { authDb } = app.services;
    assert.match(
      (await firstInvitation({ signUp: 'invited' }, authDb)) ?? '',
      /npm run invite -- you@example\.com$/,
    );
    assert.equal(await firstInvitation({ signUp: 'open' }, authDb), undefined);
    const { id } = await buildUser(app.owner);
    assert.equal(await firstInvitation({ signUp: 'invited' }, authDb), undefined);
    await deleteRows(app.owner, 'users', { id });
  });

  test('organization:limit sets and resets the daily limit (EML-7)', async () => {
    const { id, name } = await buildOrganization(app.owner);
    const limit = async () => {
      const query = app.owner
        .selectFrom('organizations')
        .select('daily_recipient_limit')
        .where('id', '=', id);
      return (await query.executeTakeFirstOrThrow()).daily_recipient_limit;
    };
    assert.deepEqual(await run('organization-limit.ts', [id, '50000']), {
      code: 0,
      output: `${name} may reach 50000 recipients in 24 hours.\n`,
    });
    assert.equal(await limit(), 50_000);
    const back = await run('organization-limit.ts', [id, 'default'], { DAILY_RECIPIENT_LIMIT: '7' });
    assert.equal(back.output, `${name} may reach 7 recipients in 24 hours.\n`);
    assert.equal(await limit(), null);
    assert.deepEqual(await run('organization-limit.ts', [id, '12', 'templates']), {
      code: 0,
      output: `${name} may have 12 templates.\n`,
    });
    assert.deepEqual(await run('organization-limit.ts', [id, '3000000', 'website_events']), {
      code: 0,
      output: `${name} may have 3000000 website_events in a day (UTC) of each website.\n`,
    });
    const stranger = await run('organization-limit.ts', [crypto.randomUUID(), '1']);
    assert.equal(stranger.code, 1);
    assert.match(stranger.output, /^There is no organization /);
  });

  test('warm-up starts, lists and ends a plan', async () => {
    assert.deepEqual(await run('warm-up.ts', ['News.Example', '500']), {
      code: 0,
      output: 'news.example sends at most 500 messages today, and 1.5 times as many on each following day.\n',
    });
    assert.equal((await run('warm-up.ts', [])).output, 'news.example: 0 of 500 messages today\n');
    // The slowest growth rate with the largest limit.
    await run('warm-up.ts', ['news.example', '1', '1.01', '999999999']);
    await sql`update warm_up_plans set first_day = first_day - 3000`.execute(app.owner);
    assert.equal((await run('warm-up.ts', [])).output, 'news.example: the plan is over\n');
    assert.equal(
      (await run('warm-up.ts', ['news.example', 'off'])).output,
      'news.example has no limit a day.\n',
    );
  });

  test('invite creates a sign-up invitation (OPS-1)', async () => {
    const invited = await run('invite.ts', ['Ada+new@People.example']);
    assert.equal(invited.code, 0, invited.output);
    assert.match(
      invited.output,
      /https:\/\/reachout\.example\/sign-up\?email=ada%2Bnew%40people\.example\n$/,
    );
    const rows = await listRows(app.owner, 'one_time_tokens', ['email', 'purpose'], {});
    assert.deepEqual(rows, [{ email: 'ada+new@people.example', purpose: 'sign_up_invitation' }]);
    const closed = await run('invite.ts', ['bob@people.example'], { SIGN_UP: 'closed' });
    assert.deepEqual([closed.code, closed.output.includes('SIGN_UP=invited')], [1, true]);
  });

  test('wrong arguments and missing installations are reported', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reachout-operator-'));
    const id = crypto.randomUUID();
    const noInstallation =
      /^There is no installation in .*data; set DATA_DIR or DATABASE_URL as the server has it\.\n$/;
    const cases: [script: string, args: string[], output: RegExp][] = [
      ['invite.ts', ['kaputt'], /^"kaputt" is not an email address\.\n\nUsage: /],
      ['organization-limit.ts', [id.slice(0, 8), '1'], /^ID is not that of an organization: /],
      ['organization-limit.ts', [id, '-5'], /^"-5" is neither a whole number from 0/],
      ['organization-limit.ts', [id, '5'], noInstallation],
      ['warm-up.ts', ['news.example', '500', '9'], /^"9" is not between 1\.01 and 3\.\n\nUsage: /],
    ];
    const settings = { DATABASE_URL: '', DATABASE_APP_URL: '', DATABASE_AUTH_URL: '', SECRET_KEY: '' };
    const DATA_DIR = join(folder, 'data');
    await Promise.all(
      cases.map(async ([script, args, output]) => {
        const refused = await run(script, args, { ...settings, DATA_DIR });
        assert.equal(refused.code, 1);
        assert.match(refused.output, output);
      }),
    );
    assert.deepEqual(await readdir(folder), []);
    await mkdir(join(DATA_DIR, 'postgres'), { recursive: true });
    await writeFile(join(DATA_DIR, 'postgres', 'PG_VERSION'), '18\n');
    const withoutKey = await run('invite.ts', ['ada@people.example'], { ...settings, DATA_DIR });
    assert.match(
      withoutKey.output,
      /^There is no secret key in .*data; set SECRET_KEY as the server has it\.\n$/,
    );
    assert.deepEqual(await readdir(DATA_DIR), ['postgres']);
    await rm(folder, { recursive: true });
  });

  test('no command migrates the database', async () => {
    const withoutLogins = { DATABASE_APP_URL: '', DATABASE_AUTH_URL: '' };
    const newest = sql<{ path: string }>`
      delete from migrations.files where path = (select max(path) from migrations.files) returning path`;
    const path = (await newest.execute(app.owner)).rows[0]!.path;
    const refused = await run('invite.ts', ['cleo@people.example'], withoutLogins);
    assert.deepEqual(refused, {
      code: 1,
      output: `The database lacks ${path}. Let a server of this version migrate it first.\n`,
    });
  });
});
