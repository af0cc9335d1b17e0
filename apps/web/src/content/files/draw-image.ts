import { Problem } from '#web/platform/problem.ts';
import type { Area, Size } from './image-area.ts';

const jpegQuality = 0.85;

/**
 * Draws a part of an image in another size.
 * @param source  its name and type; what was a PNG or has transparent parts stays without loss
 * @throws Problem `invalid_image`
 */
export async function drawImage(
  image: HTMLImageElement,
  area: Area,
  { width, height }: Size,
  source: { name: string; type: string },
): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) throw invalidImage();
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, width, height);
  const isPng = source.type === 'image/png' || (source.type !== 'image/jpeg' && isTransparent(context));
  const type = isPng ? 'image/png' : 'image/jpeg';
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, jpegQuality));
  if (bytes === null) throw invalidImage();
  const name = source.name.replace(/\.[a-z0-9]{1,5}$/i, '');
  return new File([bytes], `${name} ${width}×${height}.${isPng ? 'png' : 'jpg'}`, { type });
}

export const invalidImage = () => new Problem({ status: 422, code: 'invalid_image', title: 'Invalid image' });

/** Whether any pixel is not opaque. */
function isTransparent(context: CanvasRenderingContext2D): boolean {
  const { width, height } = context.canvas;
  const { data } = context.getImageData(0, 0, width, height);
  for (let index = 3; index < data.length; index += 4) if (data[index] !== 255) return true;
  return false;
}
