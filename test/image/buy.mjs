// Buys a policy. Runs next to a sandbox, or is piped into `node -` in its container.
const url = process.env.SANDBOX_URL ?? 'http://127.0.0.1:4015';
const admin = process.env.SANDBOX_ADMIN_TOKEN;

async function post(path, key, body) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const { api_key: key } = await post('/_sandbox/merchants', admin);
const initiated = await post('/api/merchant/micro_health/initiate', key, {
  first_name: 'Ada',
  surname: 'Obi',
  email: 'ada@example.com',
  phone_no: '08031234567',
  date_of_birth: '1990-04-12',
  product_id: 1,
  subscription_type: 'monthly',
  amount: 700,
  nin_number: '12345678901',
  first_beneficiary_full_name: 'Bola Ade',
  id_url: 'https://files.example.com/id.png',
});
const { token } = initiated.data;
const verified = await post('/api/merchant/micro_health/verify', key, { token });
console.log(JSON.stringify({ key, policy: verified.data.policy_no }));
