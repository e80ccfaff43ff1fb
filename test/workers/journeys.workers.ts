import { journeys } from '../journeys/index.ts';
import { clientsOf } from './support/clients.ts';
import { sharedEngine } from './support/engine.ts';

journeys(clientsOf(await sharedEngine()));
