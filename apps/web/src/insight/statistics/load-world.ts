import { geoEqualEarth, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Of the map, in the units of its outlines. */
export const worldWidth = 960;

export interface CountryOutline {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** For the attribute `d` of an SVG path. */
  path: string;
  /** Its middle and its longer side. */
  x: number;
  y: number;
  size: number;
}

export interface World {
  height: number;
  outlines: readonly CountryOutline[];
}

/** The file was read, but has no outlines of countries. */
export class InvalidTopology extends Error {
  constructor(options?: ErrorOptions) {
    super('Invalid topology definition', options);
  }
}

/** @throws InvalidTopology, and any other error if the file cannot be read */
export async function loadWorld(): Promise<World> {
  const response = await fetch('/geojson-file.json');
  if (!response.ok) throw new Error(`The map cannot be read: ${response.status}`);
  return readWorld(await response.text());
}

/**
 * Projects outlines to an area-preserving map.
 * @param text  TopoJSON with the object `countries`, whose geometries have the codes of countries as id
 * @throws InvalidTopology
 */
export function readWorld(text: string): World {
  let world: World;
  try {
    world = project(JSON.parse(text) as Topology<{ countries: GeometryCollection }>);
  } catch (cause) {
    throw new InvalidTopology({ cause });
  }
  const isDrawn = world.outlines.length > 0 && Number.isFinite(world.height);
  if (!isDrawn || world.outlines.some(({ path }) => !/^M[\d.,MLZe-]+$/.test(path)))
    throw new InvalidTopology();
  return world;
}

function project(topology: Topology<{ countries: GeometryCollection }>): World {
  const { features, type } = feature(topology, topology.objects.countries);
  const projection = geoEqualEarth().fitWidth(worldWidth, { type, features });
  const draw = geoPath(projection).digits(1);
  const height = Math.ceil(draw.bounds({ type, features })[1][1]);
  const outlines = features.flatMap((shape) => {
    const path = draw(shape);
    // Smaller than a step of the coordinates.
    if (path === null || path === '') return [];
    const [[left, top], [right, bottom]] = draw.bounds(shape);
    const size = Math.max(right - left, bottom - top);
    return [{ country: String(shape.id), path, x: (left + right) / 2, y: (top + bottom) / 2, size }];
  });
  return { height, outlines };
}
