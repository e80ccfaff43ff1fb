import { merchantRoutes } from '../../../api/endpoint.ts';
import type { MicroHealthWorld } from '../records.ts';

export const TAG = 'Micro-health';
export const microHealthRoute = merchantRoutes<MicroHealthWorld>();
