/* Serves the page of a shop for the tests of docs/browsers.md: `node serve.mjs PORT` */
import { createServer } from 'node:http';
import { sampleRequests } from 'micro-insurance-sandbox';

const PAGE = `<!doctype html><title>Shop</title><button>Buy</button>
<script type="module">
  const query = new URLSearchParams(location.search);
  const call = async (path, body) => {
    const response = await fetch(query.get('service') + '/api/merchant/' + path, {
      method: 'POST',
      headers: { authorization: 'Bearer ' + query.get('key'), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()).data;
  };
  document.querySelector('button').onclick = async () => {
    const wanted = ${JSON.stringify(sampleRequests.initiateMotorPolicy)};
    const { token } = await call('comprehensive_motor_initiate_policy', wanted);
    await call('comprehensive_motor_verify_policy', { token });
  };
</script>`;

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
}).listen(Number(process.argv[2]), '127.0.0.1');
