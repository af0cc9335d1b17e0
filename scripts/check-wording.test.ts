import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findExpressions, readAddedLines } from './check-wording.ts';

const page = 'docs/jobs.md';
const diff = `diff --git a/${page} b/${page}
--- a/${page}
+++ b/${page}
@@ -3 +4,2 @@ title
-Whoever asks has a process of its own.
+A process beneath lets go of the lease.
+It is fine.
diff --git a/apps/a.test.ts b/apps/a.test.ts
--- /dev/null
+++ b/apps/a.test.ts
@@ -0,0 +1,4 @@
+  test('mistakes are told, and what is nobody’s is none', () => {
+    // Whoever reads this: comments are not checked.
+    const text = 'as the server has it';
+  suite(\`as Directus has it\`, () => {
`;

test('added document lines and test titles are checked', () => {
  assert.deepEqual(
    findExpressions(readAddedLines(diff)).map((problem) => problem.replace(/\. Better: .*/, '')),
    [
      'docs/jobs.md:4 says “beneath”',
      'docs/jobs.md:4 says “lets go”',
      'apps/a.test.ts:1 says “nobody’s”',
      'apps/a.test.ts:1 says “are told”',
      'apps/a.test.ts:1 says “is none”',
      'apps/a.test.ts:4 says “as Directus has it”',
    ],
  );
});
