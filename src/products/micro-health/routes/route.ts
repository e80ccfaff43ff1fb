import { merchantRoutes } from '../../../http/endpoint.ts';
import type { MicroHealthWorld } from '../state.ts';

export const TAG = 'Micro-health';
export const microHealthRoute = merchantRoutes<MicroHealthWorld>();
