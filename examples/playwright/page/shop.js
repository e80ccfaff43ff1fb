/*
 * A page that sells cover. Where the service is and which key it calls with are settings: a page for customers
 * has them from its own server, and no page for customers has a real key in it.
 */
const settings = JSON.parse(localStorage.getItem('service') ?? '{}');

async function call(path, body) {
  const response = await fetch(`${settings.url}/api/merchant/micro_health/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${settings.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (answer.success) return answer.data;
  throw new Error(
    response.status < 500
      ? answer.data.error.join(' ')
      : 'The insurer is busy. Nothing was paid; try again.',
  );
}

const [order, pay, done, problem] = ['order', 'pay', 'done', 'problem'].map((id) =>
  document.getElementById(id),
);
/** What is known of every customer of this shop. */
const SAME_FOR_ALL = {
  product_id: 1,
  subscription_type: 'monthly',
  amount: 700,
  phone_no: '08031234567',
  nin_number: '12345678901',
  first_beneficiary_full_name: 'Bola Ade',
  id_url: 'https://files.example.com/id.png',
};
let token;

/** Does one step, and shows why where it can't be done. */
async function attempt(step) {
  problem.textContent = '';
  try {
    await step();
  } catch (error) {
    problem.textContent = error.message;
  }
}

order.addEventListener('submit', (event) => {
  event.preventDefault();
  attempt(async () => {
    const customer = Object.fromEntries(new FormData(order));
    ({ token } = await call('initiate', { ...SAME_FOR_ALL, ...customer }));
    pay.hidden = false;
  });
});

pay.addEventListener('click', () =>
  attempt(async () => {
    const policy = await call('verify', { token });
    done.textContent = `You are covered: policy ${policy.policy_no}.`;
    pay.hidden = true;
  }),
);
