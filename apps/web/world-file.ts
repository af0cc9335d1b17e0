import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { iso31661 } from 'iso-3166';
import { quantize } from 'topojson-client';
import { presimplify, quantile, simplify } from 'topojson-simplify';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

/** Where the app asks for it (`load-world.ts`). */
const fileName = 'geojson-file.json';

/** Share of the points of the outlines that is kept: more would not be seen at the width of a page. */
const keptPoints = 0.25;

/** Steps of the coordinates in either direction. */
const steps = 10_000;

/** Outlines without a number, by name: with the country that ISO 3166-1 counts them to, or the code that is in use. */
const codesByName: Readonly<Record<string, string>> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' };

/** Nobody is counted there, and it would take a fifth of the map. */
const leftOut = 'AQ';

/**
 * Serves the outlines of countries as `/geojson-file.json`. They are Natural Earth's at 1:50 million, which are in the public
 * domain; the package `world-atlas` has them as TopoJSON (ISC).
 */
export function worldFile(): Plugin {
  return {
    name: 'world-file',
    configureServer: ({ middlewares }) => {
      middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(buildWorld()));
      });
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: JSON.stringify(buildWorld()) });
    },
  };
}

/** @returns the object `countries`, whose geometries have an ISO 3166-1 alpha-2 code as id and no properties */
export function buildWorld(): Topology {
  const path = fileURLToPath(import.meta.resolve('world-atlas/countries-50m.json'));
  const atlas = JSON.parse(readFileSync(path, 'utf8')) as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const codes = new Map(iso31661.map(({ numeric, alpha2 }) => [numeric, alpha2]));
  const weighted = presimplify({ ...atlas, objects: { countries: atlas.objects.countries } });
  const small = quantize(simplify(weighted, quantile(weighted, keptPoints)), steps);
  const geometries = small.objects.countries.geometries.flatMap(({ properties = {}, id, ...geometry }) => {
    const code = codes.get(String(id)) ?? ('name' in properties ? codesByName[properties.name] : undefined);
    return code === undefined || code === leftOut ? [] : [{ ...geometry, id: code }];
  });
  return { ...small, objects: { countries: { type: 'GeometryCollection', geometries } } };
}
