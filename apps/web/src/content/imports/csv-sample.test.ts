import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsvSample, suggestMapping } from './csv-sample.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('a comma file in UTF-8', () => {
  const sample = readCsvSample(utf8('email,name\na@example.org,Änne\n'), true);
  assert.deepEqual(sample, {
    encoding: 'utf-8',
    separator: ',',
    header: ['email', 'name'],
    rows: [['a@example.org', 'Änne']],
    more: [['a@example.org', 'Änne']],
  });
});

test('a German spreadsheet: semicolons, Windows-1252, a byte order mark elsewhere', () => {
  const bytes = Uint8Array.from(
    Array.from('Straße;Vorname\r\nx;J', (character) => character.charCodeAt(0)).concat(0xfc, 0x0d, 0x0a),
  );
  const sample = readCsvSample(bytes, true);
  assert.equal(sample.encoding, 'windows-1252');
  assert.equal(sample.separator, ';');
  assert.deepEqual(sample.header, ['Straße', 'Vorname']);
  assert.deepEqual(sample.rows, [['x', 'Jü']]);
});

test('a byte order mark is no part of the first heading', () => {
  assert.deepEqual(readCsvSample(utf8('\uFEFFemail;x\n'), true).header, ['email', 'x']);
});

test('a sample that ends inside a character or a line is still read', () => {
  const bytes = utf8('email,city\na@b.de,Köln\nb@b.de,Mü').slice(0, -1);
  const sample = readCsvSample(bytes, false);
  assert.equal(sample.encoding, 'utf-8');
  assert.deepEqual(sample.rows, [['a@b.de', 'Köln']]);
});

test('quotes hold separators, line ends and quotes', () => {
  assert.deepEqual(readCsvSample(utf8('x;y\na;"b;\n""c"""\n'), true).rows, [['a', 'b;\n"c"']]);
});

test('a quote that is never closed ends the sample, as it ends the import', () => {
  assert.deepEqual(readCsvSample(utf8('x,y\na,b\n"c,d\ne,f\n'), true).rows, [['a', 'b']]);
});

test('a comma inside a quoted heading does not make it a comma file', () => {
  assert.equal(readCsvSample(utf8('"Name, first";mail\nx;y\n'), true).separator, ';');
});

test('columns find their fields in both languages, each field once', () => {
  assert.deepEqual(
    suggestMapping(
      ['E-Mail-Adresse', 'Vorname', 'Nachname', 'Mail', 'Punkte'],
      ['email', 'first_name', 'last_name'],
    ),
    { 'E-Mail-Adresse': 'email', Vorname: 'first_name', Nachname: 'last_name' },
  );
});
