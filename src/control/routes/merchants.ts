import {
  findTenant,
  listTenants,
  mint,
  removeTenant,
  resetAll,
  rotateKey,
  showMerchant,
  type Tenant,
} from '../merchants.ts';
import { type ControlCall, type ControlRoute, controlRoute } from '../route.ts';
import { MerchantState, NewMerchant } from '../schemas/merchants.ts';

const named = ({ tenants, id }: ControlCall): Tenant => findTenant(tenants, id);

/** The merchants of the sandbox, for whoever runs it. */
export const merchantRoutes: readonly ControlRoute[] = [
  controlRoute({
    operationId: 'listMerchants',
    summary: 'List the merchants of the sandbox',
    method: 'get',
    path: '/merchants',
    over: 'sandbox',
    status: 200,
    answer: MerchantState,
    list: true,
    refusals: [],
    handle: ({ tenants }) => listTenants(tenants).map(showMerchant),
  }),
  controlRoute({
    operationId: 'createMerchant',
    summary: 'Mint a merchant with a World of its own',
    method: 'post',
    path: '/merchants',
    over: 'sandbox',
    request: { in: 'body', schema: NewMerchant, optional: true },
    status: 201,
    answer: MerchantState,
    refusals: [422],
    handle: ({ tenants }, wanted) => showMerchant(mint(tenants, wanted)),
  }),
  controlRoute({
    operationId: 'removeMerchant',
    summary: 'Remove a merchant and its World',
    method: 'delete',
    path: '/merchants/:id',
    over: 'sandbox',
    status: 204,
    refusals: [404],
    handle: (call) => removeTenant(call.tenants, named(call)),
  }),
  controlRoute({
    operationId: 'rotateKey',
    summary: 'Give a merchant a new key and block the old one',
    description: 'The old key is blocked at once; the World stays as it is.',
    method: 'post',
    path: '/merchants/:id/rotate_key',
    over: 'sandbox',
    status: 200,
    answer: MerchantState,
    refusals: [404],
    handle: (call) => {
      rotateKey(call.tenants, named(call));
      return showMerchant(named(call));
    },
  }),
  controlRoute({
    operationId: 'resetAll',
    summary: 'Reset every World; minted merchants stay',
    method: 'post',
    path: '/reset_all',
    over: 'sandbox',
    status: 200,
    answer: MerchantState,
    list: true,
    refusals: [],
    handle: ({ tenants }) => {
      resetAll(tenants);
      return listTenants(tenants).map(showMerchant);
    },
  }),
];
