import { changeState, type Held, readState } from './state.ts'

const FORMAT = 'mayfly-addresses'

/** The list of addresses as a file. */
export async function exportList(): Promise<string> {
  const { held } = await readState()
  return `${JSON.stringify({ format: FORMAT, version: 1, addresses: held }, null, 2)}\n`
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length < 1000

function heldOf(value: unknown): Held | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { service, address, secret, createdAt, site, label } = value as Record<keyof Held, unknown>
  if (!isText(service) || !isText(address) || !isText(secret) || typeof createdAt !== 'number') return undefined
  if (!/^https?:$/.test(URL.parse(service)?.protocol ?? '')) return undefined
  return { service, address, secret, createdAt, site: isText(site) ? site : null, label: isText(label) ? label : null }
}

/** Adds the addresses of a file. Returns how many were new. Throws if the file is not a list. */
export async function importList(source: string): Promise<number> {
  const { format, addresses } = JSON.parse(source) as { format?: unknown; addresses?: unknown }
  if (format !== FORMAT || !Array.isArray(addresses)) throw new Error('Not a list of addresses')
  const read = addresses.map(heldOf).filter((each) => each !== undefined)
  return changeState((state) => {
    const known = new Set(state.held.map(({ address }) => address))
    const added = read.filter(({ address }) => !known.has(address))
    state.held.push(...added)
    return added.length
  })
}
