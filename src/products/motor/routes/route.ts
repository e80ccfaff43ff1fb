import { merchantRoutes } from '../../../api/endpoint.ts';
import type { MotorWorld } from '../state.ts';

export const TAG = 'Comprehensive motor';
export const motorRoute = merchantRoutes<MotorWorld>();
