import { createClient, createDemoClient } from '../support/client.ts';
import { journeys } from './index.ts';

journeys({ createClient, createDemoClient });
