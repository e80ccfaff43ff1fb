/* The smallest server that reads a quote request and returns a price: `node bench/servers/least.cjs PORT`. */
const { createServer } = require('node:http');

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const { no_of_users } = JSON.parse(text);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ success: true, data: { quote_price: no_of_users * 350 } }));
  });
}).listen(Number(process.argv[2]), '127.0.0.1');
