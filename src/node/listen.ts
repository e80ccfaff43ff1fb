import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ListenError } from './listen-error.ts';

/** Rejects with `ListenError` where the port or the address can't be had. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(whyNot(error, port, host), port, host, error));
    });
    server.listen(port, host, resolve);
  });
}

function whyNot(error: NodeJS.ErrnoException, port: number, host: string): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken; another sandbox or proxy may be running. Choose another port, or 0 for a free one.`;
    case 'EACCES':
      return `Port ${port} of ${host} is not open to this user; choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host} to listen on.`;
    default:
      return `Can't listen on port ${port} of ${host}: ${error.message}`;
  }
}

/** The address as a client on this machine writes it. */
export function reachable({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return family === 'IPv6' ? `[${address}]` : address;
}
