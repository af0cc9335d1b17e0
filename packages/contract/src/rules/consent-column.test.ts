import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countConsents,
  guessConsentMeaning,
  noConsents,
  readConsentAnswer,
  readOptOut,
  type ConsentTally,
} from './consent-column.ts';

const tallyOf = (cells: readonly string[]): ConsentTally => {
  const tally = { ...noConsents };
  for (const cell of cells) tally[cell.trim() === '' ? 'empty' : (readConsentAnswer(cell) ?? 'unclear')] += 1;
  return tally;
};

test('a cell says yes or no in the words of its column', () => {
  const cells: [cell: string, optIn: boolean | undefined, optOut: boolean | undefined][] = [
    ['yes', false, true],
    [' Ja ', false, true],
    ['x', false, true],
    ['1', false, true],
    ['nein', true, false],
    ['FALSE', true, false],
    ['0', true, false],
    ['subscribed', false, false],
    ['Opt-In', false, false],
    ['double_opt_in', false, false],
    ['unsubscribed', true, true],
    ['OPT OUT', true, true],
    ['abgemeldet', true, true],
    ['vielleicht', undefined, undefined],
    ['', undefined, undefined],
    ['ja'.repeat(50), undefined, undefined],
    ['Cleaned', true, true],
    ['bounced', true, true],
    ['complained', true, true],
    ['pending', true, true],
    ['nicht best\u00e4tigt', true, true],
    ['nicht besta\u0308tigt', true, true],
    ['\ufeffAbgemeldet\u200b', true, true],
    ['\u201eabgemeldet\u201c', true, true],
    ['opt\u2011out', true, true],
    ['ｕｎｓｕｂｓｃｒｉｂｅｄ', true, true],
    [' Nein. ', true, false],
    ['2024-05-01', undefined, true],
    ['2024-05-01T08:00:00Z', undefined, true],
    ['1.5.2024 08:00', undefined, true],
    ['5/1/24', undefined, true],
    ['0.0', true, false],
    ['-1', undefined, undefined],
    ['2', undefined, undefined],
    ['NULL', undefined, undefined],
    ['not subscribed yet', undefined, undefined],
    // A consent, or an objection.
    ['confirmed', false, true],
    ['best\u00e4tigt', false, true],
    ['erteilt', false, true],
    ['accepted', false, true],
    ['abgemeldet&nbsp;', undefined, undefined],
  ];
  for (const [cell, optIn, optOut] of cells)
    assert.deepEqual(
      [readOptOut(cell, 'subscribed'), readOptOut(cell, 'unsubscribed')],
      [optIn, optOut],
      JSON.stringify(cell),
    );
});

test('a column of consents is known by heading and cells', () => {
  const cases: [heading: string, cells: string[], expected: 'subscribed' | 'unsubscribed' | undefined][] = [
    ['newsletter', ['ja', 'nein', ''], 'subscribed'],
    ['newsletter_anmeldung', ['x', ''], 'subscribed'],
    ['opt_in', ['1', '0'], 'subscribed'],
    ['subscribed', ['true', 'false'], 'subscribed'],
    ['abonniert', ['ja'], 'subscribed'],
    ['einwilligung_werbung', ['ja', 'nein', 'unklar'], 'subscribed'],
    ['marketing_consent', ['yes', 'no'], 'subscribed'],
    ['email_permission', ['Y', 'N'], 'subscribed'],
    ['unsubscribed', ['no', 'yes'], 'unsubscribed'],
    ['opt_out', ['0', '1'], 'unsubscribed'],
    ['abgemeldet', ['nein'], 'unsubscribed'],
    ['keine_werbung', ['x', ''], 'unsubscribed'],
    // What would be consents is negated, or part of a longer word.
    ['newsletterabmeldung', ['ja', 'nein'], 'unsubscribed'],
    ['newsletter_abbestellung', ['ja', 'nein'], 'unsubscribed'],
    ['newsletter_sperre', ['x', ''], 'unsubscribed'],
    ['einwilligungswiderruf', ['ja', 'nein'], 'unsubscribed'],
    ['werbewiderspruch', ['ja', 'nein'], 'unsubscribed'],
    ['werbung_untersagt', ['1', '0'], 'unsubscribed'],
    ['keine_einwilligung', ['x', ''], 'unsubscribed'],
    ['no_consent', ['yes', 'no'], 'unsubscribed'],
    ['do_not_send_newsletter', ['yes', 'no'], 'unsubscribed'],
    ['marketing_blocked', ['true', 'false'], 'unsubscribed'],
    ['subscription_cancelled', ['true', 'false'], 'unsubscribed'],
    ['newsletter_ausgetragen', ['x', ''], 'unsubscribed'],
    ['newsletter_unsub', ['1', '0'], 'unsubscribed'],
    ['marketing_disabled', ['true', 'false'], 'unsubscribed'],
    ['newsletter_nein', ['x', ''], 'unsubscribed'],
    ['subscription_inactive', ['yes', 'no'], 'unsubscribed'],
    ['werbewiderspruch', ['best\u00e4tigt', 'erteilt'], 'unsubscribed'],
    ['opt_out', ['confirmed', 'accepted'], 'unsubscribed'],
    // A number, and a negation of something else.
    ['newsletter_no', ['1', '0'], 'subscribed'],
    ['nicht_erreichbar', ['ja', 'nein'], undefined],
    // Known by its cells alone.
    ['status', ['subscribed', 'unsubscribed', 'subscribed'], 'subscribed'],
    ['status', ['subscribed', 'subscribed', 'cleaned'], 'subscribed'],
    // States of orders are in the same words.
    ['status', ['pending', 'expired', 'pending'], undefined],
    ['newsletter', ['Spring', 'Summer'], undefined],
    ['opt_in_date', ['2026-01-01', '2026-02-01'], undefined],
    ['vip', ['yes', 'no'], undefined],
    ['newsletter', ['', ''], undefined],
  ];
  for (const [heading, cells, expected] of cases)
    assert.equal(guessConsentMeaning(heading, tallyOf(cells)), expected, `${heading}: ${cells.join()}`);
});

test('an empty cell is no consent, and no opt-out', () => {
  const tally = tallyOf(['ja', 'nein', '', 'vielleicht', 'unsubscribed']);
  assert.deepEqual(countConsents(tally, 'subscribed'), { optedOut: 2, unclear: 2 });
  assert.deepEqual(countConsents(tally, 'unsubscribed'), { optedOut: 2, unclear: 1 });
});
