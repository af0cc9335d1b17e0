import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findPackageProblems, readPackageList } from './check-packages.ts';
import { root } from './run-command.ts';

test('DEP-1: packages have hashes, known licenses and reviewed scripts', () => {
  assert.equal(findPackageProblems(readPackageList(root)).join('\n'), '');
});

test('missing hashes, new scripts and licenses are named', () => {
  const fine = { integrity: 'sha512-x', license: 'MIT' };
  const problemsOf = (entry: object) =>
    findPackageProblems({
      locked: { 'node_modules/laces': fine, 'node_modules/laces/node_modules/@shop/shoes': entry },
      allowScripts: { laces: false },
    });
  const cases: [object, RegExp | undefined][] = [
    [fine, undefined],
    [{ ...fine, license: '(GPL-3.0-only OR MIT)' }, undefined],
    [{ link: true }, undefined],
    [{ license: 'MIT' }, /^@shop\/shoes has no hash/],
    [{ ...fine, hasInstallScript: true }, /^@shop\/shoes has an install script/],
    [{ ...fine, license: 'GPL-3.0-only' }, /^@shop\/shoes has the license GPL-3\.0-only/],
    [{ ...fine, license: 'MIT AND GPL-3.0-only' }, /license MIT AND GPL/],
    [{ integrity: 'sha512-x' }, /license \(none\)/],
  ];
  for (const [entry, expected] of cases) {
    const problems = problemsOf(entry);
    if (expected === undefined) assert.deepEqual(problems, []);
    else assert.match(problems.join('\n'), expected);
  }
  assert.match(findPackageProblems({ locked: {}, allowScripts: { laces: true } }).join(), /not installed/);
});

test('DEP-1: npm runs no unreviewed install script', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reachout-packages-'));
  try {
    await mkdir(join(folder, 'laces'));
    const scripts = { postinstall: "node -e \"fs.writeFileSync('ran', '')\"" };
    await writeFile(
      join(folder, 'laces', 'package.json'),
      JSON.stringify({ name: 'laces', version: '1.0.0', scripts }),
    );
    // Approved even by the list that newer versions of npm use.
    const allowed = { laces: true, 'file:./laces': true };
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ dependencies: { laces: 'file:./laces' }, allowScripts: allowed }),
    );
    await copyFile(join(root, '.npmrc'), join(folder, '.npmrc'));
    await promisify(execFile)('npm', ['install', '--offline'], { cwd: folder });
    assert.ok(existsSync(join(folder, 'node_modules', 'laces', 'package.json')));
    assert.ok(!existsSync(join(folder, 'laces', 'ran')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
