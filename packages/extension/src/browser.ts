import type { Browser as Api } from '@wxt-dev/browser/src/gen/index.js'
import { browser as api } from 'wxt/browser'

/** The extension API of the browser. The types of `wxt/browser` are imported in a way that Node's resolution refuses. */
export const browser = api as unknown as typeof Api
export type { Api as Browser }
