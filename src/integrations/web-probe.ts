import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { TLSSocket } from 'node:tls'
import type { ProbedResponse } from '#core/operating/probes.ts'
import { hostOf, pinTo } from './pinned-address.ts'

interface WebProbeOptions {
  /** The port of https, unless the URL names another one. */
  port: number
  /** Timeout of the whole request, in milliseconds. */
  timeout: number
  /** Trusted certificates instead of the system's, in PEM format. */
  ca: string | undefined
  addresses(host: string): Promise<string[]>
}

/** The responses that are read have far less. RFC 8461 3.3 allows senders to stop at 64 KB of a policy. */
const MAX_BYTES = 64 * 1024

/** Requests a URL as visitors and senders do, with a valid certificate, but follows no redirects. */
export async function probeWeb(url: URL, options: WebProbeOptions): Promise<ProbedResponse> {
  const { port, timeout, ca } = options
  const host = hostOf(url)
  const [address] = isIP(host) ? [host] : await options.addresses(host)
  if (address === undefined) throw new Error(`${host} has no IP address`)
  const isSecure = url.protocol === 'https:'
  const signal = AbortSignal.timeout(timeout)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = {
      signal,
      lookup: pinTo(address),
      agent: false,
      ...(isSecure && url.port === '' ? { port } : {}),
      ...(isSecure && ca !== undefined ? { ca } : {}),
    }
    const get = isSecure ? getHttps : getHttp
    get(url, request, resolve).once('error', reject)
  })
  const validTo = isSecure ? Date.parse((response.socket as TLSSocket).getPeerCertificate().valid_to) : null
  let text = ''
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > MAX_BYTES) throw new Error('the response is longer than 64 KB')
  }
  const { 'content-type': type = '', location = null } = response.headers
  return { status: response.statusCode ?? 0, type, location, text, validTo }
}

/** Whether this machine has an IP address. Its firewall does not apply to what it sends to itself. */
export const isOwnAddress = (address: string): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some((each) => each.address === address))
