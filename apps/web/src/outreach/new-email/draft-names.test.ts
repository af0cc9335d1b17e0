import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseCampaign, nameBySubject } from './draft-names.ts';

const campaign = (id: string, brand_id: string, name: string, status: 'draft' | 'archived' = 'draft') => ({
  id,
  brand_id,
  name,
  status,
});

test('two brands have campaigns of different names', () => {
  const names = ['November', 'November · Solara'] as const;
  assert.deepEqual(chooseCampaign([], 'solara', names), { name: 'November' });
  const ofOther = campaign('1', 'nordwind', 'November');
  assert.deepEqual(chooseCampaign([ofOther], 'nordwind', names), { id: '1' });
  assert.deepEqual(chooseCampaign([ofOther], 'solara', names), { name: 'November · Solara' });
  const own = campaign('2', 'solara', 'November · Solara');
  assert.deepEqual(chooseCampaign([ofOther, own], 'solara', names), { id: '2' });
  const archived = campaign('3', 'solara', 'November', 'archived');
  assert.deepEqual(chooseCampaign([archived], 'solara', names), { name: 'November' });
});

test('an email is named by its subject until someone names it', () => {
  const defaults = ['Email, November 26'];
  const named = (name: string, before: string, subject: string) =>
    nameBySubject(name, { defaults, before, subject });
  assert.equal(named('Email, November 26', '', 'Wi'), 'Wi');
  assert.equal(named('Wi', 'Wi', 'Winter {{ contact.first_name }}'), 'Winter');
  assert.equal(named('Winter', 'Winter', 'Winter'), undefined);
  assert.equal(named('My name', 'Winter', 'Spring'), undefined);
  assert.equal(named('Email, November 26', '', '{{ contact.first_name }}'), undefined);
  assert.equal(named('Email, November 26', '', '{{ contact.first_name }}, hello'), 'hello');
  assert.equal(named('Email, November 26', '', 'Spring is here, {{ contact.first_name }}'), 'Spring is here');
  assert.equal(named('Email, November 26', '', 'Hello {{ contact.first_name }}, ready?'), 'Hello, ready?');
  assert.equal(named('Email, November 26', '', 'x'.repeat(300))?.length, 120);
});
