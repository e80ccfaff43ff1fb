/* Serves the files of `page`, in place of your own front end: `node serve.mjs PORT` */
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/shop.js': ['shop.js', 'text/javascript; charset=utf-8'],
};

createServer((request, response) => {
  const [file, type] = FILES[new URL(request.url, 'http://shop').pathname] ?? [];
  if (!file) return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': type });
  createReadStream(new URL(`page/${file}`, import.meta.url)).pipe(response);
}).listen(Number(process.argv[2]), '127.0.0.1');
