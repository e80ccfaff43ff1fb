import { merchantRoutes } from '../../../http/endpoint.ts';
import type { MotorWorld } from '../state.ts';

export const TAG = 'Comprehensive motor';
export const motorRoute = merchantRoutes<MotorWorld>();
