import { operationsOver } from '../../../http/operation.ts';
import type { MicroHealthWorld } from '../state.ts';

export const TAG = 'Micro-health';
export const operation = operationsOver<MicroHealthWorld>();
