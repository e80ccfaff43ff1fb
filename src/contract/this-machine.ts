/** 127/8 and ::1, as `URL` writes them whatever their spelling was, and the same inside of IPv6. */
const LOOPBACK = /^(127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/;
/** Names that never leave the machine (RFC 6761). */
const LOCALHOST = /^([^.]+\.)*localhost\.?$/;

/** Whether an address is one of this machine, so that no customer and no money of anybody's is behind it. */
export function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return LOOPBACK.test(hostname) || LOCALHOST.test(hostname);
}
