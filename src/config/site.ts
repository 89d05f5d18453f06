import { isIPv6 } from 'node:net'
import type { Config } from './table.ts'

/** Where the site is as far as the settings say: where it listens, unless PUBLIC_URL says more. Without a port there. */
export const configuredSite = ({ PUBLIC_URL, HOST }: Pick<Config, 'PUBLIC_URL' | 'HOST'>): string =>
  PUBLIC_URL ?? `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}`
