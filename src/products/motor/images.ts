import type { z } from '@hono/zod-openapi';
import type { FieldMeta } from '../../api/request-fields.ts';
import { imageMeta } from '../../api/request-forms.ts';
import { EXAMPLE_IMAGES } from './examples.ts';

/** What the images show, by field, in the order of the specification's table. */
const IMAGES = {
  speedometer_img: 'the speedometer',
  engine_img: 'the engine',
  interior_img: 'the interior',
  front_view_img: 'the front',
  rear_view_img: 'the rear',
  left_side_view_img: 'the left side',
  right_side_view_img: 'the right side',
  vehicle_license_img: 'the vehicle licence',
  proof_of_ownership_img: 'the proof of ownership',
} as const;

type ImageField = keyof typeof IMAGES;

export const IMAGE_FIELDS = Object.keys(IMAGES) as readonly ImageField[];

/** The image fields, all of one kind. */
export function imageFields<S extends z.ZodType>(
  field: (meta: FieldMeta) => S,
): Record<ImageField, S> {
  const fields = Object.entries(IMAGES).map(([name, shown]) => [
    name,
    field({
      ...imageMeta(shown),
      examples: [EXAMPLE_IMAGES[name as ImageField]],
      'x-assumptions': ['motor-images'],
    }),
  ]);
  return Object.fromEntries(fields);
}
