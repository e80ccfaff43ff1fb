import { merchantRoutes } from '../../../api/endpoint.ts';
import type { GroupLifeWorld } from '../records.ts';

export const TAG = 'Group life';
export const groupLifeRoute = merchantRoutes<GroupLifeWorld>();
