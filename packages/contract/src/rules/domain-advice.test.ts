import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDomainAdvice } from './domain-advice-text.ts';
import { adviceOf, maxAdviceParamLength } from './domain-advice.ts';

test('advice names what was found, in both languages', () => {
  const advice = adviceOf('wrong_target', {
    name: 'click.example.com',
    found: 'shop.example.net',
    target: 'links.reachout.example',
  });
  assert.equal(
    describeDomainAdvice(advice, 'en'),
    'click.example.com points to shop.example.net. Change it to links.reachout.example.',
  );
  assert.equal(
    describeDomainAdvice(advice, 'de'),
    'click.example.com zeigt auf shop.example.net. Ändern Sie das in links.reachout.example.',
  );
});

test('params of advice are cut and storable in PostgreSQL', () => {
  const { params } = adviceOf('domain_unknown', { domain: `nul \0 half \ud83d ${'x'.repeat(5_000)}` });
  const domain = String(params['domain']);
  assert.ok(domain.isWellFormed() && !domain.includes('\0') && domain.endsWith('…'));
  assert.ok(domain.length <= maxAdviceParamLength);
});
