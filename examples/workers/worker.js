export { default, MerchantsObject, WorldObject } from 'micro-insurance-sandbox/workers';
