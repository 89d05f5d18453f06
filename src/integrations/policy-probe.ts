import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { pinTo } from './pinned-address.ts'

interface PolicyProbeOptions {
  port: number
  /** Timeout of the whole request, in milliseconds. */
  timeout: number
  /** Trusted certificates instead of the system's, in PEM format. */
  ca: string | undefined
  addresses(host: string): Promise<string[]>
}

/** A policy of Mayfly has about 100 bytes. RFC 8461 3.3 allows senders to stop at 64 KB. */
const MAX_BYTES = 64 * 1024

/** Fetches a policy as senders do (RFC 8461 3.3): status 200 without redirects, text/plain, a valid certificate. */
export async function probePolicy(host: string, path: string, options: PolicyProbeOptions): Promise<string> {
  const { port, timeout, ca } = options
  const [address] = await options.addresses(host)
  if (address === undefined) throw new Error(`${host} has no IP address`)
  const signal = AbortSignal.timeout(timeout)
  const trusted = ca === undefined ? {} : { ca }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = { host, port, path, signal, lookup: pinTo(address), agent: false, ...trusted }
    get(request, resolve).once('error', reject)
  })
  const type = response.headers['content-type'] ?? ''
  if (response.statusCode !== 200 || !/^text\/plain\b/i.test(type)) {
    response.destroy()
    throw new Error(`the response is ${response.statusCode} ${type}`)
  }
  let text = ''
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > MAX_BYTES) throw new Error('the response is longer than 64 KB')
  }
  return text
}
