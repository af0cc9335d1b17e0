import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownSubject } from './shown-subject.ts';

test('a subject is never shown as source', () => {
  const source = '{{ contact.first_name }}, das Winterbier{% if vip %}!{% endif %}';
  assert.equal(
    shownSubject(source, { to: 'ada@sink.example', subject: 'Ada, das Winterbier' }),
    'Ada, das Winterbier',
  );
  for (const rendered of [undefined, null, { to: null, subject: ', das Winterbier' }])
    assert.equal(shownSubject(source, rendered), '…, das Winterbier…!…');
});
