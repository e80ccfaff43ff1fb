import type { Clients } from '../support/client.ts';
import { groupLifeJourneys } from './group-life.ts';
import { microHealthJourneys } from './micro-health.ts';
import { motorJourneys } from './motor.ts';
import { tokenJourneys } from './tokens.ts';

/** The journeys of all families, as tests of whatever sandbox these clients call. */
export function journeys(clients: Clients): void {
  groupLifeJourneys(clients);
  microHealthJourneys(clients);
  motorJourneys(clients);
  tokenJourneys(clients);
}
