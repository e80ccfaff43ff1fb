import { expect, test } from 'vitest';
import { buy, exampleOf, initiate } from '../support/requests.ts';
import {
  calls,
  choose,
  detail,
  line,
  notice,
  openAll,
  openInspector,
  rows,
  story,
  tab,
} from './support/inspector.ts';
import { clipboard, openBeside } from './support/page.ts';
import { clientOver, DEMO_KEY, send, serve } from './support/sandbox.ts';

/* Calls and what can be done with them. */

test('an empty list shows with one click what a lost response does', async () => {
  const server = await serve();
  const page = await openInspector(server, '', { allowed: /net::ERR|status of 400/ });
  await page.getByRole('button', { name: 'Show me a lost response' }).click();
  await detail(page)
    .getByRole('heading', { name: /^lost verify/ })
    .waitFor();
  const [policy] = server.sandbox.merchant(DEMO_KEY).records({ family: 'micro_health' }).data;
  const told = (await story(page).textContent())?.replaceAll(/\d\d:\d\d:\d\d/g, ' ');
  expect(told).toMatch(/initiate 200.*verify lost.*verify 400.*policy/s);
  expect(told).toContain(`policy ${policy?.policy_no} exists`);
  await story(page)
    .getByRole('button', { name: /verify 400/ })
    .click();
  await detail(page).getByText('Token has already been used').first().waitFor();
  await story(page)
    .getByRole('button', { name: `policy ${policy?.policy_no}` })
    .click();
  await page.getByRole('heading', { name: String(policy?.policy_no) }).waitFor();
});

test('the other button buys a policy', async () => {
  const server = await serve();
  const page = await openInspector(server);
  await page.getByRole('button', { name: 'Buy a policy' }).click();
  await detail(page)
    .getByRole('heading', { name: /^200 verify/ })
    .waitFor();
});

test('calls arrive live, and the address opens the same call elsewhere and after going back', async () => {
  const server = await serve();
  const { id, apiKey: key } = server.sandbox.createMerchant({ name: 'Corner Shop' });
  await send(server, 'getMicroHealthQuote', {}, { key });
  const page = await openInspector(server, `?merchant=${id}`);
  await send(server, 'getMotorQuote', { vehicle_value: -1 }, { key });
  await rows(page, 'getMotorQuote').click();
  await page.getByLabel('Search the calls').fill('quote status:4xx');
  await detail(page).getByRole('heading', { name: '422 getMotorQuote' }).waitFor();
  const other = await openBeside(page, page.url());
  await detail(other).getByRole('heading', { name: '422 getMotorQuote' }).waitFor();
  expect(await rows(other).count()).toBe(1);
  await tab(page, 'Faults').click();
  await page.getByText('A rule changes the next call').waitFor();
  await page.goBack();
  await detail(page).getByRole('heading', { name: '422 getMotorQuote' }).waitFor();
});

test('a refused call shows its problems and its request without scrolling, each problem at its field', async () => {
  const server = await serve();
  await send(server, 'initiateMotorPolicy', {
    email: 'x',
    phone_number: '0803',
    ...Object.fromEntries(
      ['vehicle_make', 'vehicle_model', 'engine_no', 'chasis_no', 'start_date', 'duration'].map(
        (field) => [field, null],
      ),
    ),
  });
  const page = await openInspector(server, '', { width: 1440 });
  await rows(page).first().click();
  const problems = detail(page).getByRole('region', { name: 'Problems' });
  await problems.getByText('The phone_number field must be 11 digits.').waitFor();
  await problems.getByText('6 required fields are missing').click();
  await problems.getByText(/^start_date, .*duration|duration, .*start_date/).waitFor();
  const request = detail(page).getByRole('region', { name: 'Request', exact: true });
  expect(await line(request, 'email').textContent()).toContain('must be an e-mail address');
  const { y = 900 } = (await request.boundingBox()) ?? {};
  expect(y, 'the request is in view').toBeLessThan(500);
});

test('a problem deep in a long list is in view, and the list comes in parts', async () => {
  const server = await serve();
  const { members } = exampleOf('initiateGroupLifePolicy') as { members: object[] };
  const many = Array.from({ length: 300 }, (_, place) => ({
    ...members[0],
    ...(place === 250 && { phone_number: '0803' }),
  }));
  await send(server, 'initiateGroupLifePolicy', { members: many });
  const page = await openInspector(server);
  await rows(page).first().click();
  const request = detail(page).getByRole('region', { name: 'Request', exact: true });
  await line(request, 'phone_number').getByText('must be 11 digits').waitFor();
  const folded = request.getByText('6 members').filter({ visible: true });
  expect(await folded.count()).toBe(100);
  await request.getByRole('button', { name: 'Show more: 199 are left out' }).click();
  await expect.poll(() => folded.count()).toBe(299);
  await folded.first().click();
  await expect.poll(() => line(request, 'phone_number').filter({ visible: true }).count()).toBe(2);
  await line(request, 'members').click();
  await request.getByText('300 members').waitFor();
});

test('the search has words and terms, counts and marks what it finds, and tells an unknown term', async () => {
  const server = await serve();
  for (const vehicle_value of [-1, -2, 'much', 5_000_000]) {
    await send(server, 'getMotorQuote', { vehicle_value });
  }
  await send(server, 'listMotorPolicies');
  const page = await openInspector(server);
  const search = page.getByLabel('Search the calls');
  await search.fill('-op:list quote');
  await page.getByText('4 of 5', { exact: true }).waitFor();
  expect(await calls(page).locator('mark').first().textContent()).toBe('Quote');
  await page.getByText('3 refused', { exact: true }).click();
  const groups = page.getByRole('list', { name: 'Problems by frequency' });
  await groups.getByText('3 ×').waitFor();
  await groups.getByRole('button').first().click();
  await expect.poll(() => rows(page).count()).toBe(3);
  await search.fill('colour:red');
  await page.getByRole('alert').getByText('There is no term').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => rows(page).count()).toBe(5);
});

test('a call is edited in place, filled from the sample and sent with its hidden values', async () => {
  const server = await serve();
  await send(server, 'initiateMicroHealthSubscription', { email: 'x', surname: '' });
  const page = await openInspector(server);
  await rows(page).first().click();
  await detail(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const body = detail(page).getByLabel('Edited body');
  await body.fill('{"a": ');
  await detail(page).getByText('Line 1, column 7: this is no JSON').waitFor();
  await body.fill('{ "first_name": "Bola" }');
  await detail(page).getByRole('button', { name: 'Fill from sample' }).click();
  expect(await body.inputValue()).toContain('"first_name": "Bola"');
  await body.press('Control+Enter');
  await detail(page)
    .getByRole('heading', { name: '200 initiateMicroHealthSubscription' })
    .waitFor();
  await detail(page).getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => rows(page).count()).toBe(3);
  await detail(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const shown = await body.inputValue();
  expect(shown).toContain('"nin_number": "[redacted]"');
  await body.fill(shown.replace('Bola', 'Bisi'));
  await detail(page).getByLabel('Fault').selectOption({ index: 1 });
  await body.press('Control+Enter');
  await expect.poll(() => rows(page).count()).toBe(4);
  const sent = server.sandbox.merchant(DEMO_KEY).journal.list();
  expect(sent.map(({ status, fault }) => (fault ? fault.effect.kind : status))).toEqual([
    'drop',
    200,
    200,
    422,
  ]);
});

test('a rewind makes a save point, and the notice undoes it', async () => {
  const server = await serve();
  const client = clientOver(server);
  const merchant = server.sandbox.merchant(DEMO_KEY);
  const { policy_number } = await buy(client, 'motor');
  const page = await openInspector(server);
  await rows(page, 'verifyMotorPolicy').click();
  await detail(page).getByRole('button', { name: 'Rewind to before' }).click();
  await notice(page, /^Rewound to before/).waitFor();
  const found = () => merchant.records({ family: 'motor', policy_number: String(policy_number) });
  expect(found().total).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await notice(page, /^Undone/).waitFor();
  expect(found().total).toBe(1);
  await expect.poll(() => rows(page).count()).toBe(2);
});

test('among all merchants a policy opens, and a rewind is undone in the World of its call', async () => {
  const server = await serve();
  const client = clientOver(server);
  await buy(client, 'motor');
  const other = JSON.stringify(server.sandbox.merchant('sk_sandbox_other').snapshot());
  const page = await openAll(server);
  await rows(page, 'verifyMotorPolicy').click();
  await story(page)
    .getByRole('button', { name: /^policy INS/ })
    .click();
  await page.getByRole('heading', { name: /^INS/ }).waitFor();
  await page.goBack();
  await detail(page).getByRole('button', { name: 'Rewind to before' }).click();
  await notice(page, /^Rewound to before/).waitFor();
  await expect.poll(() => rows(page).count()).toBe(1);
  await page.evaluate(() => {
    history.pushState(null, '', '?merchant=2');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await notice(page, /^Undone/).waitFor();
  expect(client.merchant.journal.list()).toHaveLength(2);
  expect(JSON.stringify(server.sandbox.merchant('sk_sandbox_other').snapshot())).toBe(other);
});

test('a call can be copied as a link, as curl and as a vitest test', async () => {
  const server = await serve();
  const token = await initiate(clientOver(server), 'motor');
  await send(server, 'verifyMotorPolicy', { token });
  const page = await openInspector(server);
  await rows(page, 'verifyMotorPolicy').click();
  await choose(page, 'Copy', 'Link');
  await expect.poll(() => clipboard(page)).toBe(`${server.url}/_sandbox?merchant=1&call=req-1-2`);
  await choose(page, 'Copy', 'curl');
  await expect.poll(() => clipboard(page)).toContain("-H 'authorization: Bearer sk_sandbox_demo'");
  await choose(page, 'Copy', /vitest test/);
  await expect.poll(() => clipboard(page)).toContain("merchant.call('verifyMotorPolicy'");
});

test('calls of all merchants are one stream, those without a key among them', async () => {
  const server = await serve();
  const shop = server.sandbox.createMerchant({ name: 'Corner Shop' });
  const page = await openAll(server);
  await send(server, 'getMotorQuote', {}, { key: shop.apiKey });
  await send(server, 'getMotorQuote');
  await send(server, 'getMotorQuote', {}, { key: 'sk_nobody' });
  await rows(page, 'no valid key').click();
  const again = detail(page).getByRole('button', { name: 'Send again' });
  expect(await again.isDisabled()).toBe(true);
  shop.clock.advance('PT1M');
  const event = page.locator('.mark').filter({ hasText: 'clock +1 min' });
  await event.waitFor();
  expect(await event.textContent(), 'no time of one World among real times').not.toMatch(/\d:/);
  await page.getByLabel('Search the calls').fill('merchant:corner');
  await expect.poll(() => rows(page).count()).toBe(1);
});

test('the calls of a merchant are its own, also if others arrive as it is opened', async () => {
  const server = await serve();
  const page = await openInspector(server);
  let isBusy = true;
  const others = (async () => {
    while (isBusy) await send(server, 'getMotorQuote');
  })();
  for (const merchant of ['1', '2', '1', '2', '1', '2']) {
    await page.evaluate((id) => {
      history.pushState(null, '', `?merchant=${id}`);
      dispatchEvent(new PopStateEvent('popstate'));
    }, merchant);
    if (merchant === '1') await rows(page).first().waitFor();
    else await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
  }
  isBusy = false;
  await others;
  await send(server, 'listMotorPolicies', {}, { key: 'sk_sandbox_other' });
  await rows(page, 'listMotorPolicies').waitFor();
  expect(await rows(page).count()).toBe(1);
});

test('a thousand calls scroll, and the open call stays in place as others arrive', async () => {
  const server = await serve();
  const merchant = server.sandbox.merchant(DEMO_KEY);
  for (let number = 0; number < 1000; number++) await merchant.call('listMotorPolicies');
  const page = await openInspector(server, '?merchant=1&call=req-1-300');
  const row = page.locator('#call-req-1-300');
  await row.waitFor();
  const place = async () => (await row.boundingBox())?.y;
  const before = await place();
  expect(before, 'a link scrolls to its call').toBeGreaterThan(0);
  await send(server, 'getMotorQuote');
  await rows(page, 'getMotorQuote').waitFor();
  expect(await place()).toBe(before);
  const drawn = await rows(page).evaluateAll((all) =>
    all.filter((each) => each.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })),
  );
  expect(drawn.length, 'few rows are drawn').toBeLessThan(120);
  await page.goto(`${server.url}/_sandbox?merchant=1&call=req-1-950`);
  await page.locator('#call-req-1-950').waitFor();
  // It is in the list as soon as that is drawn.
  const top = async () => (await page.locator('#call-req-1-950').boundingBox())?.y;
  await expect.poll(top).toBeLessThan(844);
});
