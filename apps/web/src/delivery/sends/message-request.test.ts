import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { toCommand } from './message-request.ts';

/** The arguments that a shell passes to curl. */
function runInShell(command: string): string[] {
  const print = `${process.execPath} -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"`;
  const output = execFileSync('sh', ['-c', `curl() { ${print}; }\n${command}`], {
    env: { REACHOUT_API_KEY: 'secret key' },
    encoding: 'utf8',
  });
  return JSON.parse(output) as string[];
}

const request = {
  origin: 'https://mail.example',
  organizationId: 'org',
  touchpointId: 'email',
  to: "o'neil@people.example",
  fields: ['first_name', 'email'],
  idempotencyKey: 'once',
};

test('a shell passes every part of the example request', () => {
  const [url, ...rest] = runInShell(toCommand(request));
  assert.equal(url, 'https://mail.example/api/messages');
  const body = rest.pop()!;
  assert.deepEqual(rest, [
    '--header',
    'Authorization: Bearer secret key',
    '--header',
    'Content-Type: application/json',
    '--header',
    'Idempotency-Key: once',
    '--data',
  ]);
  assert.deepEqual(JSON.parse(body), {
    organization_id: 'org',
    touchpoint_id: 'email',
    to: "o'neil@people.example",
    data: { first_name: 'Example of first_name', email: "o'neil@people.example" },
  });
});

test('the example request has no field that the API rejects', () => {
  for (const fields of [['First Name', '_x', 'é'], [], null]) {
    const body = JSON.parse(runInShell(toCommand({ ...request, fields })).at(-1)!) as { data: object };
    assert.deepEqual(body.data, {});
  }
});
