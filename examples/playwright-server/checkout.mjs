/*
 * A shop whose server has the key: the browser sends forms, and never sees the provider. In place of your own server, such
 * as Express or Next.js. `PORT=4317 INSURANCE_URL=http://… INSURANCE_KEY=sk_… node checkout.mjs`
 */
import { createServer } from 'node:http';

const { PORT, INSURANCE_URL, INSURANCE_KEY } = process.env;

async function call(path, body) {
  const response = await fetch(`${INSURANCE_URL}/api/merchant/micro_health/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INSURANCE_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { success, data } = await response.json();
  if (!success) throw new Error(data.error.join(' '));
  return data;
}

async function checkout(customer) {
  const { token } = await call('initiate', {
    ...customer,
    surname: 'Obi',
    phone_no: '08031234567',
    date_of_birth: '1990-04-12',
    nin_number: '12345678901',
    id_url: 'https://files.example.com/id.png',
    product_id: 1,
    subscription_type: 'monthly',
    amount: 400,
  });
  return call('verify', { token });
}

const escapeHtml = (text) => text.replace(/[&<"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const page = (content) => `<!doctype html><html lang="en"><title>Shop</title>${content}</html>`;
const FORM = `<form method="post">
  <label>First name <input name="first_name"></label>
  <label>E-mail <input name="email"></label>
  <button>Buy for 400</button>
</form>`;

createServer(async (request, response) => {
  let form = '';
  for await (const chunk of request) form += chunk;
  let content = FORM;
  if (request.method === 'POST') {
    try {
      const policy = await checkout(Object.fromEntries(new URLSearchParams(form)));
      content = `<p role="status">You are covered: policy ${policy.policy_no}.</p>`;
    } catch (error) {
      content = `${FORM}<p role="alert">${escapeHtml(error.message)}</p>`;
    }
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(content));
}).listen(Number(PORT), '127.0.0.1');
