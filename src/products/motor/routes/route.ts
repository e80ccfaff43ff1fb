import { merchantRoutes } from '../../../api/endpoint.ts';
import type { MotorWorld } from '../records.ts';

export const TAG = 'Comprehensive motor';
export const motorRoute = merchantRoutes<MotorWorld>();
