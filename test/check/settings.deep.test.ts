import { test } from 'vitest';
import { sampleOf } from '../support/depth.ts';
import { expectDecisions, SETTINGS } from './settings.ts';

test.each(sampleOf(SETTINGS, { sample: 1, ci: 10, all: SETTINGS.length }))(
  'with $id $words that assumption differs, and no other',
  async ({ id, value }) => expectDecisions({ [id]: value }),
);
