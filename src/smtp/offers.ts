import ipaddr from 'ipaddr.js'
import type { SmtpOptions } from './options.ts'

/** The extensions that a session offers to some clients only. */
export interface Offers {
  startTls: boolean
  auth: boolean
}

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/** Returns the offers for a client, given by its address as normalized by `clientAddress()`. */
export function offersFor(
  clientAddress: string,
  { startTls, auth, isLocalSite, certificate }: Pick<SmtpOptions, 'startTls' | 'auth' | 'isLocalSite' | 'certificate'>,
): Offers {
  const isLocalClient = isLocalSite && isLoopback(clientAddress)
  return {
    startTls: startTls === 'auto' ? !isLocalClient || certificate !== undefined : startTls === 'on',
    auth: auth === 'auto' ? isLocalClient : auth === 'on',
  }
}
