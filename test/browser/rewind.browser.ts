import { expect, test } from 'vitest';
import { buy, initiate } from '../support/requests.ts';
import { calls, clock, detail, notice, openAll, openInspector, rows } from './support/inspector.ts';
import { clientOver, DEMO_KEY, send, serve } from './support/sandbox.ts';

test('a call is rewound after a question that says what goes', async () => {
  const server = await serve();
  const client = clientOver(server);
  const merchant = server.sandbox.merchant(DEMO_KEY);
  await send(server, 'listMotorPolicies');
  const token = await initiate(client, 'motor');
  const page = await openInspector(server);
  merchant.clock.advance('PT5M');
  const { body } = await client.call('verifyMotorPolicy', { token });
  const number = body.data.policy_number;
  await rows(page, 'initiateMotorPolicy').click();

  const rewind = detail(page).getByRole('button', { name: 'Rewind to before this call…' });
  await rewind.click();
  const question = page.getByRole('dialog', { name: /^Rewind Demo Merchant to before req-1-2/ });
  await question.getByText('This call and the one after it go').waitFor();
  await question.getByText(`motor policy ${number} is removed`).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(merchant.journal.list(), 'nothing is rewound without confirmation').toHaveLength(3);

  await rewind.click();
  await question.getByRole('button', { name: 'Rewind', exact: true }).click();
  await notice(page, /^Rewound/).waitFor();
  await calls(page).getByText('World rewound').waitFor();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(
    await calls(page)
      .getByText(/^Clock moved/)
      .count(),
    'undone too',
  ).toBe(0);
  await clock(page).getByText('31 Jan 2026 10:00:00 UTC').waitFor();
  expect(merchant.journal.list()).toHaveLength(1);
  expect(merchant.purchases()).toEqual([]);
});

test('a refused call is sent again, mended, as if it had never been made', async () => {
  const server = await serve();
  await send(server, 'getMotorQuote', { vehicle_value: 'much' });
  const page = await openAll(server);
  await rows(page).first().click();
  await detail(page).getByRole('button', { name: 'Rewind and send again…' }).click();
  await page
    .getByRole('dialog', { name: /^Rewind/ })
    .getByRole('button', { name: 'Rewind and send again…' })
    .click();
  const form = page.getByRole('dialog', { name: 'Edit and send' });
  const text = form.getByLabel('Body');
  await text.fill((await text.inputValue()).replace('"much"', '5000000'));
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await detail(page).getByRole('heading', { name: '200 getMotorQuote' }).waitFor();
  const entries = server.sandbox.merchant(DEMO_KEY).journal.list();
  expect(entries.map(({ id, status }) => [id, status])).toEqual([['req-1-2', 200]]);
  await form.waitFor({ state: 'detached' });
  await detail(page).getByText('req-1-2').first().waitFor();
});

test('the question before a rewind says that a fault which was used up acts again', async () => {
  const server = await serve();
  const client = clientOver(server);
  client.merchant.faults.add({ stage: 'after', effect: { kind: 'respond', status: 503 } });
  await send(server, 'getMotorQuote');
  const page = await openInspector(server);
  await rows(page, 'getMotorQuote').click();
  await detail(page).getByRole('button', { name: 'Rewind and send again…' }).click();
  await page.getByRole('dialog').getByText('fault-1 acts again').waitFor();
});

test('a call that the World no longer remembers is not rewound, and the page says why', async () => {
  const server = await serve();
  const merchant = server.sandbox.merchant(DEMO_KEY);
  await send(server, 'listMotorPolicies');
  const page = await openInspector(server, '', { allowed: /409/ });
  const { world, ...snapshot } = merchant.snapshot();
  const { history: _, ...rest } = world;
  merchant.faults.add({ stage: 'after', effect: { kind: 'drop' } });
  merchant.restore({
    ...snapshot,
    world: { ...rest, values: { ...(rest.values as object), steps: 1 } },
  });
  await rows(page, 'listMotorPolicies').click();
  await detail(page).getByRole('button', { name: 'Rewind to before this call…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rewind', exact: true }).click();
  await notice(page, /cannot go back to before "req-1-1"/).waitFor();
});

test('a call whose response was lost opens the policy that it made', async () => {
  const server = await serve();
  const client = clientOver(server);
  const token = await initiate(client, 'motor');
  const headers = { 'sandbox-fault': 'after; drop' };
  await send(server, 'verifyMotorPolicy', { token }, { headers }).catch(() => {});
  const [policy] = client.merchant.records({ family: 'motor' }).data;
  await buy(client, 'group_life');
  const page = await openInspector(server);
  await rows(page, 'lost').click();
  const changed = detail(page).getByRole('region', { name: 'What it changed' });
  await changed.getByText(`+ motor policy ${policy?.policy_number}`).waitFor();
  await changed.getByRole('button', { name: `Open the policy ${policy?.policy_number}` }).click();
  await page.getByRole('heading', { name: policy?.policy_number as string }).waitFor();
});
