import { z } from '@hono/zod-openapi';
import { profileOption } from '../../world/settings.ts';

const IMAGES = ['url', 'any'] as const;

/** What a profile can set of motor. */
export const PROFILE_OPTIONS = {
  'motor-images': profileOption(
    IMAGES,
    () => z.enum(IMAGES),
    ({ images }) => images,
    (settings, images) => ({ ...settings, images }),
  ),
};
