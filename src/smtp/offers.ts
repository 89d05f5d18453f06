import ipaddr from 'ipaddr.js'
import type { SmtpOptions } from './options.ts'

/** What a session offers that not every client gets. */
export interface Offers {
  startTls: boolean
  auth: boolean
}

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** By the settings and who the client is; `clientAddress` as `clientAddress()` of limits.ts gives it. */
export function offersFor(
  clientAddress: string,
  { startTls, auth, isLocalSite, certificate }: Pick<SmtpOptions, 'startTls' | 'auth' | 'isLocalSite' | 'certificate'>,
): Offers {
  const here = isLocalSite && isLoopback(clientAddress)
  return {
    startTls: startTls === 'auto' ? !here || certificate !== undefined : startTls === 'on',
    auth: auth === 'auto' ? here : auth === 'on',
  }
}
