export interface Size {
  width: number;
  height: number;
}

/** A part of an image, in its pixels. */
export interface Area extends Size {
  x: number;
  y: number;
}

/** A part of an image, in percent of it. */
export interface Crop extends Area {
  unit: '%';
}

/** The width of an image in an email: the content of most emails is as wide. */
export const maxShownWidth = 600;
/** Screens with many pixels show twice as many in the same space. */
export const maxImageWidth = 2 * maxShownWidth;

export const wholeImage: Crop = { unit: '%', x: 0, y: 0, width: 100, height: 100 };

/** The largest part of this ratio of width to height, from the middle of the image. */
export function cropTo(ratio: number, image: Size): Crop {
  const share = (ratio * image.height) / image.width;
  const width = 100 * Math.min(1, share);
  const height = 100 * Math.min(1, 1 / share);
  return { unit: '%', x: (100 - width) / 2, y: (100 - height) / 2, width, height };
}

/** Whole pixels, at least one. */
export function areaOf(crop: Crop, image: Size): Area {
  const x = Math.min(toPixels(crop.x, image.width), image.width - 1);
  const y = Math.min(toPixels(crop.y, image.height), image.height - 1);
  return {
    x,
    y,
    width: between(1, toPixels(crop.width, image.width), image.width - x),
    height: between(1, toPixels(crop.height, image.height), image.height - y),
  };
}

/** The size in which a part of an image is drawn: never larger than it is. */
export function drawnSize(area: Size, wantedWidth: number): Size {
  const width = between(1, Math.round(wantedWidth), Math.min(area.width, maxImageWidth));
  return { width, height: Math.max(1, Math.round((area.height * width) / area.width)) };
}

const toPixels = (percent: number, length: number): number => Math.round((percent * length) / 100);

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(value, most));
