import type { Clients } from '../support/client.ts';
import { groupLifeJourneys } from './group-life.ts';
import { microHealthJourneys } from './micro-health.ts';
import { motorJourneys } from './motor.ts';
import { tokenJourneys } from './tokens.ts';

/** Defines the journeys of all families as tests of the sandbox that these clients call. */
export function journeys(clients: Clients): void {
  groupLifeJourneys(clients);
  microHealthJourneys(clients);
  motorJourneys(clients);
  tokenJourneys(clients);
}
