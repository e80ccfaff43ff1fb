import { operationsOver } from '../../../http/operation.ts';
import type { GroupLifeWorld } from '../state.ts';

export const TAG = 'Group life';
export const operation = operationsOver<GroupLifeWorld>();
