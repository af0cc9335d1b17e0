import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildWorld } from '../../../world-file.ts';
import { InvalidTopology, readWorld, worldWidth } from './load-world.ts';

suite('the map of the world', () => {
  const file = JSON.stringify(buildWorld());

  test('its file is below 150 kB compressed', () => {
    assert.ok(gzipSync(file).length < 150_000);
  });

  test('all but few countries have an outline within it', () => {
    const { outlines, height } = readWorld(file);
    const codes = new Set(outlines.map(({ country }) => country));
    for (const code of ['DE', 'FR', 'NO', 'GB', 'US', 'SG', 'MT', 'LI', 'XK', 'SO', 'CY', 'TW'])
      assert.ok(codes.has(code), code);
    assert.ok(codes.size > 230, String(codes.size));
    assert.ok(!codes.has('AQ'));
    for (const { country, x, y } of outlines)
      assert.ok(x >= 0 && x <= worldWidth && y >= 0 && y <= height, country);
  });

  test('a file of another shape is refused', () => {
    const world = JSON.parse(file) as { arcs: unknown[]; objects: object };
    const broken = [
      '',
      file.slice(0, 5_000),
      '<!doctype html>',
      'null',
      '[]',
      '{}',
      JSON.stringify({ ...world, arcs: [] }),
      JSON.stringify({ ...world, arcs: world.arcs.map(() => [['a', 'b']]) }),
      JSON.stringify({ ...world, objects: { land: {} } }),
      JSON.stringify({ ...world, objects: { countries: { type: 'GeometryCollection', geometries: [] } } }),
      JSON.stringify({ type: 'FeatureCollection', features: [] }),
    ];
    for (const text of broken) assert.throws(() => readWorld(text), InvalidTopology, text.slice(0, 80));
  });
});
