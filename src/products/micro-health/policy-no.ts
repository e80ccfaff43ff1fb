import * as z from 'zod/mini';
import { describe, type Meta } from '../../core/schema.ts';

/** What the document says of a policy number. */
export const POLICY_NO: Meta = {
  description: 'The policy number, 10 digits.',
  examples: ['4017395826'],
  'x-assumptions': ['policy-no'],
};

/** A policy number, in an answer or in a path. */
export const policyNo = () => describe(z.string(), POLICY_NO);
