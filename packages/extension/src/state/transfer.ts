import { changeState, type Held, isSame, readState } from './state.ts'

const FORMAT = 'mayfly-addresses'

/** The list of addresses as a file. */
export async function exportList(): Promise<string> {
  const { held } = await readState()
  return `${JSON.stringify({ format: FORMAT, version: 1, addresses: held }, null, 2)}\n`
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length < 1000

/** The origin of a URL of the web. Undefined for anything else. */
function originOf(value: unknown): string | undefined {
  const url = isText(value) ? URL.parse(value) : null
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

function heldOf(value: unknown): Held | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { address, secret, createdAt, label, ...rest } = value as Record<keyof Held, unknown>
  const service = originOf(rest.service)
  if (service === undefined || !isText(address) || !isText(secret) || typeof createdAt !== 'number') return undefined
  if (!/^[^\s@]+@[^\s@]+$/.test(address)) return undefined
  return { service, address, secret, createdAt, site: originOf(rest.site) ?? null, label: isText(label) ? label : null }
}

/** Adds the addresses of a file. Returns how many were new. Throws if the file is not a list. */
export async function importList(source: string): Promise<number> {
  const { format, addresses } = JSON.parse(source) as { format?: unknown; addresses?: unknown }
  if (format !== FORMAT || !Array.isArray(addresses)) throw new Error('Not a list of addresses')
  const read = addresses.map(heldOf).filter((each) => each !== undefined)
  return changeState((state) => {
    const before = state.held.length
    for (const each of read) if (!state.held.some((known) => isSame(known, each))) state.held.push(each)
    return state.held.length - before
  })
}
