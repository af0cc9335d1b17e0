import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantOf, readZonedText, wallTimeOf, zonedTextOf } from './zoned-time.ts';

test('local times become instants, also at clock changes', () => {
  for (const [wall, expected] of [
    ['2026-03-29T00:00', '2026-03-29T00:00:00+01:00[Europe/Berlin]'],
    ['2026-03-29T02:30', '2026-03-29T03:30:00+02:00[Europe/Berlin]'],
    ['2026-10-25T02:30', '2026-10-25T02:30:00+02:00[Europe/Berlin]'],
    ['2026-10-25', '2026-10-25T00:00:00+02:00[Europe/Berlin]'],
    ['2026-03-08T02:15', '2026-03-08T03:15:00-04:00[America/New_York]'],
    ['2026-11-01T01:30', '2026-11-01T01:30:00-04:00[America/New_York]'],
    ['2026-04-05T01:45', '2026-04-05T01:45:00+11:00[Australia/Lord_Howe]'],
    ['2026-10-04T02:10', '2026-10-04T02:40:00+11:00[Australia/Lord_Howe]'],
    ['2026-09-06T00:00', '2026-09-06T01:00:00-03:00[America/Santiago]'],
    ['2026-06-01T12:00:30', '2026-06-01T12:00:30+05:30[Asia/Kolkata]'],
    ['1969-12-31T23:59', '1969-12-31T23:59:00+05:30[Asia/Kathmandu]'],
    ['2026-07-01T08:00', '2026-07-01T08:00:00+00:00[UTC]'],
  ] as const) {
    const [, text = '', zone = ''] = /^(.*)\[(.*)\]$/.exec(expected) ?? [];
    assert.equal(zonedTextOf(wall, zone), expected);
    assert.equal(instantOf(wall, zone)?.getTime(), Date.parse(text), expected);
    const shown = text.slice(0, text.includes(':30+05') ? 19 : 16);
    assert.deepEqual(readZonedText(expected), { wallTime: shown, timeZone: zone });
  }
});

test('times without zone are shown unchanged', () => {
  for (const [text, wallTime] of [
    ['2026-03-29T00:00', '2026-03-29T00:00'],
    ['2026-03-29', '2026-03-29T00:00'],
    ['2026-03-29 10:00:30', '2026-03-29T10:00:30'],
    ['2026-03-28T23:00:00.000Z', '2026-03-28T23:00'],
    ['2026-03-29T00:00:00.250+01:00', '2026-03-28T23:00:00.250'],
  ] as const)
    assert.deepEqual(readZonedText(text), { wallTime, timeZone: 'UTC' }, text);
  for (const text of ['$NOW(-7 days)', '', 'tomorrow', '2026-13-41T00:00Z'])
    assert.equal(readZonedText(text), undefined, text);
  assert.equal(wallTimeOf('2026-10-25T01:30:00Z', 'Europe/Berlin'), '2026-10-25T02:30', 'the second one');
});
