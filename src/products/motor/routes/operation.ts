import { operationsOver } from '../../../http/operation.ts';
import type { MotorWorld } from '../state.ts';

export const TAG = 'Comprehensive motor';
export const operation = operationsOver<MotorWorld>();
